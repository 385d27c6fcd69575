import path from 'node:path';
import { parseArgs } from 'node:util';
import { UsageError } from '../../ground/system/errors.ts';
import { complain } from '../../ground/system/printed.mjs';
import { PARTS, SITTINGS } from './parts.ts';
import { packPart, writeChecksums } from './records.ts';

// Packs the records of all sittings: node studies/is-quic-faster/archive.ts FOLDER
const [folder] = parseArgs({ allowPositionals: true }).positionals;
if (!folder)
  throw new UsageError('node studies/is-quic-faster/archive.ts FOLDER, that of measure.ts');
const sittings = Array.from({ length: SITTINGS }, (_, at) => path.join(folder, String(at + 1)));
for (const part of PARTS) {
  complain(part.title);
  await packPart(part, sittings);
}
await writeChecksums();
