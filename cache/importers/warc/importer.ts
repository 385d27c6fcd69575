import { createReadStream } from 'node:fs';
import path from 'node:path';
import { importBudget } from '../../limits.ts';
import type { Recording } from '../../recording.ts';
import { headOf, isGzip, rawHeadOf } from '../file-head.ts';
import type { Importer, ReadOptions } from '../importer.ts';
import { recordingOf } from '../recording-of.ts';
import { warcCollector } from './exchanges.ts';
import { warcRecords } from './records.ts';

/** WARC 1.0 and 1.1 (ISO 28500), plain or gzip. */
export const WARC: Importer = {
  format: 'warc',
  what: 'a WARC (`.warc` or `.warc.gz`), the format of web archives: `wget --warc-file`, Heritrix, Browsertrix, warcio',
  recognise: async (archive) => {
    const head = await headOf(archive);
    if (head === null) return false;
    return /\.warc(\.gz)?$/i.test(archive) || head.toString('latin1', 0, 5) === 'WARC/';
  },
  read,
};

async function read(archive: string, { limits, document }: ReadOptions): Promise<Recording> {
  const budget = importBudget(archive, limits);
  const collector = warcCollector(budget);
  const file = path.basename(archive);
  const isPacked = isGzip((await rawHeadOf(archive)) ?? new Uint8Array());
  const warc = { packed: createReadStream(archive), isPacked };
  for await (const record of warcRecords(file, warc, budget)) {
    collector.add(record);
  }
  return recordingOf(collector.content(), { what: 'a WARC', document });
}
