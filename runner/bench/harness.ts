import { availableParallelism } from 'node:os';
import { withBench } from './harness/bench.ts';
import { printCaptureCost } from './harness/capture-cost.ts';
import { printCost } from './harness/cost.ts';
import { printIsolation } from './harness/isolation.ts';
import { readOptions } from './harness/options.ts';
import { printPackets } from './harness/packets.ts';
import { loadText } from './harness/table.ts';

const SECTIONS = {
  cost: printCost,
  isolation: printIsolation,
  looking: printCaptureCost,
  packets: printPackets,
};
const NAMES = Object.keys(SECTIONS) as (keyof typeof SECTIONS)[];

const values = readOptions(
  'Prints what a load costs. --only names one part: cost, isolation, looking, packets.',
  {
    /** Loads of each kind. */
    repetitions: { type: 'string', default: '40' },
    /** cost, isolation, looking, packets; default: all. */
    only: { type: 'string' },
    /** Round-trip times at which isolation and packets are compared. */
    rtt: { type: 'string', default: '0,30' },
  },
);
const repetitions = Number(values.repetitions);
if (!Number.isInteger(repetitions) || repetitions < 6) {
  throw new Error(`--repetitions ${values.repetitions}: expected a whole number from 6`);
}
const chosen = values.only === undefined ? NAMES : NAMES.filter((name) => name === values.only);
if (chosen.length === 0) throw new Error(`--only ${values.only}: expected ${NAMES.join(', ')}`);

process.stderr.write('Run nothing else meanwhile.\n');
console.log(
  `${availableParallelism()} processors, load ${loadText()} at the start, ${repetitions} loads of each kind`,
);
await withBench(async (eachSite) => {
  const rttsMs = values.rtt.split(',').map(Number);
  for (const name of chosen) await SECTIONS[name](eachSite, repetitions, rttsMs);
});
console.log(`\nload ${loadText()} at the end`);
