import type { Browser } from 'puppeteer-core';
import { closeChromium, startBrowser } from '../../clients/chromium/chromium.ts';

/** Starts a new Chromium on a profile, passes it on, and always ends it. */
export async function withBrowser<T>(
  options: Parameters<typeof startBrowser>[0],
  use: (browser: Browser) => Promise<T>,
): Promise<T> {
  const browser = await startBrowser(options);
  try {
    return await use(browser);
  } finally {
    await closeChromium(browser);
  }
}
