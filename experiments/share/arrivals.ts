import type { TransferResult } from '../../clients/transfer-client.ts';
import { FLOW_STEP_MS } from './records.ts';

/** Bytes received of a flow, on the common clock of its trial. */
export interface Arrivals {
  /** Request for this flow, in ms since the request for the first flow; endMs likewise. */
  beganMs: number;
  endMs: number;
  /** Bytes received by a time, linearly interpolated. */
  bytesBy(atMs: number): number;
}

/**
 * @param zeroMs request for the first flow, by the machine's monotonic clock
 * @param durationMs duration of the flow, which may include silence after its last byte
 */
export function arrivalsOf(
  { requestedAtMs, lastByteMs, series, error }: TransferResult,
  { zeroMs, durationMs }: { zeroMs: number; durationMs: number },
): Arrivals {
  const beganMs = requestedAtMs - zeroMs;
  const endMs = beganMs + (error === null ? durationMs : (lastByteMs ?? 0));
  const points = [
    { atMs: beganMs, bytes: 0 },
    ...series.map(({ atMs, bytes }) => ({ atMs: beganMs + atMs, bytes })),
  ];
  return {
    beganMs,
    endMs,
    bytesBy(atMs) {
      const after = points.findIndex((point) => point.atMs >= atMs);
      const [before, next] = [points[after - 1], points[after]];
      if (next === undefined) return points.at(-1)?.bytes ?? 0;
      if (before === undefined) return 0;
      const share = (atMs - before.atMs) / (next.atMs - before.atMs);
      return before.bytes + share * (next.bytes - before.bytes);
    },
  };
}

/** Position of each flow in the order of starts, from 1; random for flows without a start gap. */
export function startOrders(flows: readonly Pick<Arrivals, 'beganMs'>[]): number[] {
  const sorted = flows.toSorted((a, b) => a.beganMs - b.beganMs);
  return flows.map((flow) => sorted.indexOf(flow) + 1);
}

/** Bytes of a flow in each step of 100 ms since the request for the first flow. */
export function stepBytesOf({ endMs, bytesBy }: Arrivals): number[] {
  const ends = Array.from(
    { length: Math.ceil(endMs / FLOW_STEP_MS) },
    (_, index) => (index + 1) * FLOW_STEP_MS,
  );
  const rounded = [0, ...ends.map((atMs) => Math.round(bytesBy(atMs)))];
  return ends.map((_, index) => (rounded[index + 1] ?? 0) - (rounded[index] ?? 0));
}

/** The longest time without bytes of a flow, within a span. */
export function longestSilenceMs(
  { beganMs, series }: { beganMs: number; series: TransferResult['series'] },
  [fromMs, untilMs]: readonly [number, number],
): number {
  let [latestMs, bytesBefore, longestMs] = [fromMs, 0, 0];
  for (const { atMs, bytes } of series) {
    const arrivedMs = Math.min(untilMs, beganMs + atMs);
    if (bytes === bytesBefore || arrivedMs < latestMs) {
      bytesBefore = bytes;
      continue;
    }
    longestMs = Math.max(longestMs, arrivedMs - latestMs);
    [latestMs, bytesBefore] = [arrivedMs, bytes];
  }
  return Math.max(longestMs, untilMs - latestMs);
}
