import { placesFor } from '../../runner/browser/places.ts';
import type { BrowserSettings } from '../../runner/browser/running-browser.ts';
import { load, settle, type Visit, watchTab } from '../../runner/browser/visit.ts';
import type { Server } from '../../runner/servers.ts';

/** Loads a page from a server in a browser of its own, and judges nothing. */
export async function loadOnce(
  server: Server,
  url: string,
  settings: BrowserSettings,
): Promise<Visit> {
  const place = await placesFor('process', [server], settings).open(server.stack.stack);
  try {
    const options = { url, isReload: false, timeoutS: 30, script: null, capture: true };
    return await settle(place, await load(place, await watchTab(place, options), options));
  } finally {
    await place.leave();
  }
}
