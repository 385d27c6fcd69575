import type { Observation, Outcome } from '../../records/observation.ts';
import {
  count,
  list,
  map,
  name,
  object,
  oneOf,
  orNull,
  type Static,
  text,
} from '../../records/schema.ts';
import type { Block } from './blocks.ts';

const countByStackSchema = map(
  count('Loads.'),
  'The same count by stack; stacks without any are left out.',
);

const load = {
  id: name('Of the load.'),
  subject: name('The site.'),
  arm: name('The stack.'),
};

const ledgerEntrySchema = object(
  {
    outcome: oneOf<Exclude<Outcome, 'ok'>>(['failed', 'invalid'], 'What became of the loads.'),
    code: text('Why, in one word.'),
    count: count('Loads left out of the statistics for this reason.'),
    countByStack: countByStackSchema,
    warmupCount: count('Warm-ups with this outcome and code; these would not have counted anyway.'),
    example: object(
      { ...load, message: orNull(text('Why it is not ok, as a sentence.')) },
      'The first such load, with its message.',
    ),
  },
  'Why loads were left out: one entry for each outcome and code.',
);

/** Why loads were left out: one entry for each outcome and code. */
export type LedgerEntry = Static<typeof ledgerEntrySchema>;

const blockCountsSchema = object(
  {
    nPlanned: count('Blocks of the plan.'),
    nWhole: count('Whole ones.'),
    nBroken: count('The others, those that were not made included; what is ok in them counts.'),
    nNotMade: count('Of which not one load was made.'),
  },
  'A block is whole when every load that was planned in it is there and ok.',
);

const disturbedSchema = object(
  {
    nLoads: count('How many.'),
    nCounted: count('Of these, in the statistics.'),
    countByStack: countByStackSchema,
    examples: list(
      object({ ...load, reason: text('What was wrong, in sentences.') }, 'A disturbed load.'),
      'The first few.',
    ),
  },
  'Loads that were made while the machine was not quiet: marked and kept. Warm-ups are not among them.',
);

/** Loads that were made while the machine was not quiet: marked and kept. */
export type DisturbedLoads = Static<typeof disturbedSchema>;

export const ledgerSchema = object(
  {
    entries: list(ledgerEntrySchema, 'Failed before invalid, then the most frequent reason first.'),
    blocks: blockCountsSchema,
    nExcluded: count(
      'Ok loads left out because those of their block were made on several machines, or because they are there twice.',
    ),
    excludedByStack: countByStackSchema,
    disturbed: disturbedSchema,
    remedies: list(text('A sentence.'), 'What to do about sites of which no load can be ok.'),
  },
  'Everything that is not in a statistic, or is there with a mark, and why.',
);

/** Everything that is not in a statistic, or is there with a mark, and why. */
export type Ledger = Static<typeof ledgerSchema>;

const EXAMPLES = 5;

/** Counts what is left out of the statistics, and what is marked. */
export function ledgerOf(
  observations: readonly Observation[],
  blocks: readonly Block[],
  remedies: string[],
): Ledger {
  const counted = new Set(blocks.flatMap(({ loads }) => [...loads.values()]));
  const measured = observations.filter(({ warmup }) => !warmup);
  const excluded = measured.filter((load) => load.outcome === 'ok' && !counted.has(load));
  const nWhole = blocks.filter(({ whole }) => whole).length;
  return {
    entries: entriesOf(observations),
    blocks: {
      nPlanned: blocks.length,
      nWhole,
      nBroken: blocks.length - nWhole,
      nNotMade: blocks.filter(({ made }) => made.length === 0).length,
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
): DisturbedLoads {
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

function entriesOf(observations: readonly Observation[]): LedgerEntry[] {
  const entries = new Map<string, LedgerEntry>();
  for (const load of observations) {
    if (load.outcome === 'ok') continue;
    const code = load.code ?? 'unknown';
    const key = JSON.stringify([load.outcome, code]);
    const { id, subject, arm, message } = load;
    const entry = entries.get(key) ?? {
      outcome: load.outcome,
      code,
      count: 0,
      countByStack: {},
      warmupCount: 0,
      example: { id, subject, arm, message },
    };
    if (load.warmup) entry.warmupCount += 1;
    else {
      entry.count += 1;
      entry.countByStack[arm] = (entry.countByStack[arm] ?? 0) + 1;
    }
    entries.set(key, entry);
  }
  return [...entries.values()].sort(
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
