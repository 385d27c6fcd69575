import path from 'node:path';
import { parseArgs } from 'node:util';
import { UsageError } from '../../../ground/system/errors.ts';
import { print } from '../../../ground/system/printed.mjs';
import { spuriousIn } from './spurious.ts';

// Counts what servers sent again although it had arrived: node studies/is-quic-faster/overtaking/count.ts CAPTURE...
const { positionals } = parseArgs({ allowPositionals: true });
if (positionals.length === 0) throw new UsageError('Name captures of transfers over 40 ms.');

/** There and back without queues: 20 ms each, less 2 ms of jitter. */
const LEAST_LOOP_MS = 36;

print(
  'capture,packets,lost,sent again though arrived,by how much higher a number was acknowledged',
);
for (const file of positionals) {
  for (const { packets, lost, distances } of await spuriousIn(file, LEAST_LOOP_MS)) {
    print([path.basename(file), packets, lost, distances.length, distances.join(' ')].join());
  }
}
