import os from 'node:os';
import type { Calibration, Spread } from '../../records/calibration.ts';
import { addressOfHost } from '../addresses.ts';
import type { NetworkCondition } from '../conditions.ts';
import type { Path } from '../path.ts';
import { type MeasuredRate, withProbe } from './probe.ts';
import { spreadOf } from './spread.ts';

type SpreadName = 'udpRttMs' | 'tcpRttMs' | 'tcpConnectMs' | 'toServerMs' | 'toClientMs';

/** A calibration that nobody has judged yet; nothing is left out that older records lack. */
export type Measurement = Required<Omit<Calibration, 'late' | SpreadName>> &
  Record<SpreadName, Required<Spread>>;

/**
 * Measures the path as it is now, for a condition that was applied to it before. Takes about one second without
 * limited rates. Judges nothing: judgeCalibration() does.
 * @throws NetworkError when the path does not carry packets at all.
 */
export async function calibrate(
  path: Pick<Path, 'agent' | 'backend' | 'mtuBytes' | 'longestPacketBytes'>,
  condition: NetworkCondition,
  python: string,
  signal?: AbortSignal,
): Promise<Measurement> {
  const { agent, backend } = path;
  const { rttMs, downKbps, upKbps, lossPercent, jitterMs, burstLoss } = condition;
  const measuredAt = new Date().toISOString();
  const found = await withProbe({ agent, python, address: addressOfHost(0), signal }, (probe) =>
    probe.measure(condition, path),
  );
  return {
    measuredAt,
    asked: {
      condition: condition.name,
      rttMs,
      downKbps,
      upKbps,
      lossPercent,
      jitterMs,
      burstLossPercent: burstLoss === null ? 0 : shareLost(burstLoss),
    },
    backend,
    linkPriority: backend === 'userspace' ? agent.realtime : null,
    udpRttMs: spreadOf(found.udpRttMs),
    tcpRttMs: spreadOf(found.tcpRttMs),
    tcpConnectMs: spreadOf(found.tcpConnectMs),
    toServerMs: spreadOf(found.toServerMs),
    toClientMs: spreadOf(found.toClientMs),
    udpProbes: found.udpProbes,
    udpProbesLost: found.udpProbesLost,
    downKbps: found.down?.kbps ?? null,
    upKbps: found.up?.kbps ?? null,
    downOfferedKbps: found.down?.offeredKbps ?? null,
    upOfferedKbps: found.up?.offeredKbps ?? null,
    downPausedPercent: pausedPercent(found.down),
    upPausedPercent: pausedPercent(found.up),
    loadAverage1m: os.loadavg()[0] ?? 0,
    cores: os.availableParallelism(),
  };
}

function pausedPercent(rate: MeasuredRate | null): number | null {
  if (rate === null) return null;
  return rate.durationMs === 0 ? 0 : (100 * rate.pausedMs) / rate.durationMs;
}

/** Gilbert's model spends enter / (enter + leave) of the packets in the state that loses them. */
function shareLost(burstLoss: NonNullable<NetworkCondition['burstLoss']>): number {
  const { enterPercent, leavePercent } = burstLoss;
  return enterPercent === 0 ? 0 : (100 * enterPercent) / (enterPercent + leavePercent);
}
