import { runSchema } from '../../ground/records/run.ts';
import * as s from '../../ground/records/schema.ts';
import { looksSchema } from '../../kit/text/end.ts';
import { explanationResultSchema } from '../explanation/schema.ts';
import { ageCheckSchema } from './age.ts';
import { analysisUsedSchema } from './analysis.ts';
import {
  comparisonSchema,
  controlResultSchema,
  primaryAnswerSchema,
  secondaryAnswerSchema,
} from './comparison.ts';
import { conditionChangeSchema } from './condition-change.ts';
import { pairFairnessSchema } from './fairness.ts';
import { sentenceList } from './fields.ts';
import { filmedSchema } from './filmed.ts';
import { SUMMARY_FORMAT_VERSION, siteFactsSchema } from './format.ts';
import { machineSummarySchema } from './machine-summary.ts';
import { mixAnswerSchema } from './mix.ts';
import { networkSummarySchema } from './network.ts';
import { overviewSchema } from './overview.ts';
import { progressSchema } from './progress.ts';
import { recommendationSchema } from './recommendation.ts';
import { summaryRowSchema } from './rows.ts';
import { runExclusionsSchema } from './run-exclusions.ts';
import { sweepSchema } from './sweep.ts';

export const summarySchema = s.object(
  {
    formatVersion: s.constant(SUMMARY_FORMAT_VERSION, 'The version of this format.'),
    runId: s.name('Name of the run.'),
    experiment: s.name('What was measured: page-load ...'),
    startedAt: s.moment(
      'When its first invocation began: of a run by a frozen plan later than in run.json.',
    ),
    seed: s.withDescription(
      runSchema.properties.seed,
      'What every random choice of the run and of its analysis came from.',
    ),
    repetitions: s.count('Planned for each cell.'),
    progress: progressSchema,
    warnings: sentenceList('What the reader should know, as sentences.'),
    analysis: analysisUsedSchema,
    subjects: s.list(siteFactsSchema, 'As planned.'),
    networks: s.list(networkSummarySchema, "One for each network condition, in the plan's order."),
    rows: s.list(
      summaryRowSchema,
      "Sites in the plan's order, within a site the networks, then the visits, then the stacks.",
    ),
    overview: s.list(
      overviewSchema,
      'One for each condition (network x visit), networks first: the stacks side by side, controls apart.',
    ),
    comparisons: s.list(
      comparisonSchema,
      'In the order of the rows; the baseline and the controls are not among the stacks.',
    ),
    primary: s.list(
      primaryAnswerSchema,
      'The answers that the run was made for, one for each condition and stack, in the order of the overview: one family.',
    ),
    ageChecks: s.list(
      ageCheckSchema,
      'One for each primary answer, in their order: whether its ratio depends on the age of server and client.',
    ),
    secondary: s.list(
      secondaryAnswerSchema,
      "The second family: for each of these answers one by each further planned metric (of page loads first and largest contentful paint), without that of the primary answers. Decided once, at the run's end.",
    ),
    mix: s.list(
      mixAnswerSchema,
      'Weighted over the conditions by `analysis.mix`: one for each variant and stack. Empty without a mix.',
    ),
    explanations: s.optional(
      s.list(
        explanationResultSchema,
        'Each explained gain under each condition, over all pages and page by page. Absent without --explain.',
      ),
    ),
    recommendations: s.list(
      recommendationSchema,
      'One for each HTTP/3 stack against its HTTP/2 twin; empty for any other run.',
    ),
    matchedCommand: s.optional(
      s.text(
        'Command of the same comparison of QUIC with TCP with matched transports; absent: they are matched, or not compared.',
      ),
    ),
    filmed: s.list(
      filmedSchema,
      'One for each condition, stack and metric; empty without filmed loads. No other number includes filmed loads.',
    ),
    conditionChanges: s.list(
      conditionChangeSchema,
      'Effect of one change of the condition on each stack, then its difference between a stack and its baseline: every pair of conditions that differ in one thing; secondary, one family.',
    ),
    looks: s.orNull(
      looksSchema,
      'Interim looks at the run, and why it ended; null: its repetitions were fixed.',
    ),
    machines: s.list(
      machineSummarySchema,
      'Every machine that took part; empty when it is not known.',
    ),
    controls: s.list(controlResultSchema, 'Empty without a control.'),
    sweeps: s.list(
      sweepSchema,
      'For conditions that differ in one dimension of the network alone; empty without such.',
    ),
    fairness: s.list(pairFairnessSchema, 'Every pair of stacks; empty where nothing is known.'),
    exclusions: runExclusionsSchema,
  },
  'Counts, statistics and verdicts of a run: every number that its report shows above the level of one load. Times are in ms and unrounded; null: there is no such number.',
);

export type Summary = s.Static<typeof summarySchema>;
