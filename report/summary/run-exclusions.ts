import { experimentOf } from '../../experiments/index.ts';
import { isGivenUp } from '../../ground/records/counted-loads.ts';
import type { Observation, Outcome } from '../../ground/records/observation.ts';
import * as s from '../../ground/records/schema.ts';
import { countWithNoun } from '../../kit/text/number.ts';
import { type Block, countedIn } from './blocks.ts';
import { sentenceList } from './fields.ts';

const countByStackSchema = s.map(
  s.count('Loads.'),
  'The same count by stack; stacks without any are not listed.',
);

const load = {
  id: s.name('Of the load.'),
  subject: s.name('The site.'),
  arm: s.name('The stack.'),
};

const exclusionEntrySchema = s.object(
  {
    outcome: s.oneOf<Exclude<Outcome, 'ok'>>(
      ['failed', 'invalid', 'unsupported'],
      'Outcome of the loads.',
    ),
    code: s.text('Why, in one word.'),
    count: s.count('Loads that the statistics exclude for this reason.'),
    countByStack: countByStackSchema,
    warmupCount: s.count(
      'Warm-ups with this outcome and code; these would not have counted anyway.',
    ),
    example: s.object(
      { ...load, message: s.orNull(s.text('Why it is not ok, as a sentence.')) },
      'The first such load, with its message.',
    ),
  },
  'Why loads were excluded: one entry for each outcome and code.',
);

type ExclusionEntry = s.Static<typeof exclusionEntrySchema>;

const blockCountsSchema = s.object(
  {
    nPlanned: s.count('Blocks of the plan.'),
    nWhole: s.count('Whole ones.'),
    nBroken: s.count('Other blocks, including those that were not made; their ok loads count.'),
    nNotMade: s.count(
      'Blocks without any load, because the run ended before or gave all of them up.',
    ),
  },
  'A block is whole when every load that was planned in it is there and ok.',
);

const disturbedSchema = s.object(
  {
    nLoads: s.count('How many.'),
    nCounted: s.count('Of these, in the statistics.'),
    countByStack: countByStackSchema,
    examples: s.list(
      s.object({ ...load, reason: s.text('What was wrong, in sentences.') }, 'A disturbed load.'),
      'The first few.',
    ),
  },
  'Loads that were made while the machine was not quiet: marked and kept. Warm-ups are not among them.',
);

export const runExclusionsSchema = s.object(
  {
    entries: s.list(
      exclusionEntrySchema,
      'Failed before invalid, then the most frequent reason first.',
    ),
    blocks: blockCountsSchema,
    nExcluded: s.count(
      'Ok loads excluded because those of their block were made on several machines, or because they are there twice.',
    ),
    excludedByStack: countByStackSchema,
    disturbed: disturbedSchema,
    remedies: sentenceList('What to do about sites of which no load can be ok.'),
  },
  'Loads that the statistics exclude or flag, and why.',
);

type RunExclusions = s.Static<typeof runExclusionsSchema>;

const EXAMPLES = 5;

export function runExclusionsOf(
  observations: readonly Observation[],
  blocks: readonly Block[],
  remedies: string[],
): RunExclusions {
  const counted = new Set(countedIn(blocks));
  const measured = observations.filter(({ warmup }) => !warmup);
  const excluded = measured.filter((load) => load.outcome === 'ok' && !counted.has(load));
  const nWhole = blocks.filter(({ whole }) => whole).length;
  return {
    entries: entriesOf(observations),
    blocks: {
      nPlanned: blocks.length,
      nWhole,
      nBroken: blocks.length - nWhole,
      nNotMade: blocks.filter(({ made }) => made.every(({ code }) => isGivenUp(code))).length,
    },
    nExcluded: excluded.length,
    excludedByStack: countByStack(excluded),
    disturbed: disturbedOf(measured, counted),
    remedies,
  };
}

function disturbedOf(
  measured: readonly Observation[],
  counted: ReadonlySet<Observation>,
): RunExclusions['disturbed'] {
  const disturbed = measured.filter((load) => load.disturbed !== null);
  return {
    nLoads: disturbed.length,
    nCounted: disturbed.filter((load) => counted.has(load)).length,
    countByStack: countByStack(disturbed),
    examples: disturbed.slice(0, EXAMPLES).map((load) => {
      const { id, subject, arm } = load;
      return { id, subject, arm, reason: load.disturbed ?? '' };
    }),
  };
}

function entriesOf(observations: readonly Observation[]): ExclusionEntry[] {
  const byReason = Map.groupBy(observations, ({ outcome, code }) =>
    JSON.stringify([outcome, code ?? 'unknown']),
  );
  const entries = [...byReason.values()].flatMap((loads): ExclusionEntry[] => {
    const [first] = loads;
    if (!first || first.outcome === 'ok') return [];
    const { outcome, code, id, subject, arm, message } = first;
    const measured = loads.filter(({ warmup }) => !warmup);
    return [
      {
        outcome,
        code: code ?? 'unknown',
        count: measured.length,
        countByStack: countByStack(measured),
        warmupCount: loads.length - measured.length,
        example: { id, subject, arm, message },
      },
    ];
  });
  return entries.sort(
    (a, b) =>
      compare(a.outcome, b.outcome) ||
      b.count - a.count ||
      b.warmupCount - a.warmupCount ||
      compare(a.code, b.code),
  );
}

function countByStack(loads: readonly Observation[]): Record<string, number> {
  const groups = Map.groupBy(loads, ({ arm }) => arm);
  return Object.fromEntries([...groups].map(([arm, found]) => [arm, found.length]));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Expected attempts that the statistics exclude, by reason, as sentences; unsupported ones were not expected. */
export function problemsOf({
  ledger: exclusions,
  experiment,
}: {
  ledger: RunExclusions;
  experiment: string;
}): string[] {
  return exclusions.entries
    .filter(({ outcome }) => outcome !== 'unsupported')
    .map((entry) => entryText(entry, experiment));
}

/** Number of attempts with one outcome and code, with the first of them. */
export function entryText(
  { outcome, code, count, warmupCount, example }: RunExclusions['entries'][number],
  experiment: string,
): string {
  const { attempt } = experimentOf({ experiment });
  const loads = count > 0 ? [countWithNoun(count, ...attempt)] : [];
  const warmups = warmupCount > 0 ? [countWithNoun(warmupCount, 'warm-up')] : [];
  return `${[...loads, ...warmups].join(' and ')} ${outcome}: ${code} (first: ${example.subject}, ${example.arm}: ${example.message ?? 'no message'})`;
}
