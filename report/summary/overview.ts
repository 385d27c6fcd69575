import { conditionText } from '../../experiments/condition.ts';
import type { Metric } from '../../ground/experiment.ts';
import { networkConditionSchema } from '../../ground/records/network.ts';
import type { PlannedArm } from '../../ground/records/run.ts';
import * as s from '../../ground/records/schema.ts';
import { median } from '../../statistics/median.ts';
import { variant } from './fields.ts';
import { type ConditionRows, rowsBySite } from './rows.ts';
import { mediansOf, processorUseSchema } from './use.ts';

const stackOverviewSchema = s.object(
  {
    arm: s.name('The stack.'),
    label: s.text('For tables.'),
    n: s.count('Counted loads over those sites.'),
    medianOfSiteMedians: s.orNull(
      s.number(
        "The median over the sites of each site's median of the metric of verdicts, in its unit; null without sites.",
      ),
    ),
    processor: s.withDescription(
      processorUseSchema,
      'Processor use and pressure of its loads, in the same way.',
    ),
  },
  'A stack over the sites of a condition.',
);

export const overviewSchema = s.object(
  {
    network: networkConditionSchema,
    variant,
    conditionText: s.text(
      "The condition in words: the network's numbers, and the visit where it is not cold.",
    ),
    nSites: s.count(
      'Sites with at least one counted load on every stack: only these are in the numbers below.',
    ),
    arms: s.list(stackOverviewSchema, 'The stacks side by side, controls apart.'),
  },
  'One condition over all its sites: medians only; the comparisons are in `primary`.',
);

export type Overview = s.Static<typeof overviewSchema>;

export function overviewOf(
  plannedStacks: readonly PlannedArm[],
  { condition, rows, ...of }: ConditionRows,
  metric: Metric,
): Overview {
  const arms = plannedStacks.filter(
    ({ arm, controlOf }) => controlOf === null && rows.some((row) => row.arm === arm),
  );
  const subjects = [...rowsBySite(rows).values()]
    .map((siteRows) => new Map(siteRows.map((row) => [row.arm, row])))
    .filter((subject) =>
      arms.every(({ arm }) => subject.get(arm)?.metrics[metric.name]?.median != null),
    );
  return {
    network: { ...condition },
    variant: of.variant,
    conditionText: conditionText(condition, of.variant),
    nSites: subjects.length,
    arms: arms.map(({ arm, label }) => ({
      arm,
      label,
      n: subjects.reduce((sum, subject) => sum + (subject.get(arm)?.n ?? 0), 0),
      medianOfSiteMedians: median(
        subjects.flatMap((subject) => subject.get(arm)?.metrics[metric.name]?.median ?? []),
      ),
      processor: mediansOf(subjects.flatMap((subject) => subject.get(arm)?.processor ?? [])),
    })),
  };
}
