import path from 'node:path';
import { parseArgs } from 'node:util';
import { UsageError } from '../../ground/system/errors.ts';
import { complain } from '../../ground/system/printed.mjs';
import { PARTS, SITTING_NUMBERS } from './parts.ts';
import { packHars, packSitting, writeChecksums } from './records.ts';

const USAGE = 'node studies/is-quic-faster/archive.ts FOLDER SITTING... [--hars]';

// Packs the records of sittings, or the HARs of the loads that are medians over these sittings.
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { hars: { type: 'boolean' } },
});
const [folder, ...chosen] = positionals;
const numbers = chosen.map(Number);
if (!folder || numbers.length === 0 || !numbers.every((each) => SITTING_NUMBERS.includes(each))) {
  throw new UsageError(USAGE);
}
for (const part of PARTS) {
  complain(part.title);
  const run = (sitting: number) => path.join(folder, String(sitting), part.name);
  if (values.hars) await packHars(part, numbers.map(run));
  else for (const sitting of numbers) await packSitting(part, sitting, run(sitting));
}
await writeChecksums();
