import type { TransferMade } from '../../clients/transferrer.ts';
import type { Trial } from '../../ground/records/run.ts';
import { type CommonObserved, failed, type Judgement, judgedBy, type Problem } from '../checks.ts';
import { notTogether } from '../measuring.ts';
import type { PacketsWritten } from '../packets.ts';
import { type Arrivals, longestSilenceMs } from './arrivals.ts';
import type { PlannedFlow } from './flows.ts';
import type { Counted } from './sharing.ts';

/** A flow of which nothing arrives for so long a part of the counted time, and at least for so long, has stalled. */
const STALLED = { part: 0.25, leastMs: 2_000 } as const;

/** A flow with what its client received of it. */
export interface MadeFlow extends PlannedFlow {
  startOrder: number;
  made: TransferMade;
  arrivals: Arrivals;
}

/** The flows of all arms of a block. */
interface Shared extends CommonObserved {
  flows: readonly MadeFlow[];
  counted: Counted;
  packets: PacketsWritten;
}

/** Whether every flow came to its end, and what the attempt of each arm is: a flow that failed spoils those of all arms. */
export function judgeFlows(
  shared: Shared,
  trial: Pick<Trial, 'network'>,
): { isWhole: boolean; judgementOf(arm: string): Judgement } {
  const failures = failuresOf(shared);
  const [first] = failures;
  if (first === undefined) {
    const judgement = judgedBy([], shared, trial);
    return { isWhole: true, judgementOf: () => judgement };
  }
  return {
    isWhole: false,
    judgementOf(arm) {
      const own = failures.get(arm);
      return own ? failed(own) : notTogether({ arm: first[0] }, first[1]);
    },
  };
}

/** Arms of which a flow failed. */
function failuresOf({ flows, counted, packets }: Shared): Map<string, Problem> {
  const found = flows.flatMap((flow): [string, Problem][] => {
    const failure = failureOf(flow, counted);
    return failure ? [[flow.arm, failure]] : [];
  });
  const [first] = flows;
  if (packets.failure && found.length === 0 && first)
    return new Map([[first.arm, packets.failure]]);
  return new Map(found);
}

function failureOf({ flow, made, arrivals }: MadeFlow, counted: Counted): Problem | null {
  if (made.error !== null) {
    return { code: made.error.code, message: `${flow}: ${made.error.reason}` };
  }
  if (made.bodyBytes === 0) {
    return { code: 'stalled', message: `${flow}: nothing of its body arrived.` };
  }
  const forMs = counted.untilMs - counted.fromMs;
  const silentMs = longestSilenceMs({ ...arrivals, series: made.series }, [
    counted.fromMs,
    counted.untilMs,
  ]);
  if (silentMs <= Math.max(STALLED.leastMs, STALLED.part * forMs)) return null;
  return {
    code: 'stalled',
    message: `${flow}: nothing of its body arrived for ${(silentMs / 1000).toFixed(1)} s of ${(forMs / 1000).toFixed(1)} s.`,
  };
}
