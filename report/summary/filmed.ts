import { experimentOf } from '../../experiments/index.ts';
import { variantOf } from '../../ground/records/factors.ts';
import type { Observation } from '../../ground/records/observation.ts';
import type { RunRecord } from '../../ground/records/run.ts';
import * as s from '../../ground/records/schema.ts';
import { median } from '../../statistics/median.ts';
import { isOfSame, type PrimaryAnswer } from './comparison.ts';

export const filmedSchema = s.object(
  {
    network: s.name('Name of the network condition.'),
    variant: s.name('Values of the factors.'),
    arm: s.name('The stack.'),
    metric: s.name('Name of the metric.'),
    nLoads: s.count('Filmed loads that are ok and have the metric.'),
    median: s.number('Median of the medians of the sites.'),
  },
  'A metric that filmed loads alone have.',
);

type FilmedSummary = s.Static<typeof filmedSchema>;

/** Medians of the metrics that only filmed loads have, by condition and stack. */
export function filmedOf(
  run: Pick<RunRecord, 'experiment'>,
  filmed: readonly Observation[],
): FilmedSummary[] {
  const ok = filmed.filter(({ outcome }) => outcome === 'ok');
  const cells = Map.groupBy(ok, ({ network, factors, arm }) =>
    JSON.stringify([network.name, variantOf(factors), arm]),
  );
  return [...cells.values()].flatMap((cell) =>
    (experimentOf(run).filmedMetrics ?? []).flatMap(({ name }): FilmedSummary[] => {
      // A page that painted nothing has no value.
      const loads = cell.filter(({ metrics }) => (metrics[name] ?? null) !== null);
      const [first] = loads;
      const bySite = Map.groupBy(loads, ({ subject }) => subject);
      const medians = [...bySite.values()].flatMap(
        (own) => median(own.flatMap(({ metrics }) => metrics[name] ?? [])) ?? [],
      );
      const middle = median(medians);
      if (!first || middle === null) return [];
      const { network, factors, arm } = first;
      return [
        {
          network: network.name,
          variant: variantOf(factors),
          arm,
          metric: name,
          nLoads: loads.length,
          median: middle,
        },
      ];
    }),
  );
}

/** A metric of the filmed loads of an answer's stacks, with its medians. */
export function filmedPairs(
  answer: Pick<PrimaryAnswer, 'network' | 'variant' | 'arm' | 'baseline'>,
  { experiment, filmed }: { experiment: string; filmed: readonly FilmedSummary[] },
) {
  return (experimentOf({ experiment }).filmedMetrics ?? []).flatMap((metric) => {
    const of = (stack: string) =>
      filmed.find(
        (each) => each.metric === metric.name && isOfSame(each, { ...answer, arm: stack }),
      );
    const [own, other] = [of(answer.arm), of(answer.baseline)];
    if (!own || !other) return [];
    return [
      {
        metric,
        medians: { arm: own.median, baseline: other.median },
        nLoads: [own.nLoads, other.nLoads] as const,
      },
    ];
  });
}
