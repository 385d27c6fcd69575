import { realpathSync } from 'node:fs';
import { firefoxVersion, isOldVersion, OLDEST_VERSION } from '../clients/firefox/version.ts';
import { browserStep } from './browser.ts';
import type { Step } from './step.mjs';

/** Firefox for measurements. */
export const firefox: Step = browserStep({
  kind: 'firefox',
  // Without /usr/bin/firefox, which is a snap on Ubuntu.
  paths: [
    '/usr/lib/firefox-esr/firefox-esr',
    '/usr/lib/firefox/firefox',
    '/usr/lib64/firefox/firefox',
    '/opt/firefox/firefox',
    '/usr/local/lib/firefox/firefox',
    '/usr/bin/firefox-esr',
  ],
  debianPackage: 'firefox-esr',
  isBrowser: (version) => firefoxVersion(version) !== null,
  problemOf(file, output) {
    if (isSnap(file)) return 'is a snap, which cannot use profiles of the project';
    const version = firefoxVersion(output) ?? '';
    return isOldVersion(version)
      ? `is Firefox ${version}, and ${OLDEST_VERSION} or newer is needed`
      : null;
  },
});

/** Names of snaps are links to the program that starts them. */
function isSnap(file: string): boolean {
  const target = realpathSync(file);
  return target.startsWith('/snap/') || target.endsWith('/bin/snap');
}
