import type { LinkSample } from '../../ground/records/link-sample.ts';
import { limitKbps, type NetworkCondition } from '../../ground/records/network.ts';
import { queueBytes } from '../../network/queue.ts';
import { median } from '../../statistics/median.ts';
import { FLOW_STEP_MS, type SharingDetails } from './records.ts';
import type { CountedSpan } from './sharing.ts';

interface QueueObservation {
  queue: SharingDetails['queue'];
  /** Median delay of the queue in the counted time, in ms. */
  queueMs: number | null;
}

/**
 * @param samples of the link; null: not reported by the backend
 * @param zeroMs request for the first flow, by the machine's monotonic clock
 */
export function queueOf(
  samples: readonly LinkSample[] | null,
  { network, longestPacketBytes }: { network: NetworkCondition; longestPacketBytes: number },
  { zeroMs, counted }: { zeroMs: number; counted: CountedSpan },
): QueueObservation {
  if (samples === null || limitKbps(network, 'toClient') === null)
    return { queue: null, queueMs: null };
  const steps = samples
    .map(({ atMs, toClient: { mostQueuedBytes, mostWaitMs } }) => ({
      atMs: atMs - zeroMs,
      bytes: mostQueuedBytes,
      waitMs: mostWaitMs,
    }))
    .filter(({ atMs }) => atMs >= 0 && atMs < counted.untilMs);
  const byStep = Map.groupBy(steps, ({ atMs }) => Math.floor(atMs / FLOW_STEP_MS));
  const stepMs = Array.from({ length: Math.max(0, ...byStep.keys()) + 1 }, (_, step) =>
    Math.max(0, ...(byStep.get(step) ?? []).map(({ waitMs }) => waitMs)),
  );
  return {
    queue: {
      setBytes: queueBytes(network, 'toClient', longestPacketBytes),
      mostBytes: Math.max(0, ...steps.map(({ bytes }) => bytes)),
      stepMs,
    },
    queueMs: median(steps.flatMap(({ atMs, waitMs }) => (atMs >= counted.fromMs ? [waitMs] : []))),
  };
}
