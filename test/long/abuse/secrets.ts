import { randomUUID } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** What no response may contain: texts, and their files. */
export interface Secrets {
  texts: string[];
  files: string[];
}

const CANARY_LINES = 100;

/**
 * Places files with a unique text into folders, and returns that text, every private key of the
 * certificates' folder in pieces, and contents of files outside the site.
 */
export async function laySecrets(
  folders: readonly string[],
  certsFolder: string,
  projectFolder: string,
): Promise<Secrets> {
  const canary = `canary-${randomUUID()}`;
  const laid = folders.map((folder) => path.join(folder, 'canary.txt'));
  // Many times, so that some are whole wherever a protocol cuts them.
  for (const file of laid) await writeFile(file, `${canary}\n`.repeat(CANARY_LINES));
  const keys = (await readdir(certsFolder))
    .filter((name) => name.endsWith('.key'))
    .map((name) => path.join(certsFolder, name));
  const pieces = (await Promise.all(keys.map((file) => readFile(file, 'utf8')))).flatMap(piecesOf);
  return {
    texts: [canary, 'PRIVATE KEY', 'root:x:0:', projectFolder, ...pieces],
    files: [...laid, ...keys, '/etc/passwd', '/proc/self/environ'],
  };
}

/**
 * Every line of a key but its first, which all keys of a kind begin with, in pieces of this length.
 */
function piecesOf(pem: string): string[] {
  const [, ...lines] = pem.split('\n').filter((line) => !line.startsWith('-----'));
  return lines.flatMap((line) => line.match(/.{24}/g) ?? []);
}

/** Searches a stream of bytes for secrets, and reports each match. */
export function watchFor(
  texts: readonly string[],
  report: (text: string) => void,
): (bytes: Uint8Array) => void {
  const longest = Math.max(...texts.map((text) => text.length));
  let before = '';
  return (bytes) => {
    const seen = before + Buffer.from(bytes).toString('latin1');
    for (const text of texts) if (seen.includes(text)) report(text);
    before = seen.slice(-(longest - 1));
  };
}
