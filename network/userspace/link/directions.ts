import { parseTraceTimes } from '../../../ground/records/trace.ts';
import { readPlainTextSync } from '../../../ground/system/plain-file.ts';
import type { LinkCounts, LinkDirection } from '../../agent.ts';
import type { compileLink } from './native.ts';

type Native = ReturnType<typeof compileLink>;

/** Directions in the order of their numbers in C. */
export const DIRECTIONS = ['toServer', 'toClient'] as const;

const UDP_TREATMENTS = ['passed', 'blocked', 'rejected', 'throttled'];

interface DirectionStart {
  nowNs: number;
  keepsConnections: boolean;
  captures: boolean;
}

/** Applies settings to a direction, and resets its counts. */
export function beginDirection(
  native: Native,
  name: (typeof DIRECTIONS)[number],
  settings: LinkDirection,
  { nowNs, keepsConnections, captures }: DirectionStart,
): void {
  const { delayMs, jitterMs, rateKbps, traceFile, queueBytes, lossPercent, burstLoss, seed, udp } =
    settings;
  const number = DIRECTIONS.indexOf(name);
  native.begin_direction(number, nowNs, seed, Number(keepsConnections), Number(captures));
  native.set_delay(number, Math.round(delayMs * 1e6), Math.round(jitterMs * 1e6));
  native.set_queue(number, Math.floor(queueBytes));
  native.set_rate(number, rateKbps === null ? 0 : 8e6 / rateKbps);
  if (traceFile !== undefined) {
    const timesMs = timesIn(traceFile);
    native.set_trace(number, timesMs, timesMs.length);
  }
  const { enterPercent, leavePercent } = burstLoss ?? { enterPercent: 0, leavePercent: 100 };
  native.set_loss(number, lossPercent / 100, enterPercent / 100, leavePercent / 100);
  if (udp !== undefined) {
    const { treatment, kbps, burstBytes } = udp;
    const nsPerByte = kbps === null ? 0 : 8e6 / kbps;
    native.treat_udp(number, UDP_TREATMENTS.indexOf(treatment), nsPerByte, burstBytes);
  }
  const numbers = Int32Array.from(settings.losesDataPackets ?? []);
  if (numbers.length > 0) native.lose_data_packets(number, numbers, numbers.length);
}

const timesOfFile = new Map<string, Uint32Array>();

/** Times of a recorded link, read on first use. */
function timesIn(file: string): Uint32Array {
  const timesMs = timesOfFile.get(file) ?? parseTraceTimes(readPlainTextSync(file));
  timesOfFile.set(file, timesMs);
  return timesMs;
}

export function countsOf(
  native: Native,
  name: (typeof DIRECTIONS)[number],
  nowNs: number,
): LinkCounts {
  const counts = new BigInt64Array(7);
  native.count(DIRECTIONS.indexOf(name), nowNs, counts);
  const [packets = 0, bytes = 0, lost = 0, queueDrops = 0, udpDropped = 0, cut = 0, lateNs = 0] =
    Array.from(counts, Number);
  return { packets, bytes, lost, queueDrops, udpDropped, cut, maxLatenessMs: lateNs / 1e6 };
}
