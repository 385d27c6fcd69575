import { rmSync } from 'node:fs';
import { nodeProgram, packagedProgram } from '../ground/system/folders.mjs';
import { complain } from '../ground/system/printed.mjs';
import { browserStep, type Download } from './browser.ts';
import { isProgram, run } from './command.mjs';
import { inMade, readStamp, writeStamp } from './folders.mjs';

const DOWNLOADS = '.setup/browsers';
const DOWNLOADED = 'browsers-downloaded';
const WHOLE = 'whole\n';

/** Chromium for measurements. */
export const chromium = browserStep({
  kind: 'chromium',
  // Debian's /usr/bin/chromium is a script that adds flags of its own.
  paths: [
    '/usr/lib/chromium/chromium',
    '/usr/lib/chromium-browser/chromium-browser',
    '/opt/google/chrome/chrome',
    '/usr/bin/google-chrome-stable',
    '/usr/bin/google-chrome',
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
  ],
  debianPackage: 'chromium',
  // Chrome's own driver calls itself ChromeDriver.
  isBrowser: (version) => /Chrom(e|ium)\b/.test(version),
  download: downloadWithPuppeteer,
});

async function downloadWithPuppeteer(): Promise<Download> {
  complain('set-up: downloading Chrome with Puppeteer ...');
  // Puppeteer accepts an existing folder as complete, even after a kill during its download.
  if (readStamp(DOWNLOADED) !== WHOLE) rmSync(inMade(DOWNLOADS), { recursive: true, force: true });
  const { ok, output } = await run(nodeProgram, [
    packagedProgram('browsers', '@puppeteer/browsers'),
    'install',
    'chrome@stable',
    '--path',
    inMade(DOWNLOADS),
  ]);
  // It prints the browser's name and where it is.
  const found = /^chrome@\S+ (.+)$/m.exec(output)?.[1];
  if (ok && found && isProgram(found)) {
    writeStamp(DOWNLOADED, WHOLE);
    return { program: found };
  }
  const messages = output.split('\n').slice(-5);
  return {
    way: `let this machine reach Puppeteer's downloads, which said:\n${messages
      .map((line) => `      ${line}`)
      .join('\n')}`,
  };
}
