import type { TransferResult } from '../../clients/transfer-client.ts';
import { failed, type Judgement, type Problem } from '../checks.ts';
import { invalidWithArm } from '../measuring.ts';
import { type Arrivals, longestSilenceMs } from './arrivals.ts';
import type { PlannedFlow } from './flows.ts';
import type { CountedSpan } from './sharing.ts';

/** Silence from which a flow is stalled: this part of the counted time, but at least `leastMs`. */
const STALLED = { part: 0.25, leastMs: 2_000 } as const;

export interface FinishedFlow extends PlannedFlow {
  startOrder: number;
  made: TransferResult;
  arrivals: Arrivals;
}

interface FinishedTrial {
  flows: readonly FinishedFlow[];
  span: CountedSpan;
}

/** Judgement of an arm's attempt; null: no flow failed. A failed flow makes the attempts of the remaining arms invalid. */
export function failureOf(failures: ReadonlyMap<string, Problem>, arm: string): Judgement | null {
  const [first] = failures;
  if (!first) return null;
  const own = failures.get(arm);
  return own ? failed(own) : invalidWithArm({ arm: first[0] }, first[1]);
}

/** Failures by arm, of flows or of writing packets. */
export function failuresOf(
  { flows, span }: FinishedTrial,
  unwritten: Problem | null = null,
): Map<string, Problem> {
  const found = flows.flatMap((flow): [string, Problem][] => {
    const failure = failureOfFlow(flow, span);
    return failure ? [[flow.arm, failure]] : [];
  });
  const [first] = flows;
  if (unwritten && found.length === 0 && first) return new Map([[first.arm, unwritten]]);
  return new Map(found);
}

function failureOfFlow(
  { flow, made, arrivals }: FinishedFlow,
  counted: CountedSpan,
): Problem | null {
  if (made.error !== null) {
    return { code: made.error.code, message: `${flow}: ${made.error.reason}` };
  }
  if (made.bodyBytes === 0) {
    return { code: 'stalled', message: `${flow}: no byte of its body arrived.` };
  }
  const forMs = counted.untilMs - counted.fromMs;
  const silentMs = longestSilenceMs({ ...arrivals, series: made.series }, [
    counted.fromMs,
    counted.untilMs,
  ]);
  if (silentMs <= Math.max(STALLED.leastMs, STALLED.part * forMs)) return null;
  return {
    code: 'stalled',
    message: `${flow}: no byte of its body arrived for ${(silentMs / 1000).toFixed(1)} s of ${(forMs / 1000).toFixed(1)} s.`,
  };
}
