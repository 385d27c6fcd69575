import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { withTemporaryFolder } from '../temporary-folder.ts';

/** NetworkPredictionOptions of Chromium's preferences: 2 is "never". */
const NEVER_PREDICT = 2;

/**
 * Makes a fresh profile folder, hands it on, and removes it whatever happens. Nothing is cached in it, no session tickets, no
 * cookies. Its preferences keep Chromium from preconnecting, which would hide the document's handshake; no command-line
 * switch does that.
 */
export async function withProfile<T>(use: (folder: string) => Promise<T>): Promise<T> {
  return withTemporaryFolder('profile', async (folder) => {
    await mkdir(path.join(folder, 'Default'));
    await writeFile(
      path.join(folder, 'Default', 'Preferences'),
      JSON.stringify({ net: { network_prediction_options: NEVER_PREDICT } }),
    );
    return use(folder);
  });
}

/** What to put before Chromium's command: files of its own that it would leave behind when it is killed go with its profile. */
export function temporaryFilesIn(profileFolder: string): string {
  return `TMPDIR=${profileFolder}`;
}
