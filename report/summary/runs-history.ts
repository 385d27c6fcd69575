import { networkConditionSchema } from '../../ground/records/network.ts';
import { runSchema } from '../../ground/records/run.ts';
import * as s from '../../ground/records/schema.ts';
import { estimateSchema } from '../../kit/text/estimate.ts';
import { FEWEST_OF_LEVEL } from '../../statistics/level-changes.ts';
import { contrastOfSites } from './contrast.ts';
import { share, siteNames, variant } from './fields.ts';

/** The version of history.json that this code writes; `historySchema` describes it. */
export const HISTORY_FORMAT_VERSION = 1;

const { runId, backend, host, versions } = runSchema.properties;

const changedFactSchema = s.object(
  {
    fact: s.text('Where run.json has it, for example versions.chromium.'),
    before: s.orNull(s.text('As text; null: the run before has no such fact.')),
    after: s.orNull(s.text('As text; null: this run has no such fact.')),
    isOfBench: s.flag(
      'Of the machine, the path, a client or the benchmark: it can change ratios while the servers stay as they were.',
    ),
  },
  'A version, or a fact of the machine or the path, that is not as in the run before.',
);

export type ChangedFact = s.Static<typeof changedFactSchema>;

const historyRunSchema = s.object(
  {
    runId,
    startedAt: s.moment('When its first invocation began.'),
    backend,
    host,
    versions,
    changed: s.list(changedFactSchema, 'Empty in the first run.'),
  },
  'A run of the plan.',
);

export type HistoryRun = s.Static<typeof historyRunSchema>;

const pointSchema = s.object(
  {
    run: s.count('Its place in `runs`, from 0.'),
    ratio: s.orNull(
      estimateSchema,
      'Primary answer of the run, with its 95 % interval from the pairs of this run alone; null: see `excluded`.',
    ),
    nPairs: contrastOfSites.nPairs,
    nFailed: contrastOfSites.nFailed,
    excluded: s.orNull(
      s.text('Why the run has no part in the levels, as a sentence; null: it has.'),
    ),
    isApart: s.flag(
      'Far from the other runs of its level: by more than 3.5 scaled median absolute deviations.',
    ),
  },
  'A run in the history of a stack.',
);

export type HistoryPoint = s.Static<typeof pointSchema>;

const levelSchema = s.object(
  {
    from: s.count('Its first run, by place in `runs`.'),
    to: s.count('Its last run.'),
    nRuns: s.count('Runs with a part in it.'),
    ratio: s.number('Hodges-Lehmann estimate over its runs.'),
    change: s.orNull(
      s.number('This level / the level before.'),
      'This level / the level before; null in the first.',
    ),
    p: s.orNull(
      share('Of the test that found the change; not corrected.'),
      'Of the test that found the change, which ends early if it is clear; null in the first.',
    ),
  },
  'Runs between two changes.',
);

export type HistoryLevel = s.Static<typeof levelSchema>;

const historyQuestionSchema = s.object(
  {
    network: s.withDescription(networkConditionSchema, 'As configured.'),
    variant,
    arm: s.name('Name of the stack.'),
    label: s.text('For people, as the newest run has it.'),
    baseline: s.name('Name of the baseline.'),
    baselineLabel: s.text('For people.'),
    subjects: siteNames('Sites of the ratios: those with a ratio in the most runs.'),
    points: s.list(pointSchema, 'One for each run, in their order.'),
    levels: s.list(levelSchema, 'One without a change; empty without a run that counts.'),
    spread: s.orNull(
      s.object(
        {
          betweenRuns: s.number('Of the runs around their levels.'),
          withinRuns: s.orNull(
            s.number('Expected from the pairs within runs.'),
            'Expected from the pairs within runs: root mean square of standard errors; null: too few pairs.',
          ),
        },
        'Standard deviations of log ratios.',
      ),
      'null: too few runs.',
    ),
  },
  'A stack against its baseline under one condition, over all runs.',
);

export type HistoryQuestion = s.Static<typeof historyQuestionSchema>;

const excludedRunSchema = s.object(
  {
    name: s.text('Name of the run, or of its folder if its files cannot be read or are a copy.'),
    reason: s.text('Why, as sentences.'),
    isNewer: s.flag('It started after all runs of the page.'),
  },
  'A run that is not on the page.',
);

export type ExcludedRun = s.Static<typeof excludedRunSchema>;

export const historySchema = s.object(
  {
    formatVersion: s.constant(HISTORY_FORMAT_VERSION, 'The version of this format.'),
    experiment: s.name('What was measured, in all runs.'),
    metric: s.name('Metric of the ratios, in all runs.'),
    marginPercent: s.number('Band of “same” in the charts.', { exclusiveMinimum: 0 }),
    significance: share('Chance of even one false change, over all questions and runs.'),
    fewestRuns: s.orNull(
      s.count('Runs.'),
      `Runs from which on a change halfway can be found, with this number of questions; null: no number is enough. A level has at least ${FEWEST_OF_LEVEL} runs.`,
    ),
    endsEarly: s.flag('Whether the runs end by a rule.'),
    runs: s.list(historyRunSchema, 'By time.'),
    excluded: s.list(excludedRunSchema, 'By name.'),
    questions: s.list(historyQuestionSchema, 'Conditions and stacks, in the order of the plan.'),
  },
  'Runs of one plan, in the order of time. Ratios are the metric of verdicts of a stack / of the baseline. Nothing is rounded; null: there is no such number.',
);

/** Contents of history.json. */
export type RunsHistory = s.Static<typeof historySchema>;
