import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A folder that is removed after a test, or after all of a file: `temporaryFolder({ after })`. */
export function temporaryFolder(scope: { after(remove: () => void): void }): string {
  const folder = makeFolder();
  scope.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Uses a folder and removes it. */
export async function withTemporaryFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = makeFolder();
  try {
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Programs without rights read files of tests in it. */
function makeFolder(): string {
  const folder = mkdtempSync(PREFIX);
  chmodSync(folder, 0o755);
  return folder;
}

const PREFIX = path.join(tmpdir(), 'quic-vs-https-test-');
