import path from 'node:path';
import { parseArgs } from 'node:util';
import { UsageError } from '../../ground/system/errors.ts';
import { complain } from '../../ground/system/printed.mjs';
import { PARTS, SITTING_NUMBERS } from './parts.ts';
import { packHars, packSitting, writeChecksums } from './records.ts';

// Packs the records of some sittings, or of all with the HARs of medians: node studies/is-quic-faster/archive.ts FOLDER [SITTING...]
const [folder, ...chosen] = parseArgs({ allowPositionals: true }).positionals;
const numbers = chosen.map(Number);
if (!folder || !numbers.every((each) => SITTING_NUMBERS.includes(each))) {
  throw new UsageError('node studies/is-quic-faster/archive.ts FOLDER [SITTING...]');
}
for (const part of PARTS) {
  complain(part.title);
  const run = (sitting: number) => path.join(folder, String(sitting), part.name);
  for (const sitting of numbers.length > 0 ? numbers : SITTING_NUMBERS) {
    await packSitting(part, sitting, run(sitting));
  }
  if (numbers.length === 0) await packHars(part, SITTING_NUMBERS.map(run));
}
await writeChecksums();
