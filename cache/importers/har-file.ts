import { createHash } from 'node:crypto';
import path from 'node:path';
import { countText } from '../../kit/text/number.ts';
import { ImportError } from '../import-error.ts';
import type { ImportLimits } from '../limits.ts';
import { parsedJson, readArchiveFile, readPart } from './archive-file.ts';
import { below, countJsonValues } from './json.ts';
import { isZip, openZip } from './zip-archive.ts';

export interface HarFile {
  log: unknown;
  /** A body in a separate file (`_file`, as Playwright writes); null: no such file. */
  attached: (name: string) => Promise<Uint8Array | null>;
}

/**
 * Reads a HAR: JSON, gzip, or a zip with its bodies as files (Playwright).
 * @throws ImportError when it is not valid, or exceeds the limits
 */
export async function readHarFile(file: string, limits: ImportLimits): Promise<HarFile> {
  const words = { archive: 'a HAR', again: 'Copy or save it again' };
  const bytes = await readArchiveFile(file, limits, words);
  if (isZip(bytes)) return readZip(file, bytes, limits);
  const folder = path.dirname(file);
  return {
    log: logOf(file, bytes),
    attached: async (name) => readExternalBody(folder, name, limits.bodyBytes),
  };
}

/**
 * A body in a file next to a HAR (Playwright, unpacked) that is named after its SHA-1. Any other file there does not belong to the
 * archive, and may be private.
 */
async function readExternalBody(
  folder: string,
  name: string,
  maxBytes: number,
): Promise<Uint8Array | null> {
  const [, sha1] = /^([0-9a-f]{40})\.[a-z0-9]{1,10}$/.exec(name) ?? [];
  if (sha1 === undefined) return null;
  const body = await readPart(path.join(folder, name), maxBytes);
  return body && createHash('sha1').update(body).digest('hex') === sha1 ? body : null;
}

async function readZip(file: string, bytes: Buffer, limits: ImportLimits): Promise<HarFile> {
  const zip = await openZip(file, bytes, limits);
  const names = zip.names.filter((name) => name.toLowerCase().endsWith('.har'));
  const [name] = names;
  if (name === undefined || names.length > 1) {
    throw new ImportError(`${file}: expected one .har in this zip, there are ${names.length}.`);
  }
  const folder = path.posix.dirname(name);
  return {
    log: logOf(`${file}/${name}`, await zip.read(name, limits.fileBytes)),
    attached: async (attachment) => {
      const inside = path.posix.join(folder, attachment);
      if (!isPlainName(attachment) || !zip.names.includes(inside)) return null;
      return zip.read(inside, limits.bodyBytes);
    },
  };
}

/** Whether a name is a file in the same folder of the zip. */
function isPlainName(name: string): boolean {
  return /^[A-Za-z0-9_][A-Za-z0-9._-]{0,200}$/.test(name);
}

/** A page of 2,000 requests has one million; this limit takes about a gigabyte of memory. */
const MAX_VALUES = 10_000_000;

function logOf(file: string, bytes: Buffer): unknown {
  if (countJsonValues(bytes, MAX_VALUES) > MAX_VALUES) {
    throw new ImportError(
      `${file} has more than ${countText(MAX_VALUES)} values. Give a HAR of one page.`,
    );
  }
  const har = parsedJson(file, bytes, 'Save the HAR again');
  const log = below(har, 'log');
  if (!Array.isArray(below(log, 'entries'))) {
    throw new ImportError(`${file} is JSON, but not a HAR: it has no list log.entries.`);
  }
  return log;
}
