import { pageLoad } from '../../experiments/page-load/experiment.ts';
import type { Observation } from '../../ground/records/observation.ts';
import { KEEPS_ROOT, userChoice } from '../../ground/system/unprivileged-user.ts';
import { STACKS } from '../../servers/index.ts';
import { mean } from '../../statistics/mean.ts';
import { median } from '../../statistics/median.ts';
import { isSetUp } from '../machine.ts';
import { attemptsOf } from './attempts.ts';
import { readOptions } from './harness/options.ts';
import { fixed, printRow } from './harness/table.ts';

// Compares page load times with browser and servers as root and without rights: pairs of runs on the same sites, in
// alternating order.
const values = readOptions(
  'Compares page load times with browser and servers as root and without rights.',
  {
    sites: { type: 'string', default: 'www.example.org,www.wikipedia.org' },
    stacks: { type: 'string' },
    rtt: { type: 'string', default: '0,30' },
    repetitions: { type: 'string', default: '5' },
    pairs: { type: 'string', default: '6' },
  },
);
if (userChoice().user === null) {
  throw new Error(
    'This compares root with an unprivileged user. Run it as root, in a project that all users can read.',
  );
}
const requested = values.stacks?.split(',');
const stacks = STACKS.filter(
  (stack) => (requested?.includes(stack.stack) ?? stack.byDefault) && isSetUp(stack),
).map(({ stack }) => stack);

const KINDS = ['root', 'user'] as const;
type Kind = (typeof KINDS)[number];
interface Load {
  kind: Kind;
  pair: number;
  attempt: Observation;
}

const loads: Load[] = [];
for (let pair = 0; pair < Number(values.pairs); pair++) {
  for (const kind of pair % 2 === 0 ? KINDS : KINDS.toReversed()) {
    if (kind === 'root') process.env[KEEPS_ROOT] = '1';
    else delete process.env[KEEPS_ROOT];
    const attempts = await attemptsOf(pageLoad, [
      ...['--sites', values.sites, '--stacks', stacks.join(), '--rtt', values.rtt],
      // The same order in both runs of a pair.
      ...['--repetitions', values.repetitions, '--seed', `${pair + 1}`],
    ]);
    loads.push(...attempts.map((attempt) => ({ kind, pair, attempt })));
  }
}

for (const metric of ['pageLoadMs', 'firstByteMs'] as const) {
  console.log(`\n${metric}: medians in ms, and user / root by pairs of runs`);
  printRow(['stack', 'site', 'rtt ms', 'root', 'user', 'ok', 'ratio', 'ratios of pairs']);
  for (const own of Map.groupBy(loads, cellOf).values()) {
    const [{ attempt }] = own as [Load];
    const ok = own.filter((each) => each.attempt.outcome === 'ok');
    const medianOf = (kind: Kind, pair?: number) => {
      const found = ok.filter((each) => each.kind === kind && (pair ?? each.pair) === each.pair);
      return median(found.map((each) => each.attempt.metrics[metric] ?? Number.NaN));
    };
    const ratios = [...new Set(ok.map(({ pair }) => pair))]
      .map(
        (pair) => (medianOf('user', pair) ?? Number.NaN) / (medianOf('root', pair) ?? Number.NaN),
      )
      .filter(Number.isFinite)
      .sort((a, b) => a - b);
    const logarithm = mean(ratios.map(Math.log));
    printRow([
      attempt.arm,
      attempt.subject,
      String(attempt.network.rttMs),
      fixed(medianOf('root')),
      fixed(medianOf('user')),
      `${ok.length}/${own.length}`,
      fixed(logarithm === null ? null : Math.exp(logarithm), 3),
      `${fixed(ratios[0], 3)} to ${fixed(ratios.at(-1), 3)}`,
    ]);
  }
}

function cellOf({ attempt }: Load): string {
  return `${attempt.arm} ${attempt.subject} ${attempt.network.rttMs}`;
}
