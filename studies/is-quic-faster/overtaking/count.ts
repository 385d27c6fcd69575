import path from 'node:path';
import { parseArgs } from 'node:util';
import { UsageError } from '../../../ground/system/errors.ts';
import { print } from '../../../ground/system/printed.mjs';
import { type SpuriousCause, spuriousIn } from './spurious.ts';

// Counts what servers sent again although it had arrived: node studies/is-quic-faster/overtaking/count.ts CAPTURE...
const { positionals } = parseArgs({ allowPositionals: true });
if (positionals.length === 0) throw new UsageError('Name captures of transfers over 40 ms.');

/** Both ways without queues, each with 20 ms less 2 ms of jitter. */
const LEAST_LOOP_MS = 36;

const CAUSES: readonly SpuriousCause[] = ['number', 'last', 'later', 'timer'];

/** Captures of one kind differ in the number of the repetition. */
const kinds = Map.groupBy(positionals, (file) => path.basename(file).replace(/\.\d+\.pcapng$/, ''));
print(`kind,captures,packets,lost,${CAUSES.join()}`);
for (const [kind, files] of kinds) {
  const connections = (
    await Promise.all(files.map((file) => spuriousIn(file, LEAST_LOOP_MS)))
  ).flat();
  const sum = (numberOf: (each: (typeof connections)[number]) => number) =>
    connections.reduce((total, each) => total + numberOf(each), 0);
  const counts = CAUSES.map((cause) => sum(({ spurious }) => spurious[cause]));
  print(
    [kind, files.length, sum(({ packets }) => packets), sum(({ lost }) => lost), ...counts].join(),
  );
}
