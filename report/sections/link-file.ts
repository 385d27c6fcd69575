import { inFolder } from '../../ground/records/file-name.ts';
import { linkSamplesIn } from '../../ground/records/link-file.ts';
import type { LinkSample } from '../../ground/records/link-sample.ts';
import type { Observation } from '../../ground/records/observation.ts';
import { unpack } from '../../ground/system/bounded-unpacking.ts';
import { readPlainFile } from '../../ground/system/plain-file.ts';
import { fileHref } from '../../kit/page/links.ts';

/** Link samples of single loads, by load id. */
export type CarriedLoads = ReadonlyMap<string, readonly LinkSample[]>;

/** Ten minutes take a tenth of this. */
const MOST_BYTES = 64 * 1024 * 1024;

/** Reads the kept link samples of loads; damaged files are treated as missing. */
export async function readCarriedLoads(
  folder: string,
  ids: ReadonlySet<string>,
  observations: readonly Observation[],
): Promise<CarriedLoads> {
  const found = new Map<string, readonly LinkSample[]>();
  for (const { id, files } of observations) {
    const { link } = files;
    if (!ids.has(id) || link === undefined || fileHref(link, ['link']) === null) continue;
    const samples = await readLinkFile(inFolder(folder, link));
    if (samples !== null) found.set(id, samples);
  }
  return found;
}

async function readLinkFile(file: string): Promise<LinkSample[] | null> {
  try {
    const packed = await readPlainFile(file, { maxBytes: MOST_BYTES, noLink: true });
    const table = unpack(packed, 'gzip', MOST_BYTES);
    return linkSamplesIn(table.toString('latin1'));
  } catch {
    return null;
  }
}
