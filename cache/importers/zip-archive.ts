import { type Entry, fromBufferPromise, openPromise, type ZipFile } from 'yauzl';
import { ImportError } from '../import-error.ts';
import type { ImportLimits } from '../limits.ts';
import type { ArchiveFolder } from './archive-file.ts';

export function isZip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 3 && bytes[3] === 4;
}

/**
 * Opens a zip in memory. The first of two files with the same path counts.
 * @param file name in messages
 * @throws ImportError when it is damaged, has paths that lead out of it, or too many files
 */
export async function openZip(
  file: string,
  bytes: Buffer,
  limits: ImportLimits,
): Promise<ArchiveFolder> {
  const entries = new Map<string, Entry>();
  const zip = await orImportError(file, async () => {
    const opened = await fromBufferPromise(bytes, { lazyEntries: true });
    for await (const entry of opened.eachEntry()) {
      if (entry.fileName.endsWith('/') || entries.has(entry.fileName)) continue;
      if (entries.size === limits.entries) {
        throw new ImportError(`${file} has more than ${limits.entries} files.`);
      }
      entries.set(entry.fileName, entry);
    }
    return opened;
  });
  return {
    names: [...entries.keys()],
    read: (name, maxBytes) =>
      orImportError(`${file}/${name}`, () => readEntry(file, zip, entries.get(name), maxBytes)),
  };
}

/** Whether a file is a zip with such a path; reads only the directory of the zip. */
export async function zipHasName(file: string, name: RegExp): Promise<boolean> {
  try {
    const zip = await openPromise(file, { lazyEntries: true, autoClose: false });
    try {
      for await (const entry of zip.eachEntry()) {
        if (name.test(entry.fileName)) return true;
      }
      return false;
    } finally {
      zip.close();
    }
  } catch {
    return false;
  }
}

async function readEntry(
  file: string,
  zip: ZipFile,
  entry: Entry | undefined,
  maxBytes: number,
): Promise<Buffer> {
  if (!entry) throw new ImportError(`${file}: no such file in this zip.`);
  if (entry.uncompressedSize > maxBytes) {
    throw new ImportError(
      `${file}: ${entry.fileName} unpacks to ${entry.uncompressedSize} bytes, at most ${maxBytes} are imported.`,
    );
  }
  const chunks: Buffer[] = [];
  // The stream fails if its size differs from the directory.
  for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function orImportError<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ImportError) throw error;
    throw new ImportError(
      `${what}: the zip is damaged (${(error as Error).message.slice(0, 160)}). Copy or save it again.`,
    );
  }
}
