import { rename, writeFile } from 'node:fs/promises';

/** Writes a file whole or not at all: whoever reads it meanwhile sees what was there before. */
export async function replaceFile(file: string, text: string): Promise<void> {
  const unfinished = `${file}.unfinished-${process.pid}`;
  await writeFile(unfinished, text);
  await rename(unfinished, file);
}
