import { networkKeyWithout } from '../../ground/records/network.ts';
import type { Observation } from '../../ground/records/observation.ts';
import { median } from '../../statistics/median.ts';
import { theilSen } from '../../statistics/theil-sen.ts';
import type { RunView } from '../run-view.ts';

type Condition = RunView['conditions'][number];

/** A condition with its measured round-trip time. */
export interface DelayStep {
  condition: Condition;
  /** Median of the measured round-trip times; without any, the planned one. */
  rttMs: number;
}

/** Conditions that differ from the first one only in their delay, the shortest first. */
export function delaySteps(conditions: readonly Condition[]): DelayStep[] {
  const apartFromDelay = ({ network }: Condition) => networkKeyWithout(network, 'rttMs');
  const [first] = conditions;
  if (first === undefined) return [];
  return conditions
    .filter((each) => apartFromDelay(each) === apartFromDelay(first))
    .map((condition) => {
      const measured = condition.rows.flatMap(({ network }) => network.measuredRttMs ?? []);
      return { condition, rttMs: median(measured) ?? condition.network.rttMs };
    })
    .sort((a, b) => a.rttMs - b.rttMs);
}

/** Growth of a part's duration with the round-trip time. */
export interface Growth {
  /** Median duration at each step, in ms; null: no exchange has this part. */
  mediansMs: (number | null)[];
  /** Theil-Sen slope of the medians over the round-trip times, in round trips; null: fewer than two. */
  roundTrips: number | null;
}

export function growthOf(
  attempts: readonly Pick<Observation, 'arm' | 'network' | 'metrics'>[],
  steps: readonly DelayStep[],
  { arm, metric }: { arm: string; metric: string },
): Growth {
  const own = attempts.filter((each) => each.arm === arm);
  const mediansMs = steps.map(({ condition }) =>
    median(
      own
        .filter(({ network }) => network.name === condition.network.name)
        .flatMap(({ metrics }) => metrics[metric] ?? []),
    ),
  );
  const points = steps.flatMap(({ rttMs }, index): [number, number][] => {
    const medianMs = mediansMs[index] ?? null;
    return medianMs === null ? [] : [[rttMs, medianMs]];
  });
  return { mediansMs, roundTrips: theilSen(points)?.slope ?? null };
}
