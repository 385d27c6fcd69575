import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { temporaryFolder } from '../../../temporary-folder.ts';

/** A temporary folder with these files, removed after the test. */
export async function folderOfFiles(
  t: TestContext,
  files: Record<string, string | Uint8Array>,
): Promise<string> {
  const folder = temporaryFolder(t);
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, content);
  }
  return folder;
}

/** A saved response: header lines with CRLF, an empty line, the body. */
export function savedResponse(headers: string[], body: string | Uint8Array): Buffer {
  const lines = ['HTTP/1.1 200 OK', ...headers, '', ''].join('\r\n');
  return Buffer.concat([Buffer.from(lines, 'latin1'), Buffer.from(body)]);
}
