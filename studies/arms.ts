import { differenceEstimate } from '../experiments/estimates.ts';
import type { Observation } from '../ground/records/observation.ts';
import type { Via } from '../ground/records/via.ts';
import { type Estimate, ratioOf } from '../kit/text/estimate.ts';
import type { ReadingOf } from '../report/sections/readings.ts';
import type { ReportView } from '../report/sections/view.ts';

type View = Pick<ReportView, 'counted'>;
type Condition = Pick<ReportView['conditions'][number], 'loads'>;

/** The arm that connects that way; null: none does. */
export function armBy({ run }: Pick<ReportView, 'run'>, via: Via): string | null {
  return run.arms.find((each) => each.via === via && each.controlOf === null)?.arm ?? null;
}

/** By how much a number exceeds another in the attempts of a block: Hodges-Lehmann with its 95 % interval; null: no block has both. */
export function differenceIn(
  view: View,
  condition: Condition,
  late: ReadingOf,
  early: ReadingOf,
): Estimate | null {
  return differenceEstimate(pairsIn(view, condition, late, early).map(([a, b]) => a - b));
}

/** The same as a ratio. */
export function ratioIn(
  view: View,
  condition: Condition,
  late: ReadingOf,
  early: ReadingOf,
): Estimate | null {
  const pairs = pairsIn(view, condition, late, early);
  return ratioOf(differenceEstimate(pairs.map(([a, b]) => Math.log(a / b))));
}

function pairsIn(
  { counted }: View,
  { loads }: Condition,
  late: ReadingOf,
  early: ReadingOf,
): [number, number][] {
  const own = loads.filter(({ id, outcome }) => outcome === 'ok' && counted.has(id));
  const blocks = Map.groupBy(own, ({ subject, block }) => JSON.stringify([subject, block]));
  return [...blocks.values()].flatMap((block): [number, number][] => {
    const [lateValue, earlyValue] = [valueIn(block, late), valueIn(block, early)];
    return lateValue === null || earlyValue === null ? [] : [[lateValue, earlyValue]];
  });
}

function valueIn(block: readonly Observation[], { arm, reading }: ReadingOf): number | null {
  const attempt = block.find((each) => each.arm === arm);
  if (!attempt) return null;
  return typeof reading === 'string' ? (attempt.metrics[reading] ?? null) : reading(attempt);
}
