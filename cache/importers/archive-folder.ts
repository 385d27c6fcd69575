import { opendir } from 'node:fs/promises';
import path from 'node:path';
import { ImportError } from '../import-error.ts';
import type { ImportLimits } from '../limits.ts';
import { readPart } from './archive-file.ts';

/** Files that belong to one archive, in a zip or a folder, and are read on demand. */
export interface ArchiveFolder {
  /** Their paths, with `/`; none leads out of the archive. */
  names: string[];
  /** @throws ImportError when the file is damaged, or has more than `maxBytes` */
  read: (name: string, maxBytes: number) => Promise<Buffer>;
}

/**
 * The regular files below a folder; links are never followed.
 * @throws ImportError when there are too many
 */
export async function openFolder(
  folder: string,
  limits: Readonly<ImportLimits>,
): Promise<ArchiveFolder> {
  const names: string[] = [];
  for await (const entry of await opendir(folder, { recursive: true })) {
    if (!entry.isFile()) continue;
    if (names.length === limits.entries) {
      throw new ImportError(`${folder} has more than ${limits.entries} files.`);
    }
    const name = path.relative(folder, path.join(entry.parentPath, entry.name));
    names.push(name.replaceAll(path.sep, '/'));
  }
  return {
    names,
    read: async (name, maxBytes) => {
      const bytes = await readPart(path.join(folder, name), maxBytes);
      if (bytes !== null) return bytes;
      throw new ImportError(
        `${folder}: ${name} cannot be read, or has more than ${maxBytes.toLocaleString('en-US')} bytes.`,
      );
    },
  };
}
