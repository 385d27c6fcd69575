import os from 'node:os';
import {
  type Calibration,
  calibratedConditionOf,
  type Spread,
} from '../../ground/records/calibration.ts';
import { quantile } from '../../statistics/quantile.ts';
import { addressOfHost } from '../addresses.ts';
import type { SeededCondition } from '../conditions.ts';
import type { Path } from '../path.ts';
import { burstBytes } from '../udp.ts';
import { type MeasuredDatagrams, type MeasuredRate, type Probe, withProbe } from './probe.ts';

type SpreadName = 'udpRttMs' | 'tcpRttMs' | 'tcpConnectMs' | 'toServerMs' | 'toClientMs';

/** A calibration before its assessment, with the fields that older records lack. */
export type Measurement = Required<Omit<Calibration, 'late' | SpreadName>> &
  Record<SpreadName, Required<Spread>>;

/**
 * Measures the path for a condition that is already applied, without assessing it. Takes about one second without
 * limited rates. If UDP has its own treatment, measures the path without it first, then the treatment.
 * @throws NetworkError if the path carries no packets
 */
export async function calibrate(
  path: Pick<Path, 'agent' | 'apply' | 'backend' | 'isSeeded' | 'mtuBytes' | 'longestPacketBytes'>,
  condition: SeededCondition,
  python: string,
  signal?: AbortSignal,
): Promise<Measurement> {
  const { agent, backend } = path;
  const { udp, ...untreated } = condition;
  const measuredAt = new Date().toISOString();
  const serverEnd = { agent, python, address: addressOfHost(0), signal };
  const { found, treated } = await withProbe(serverEnd, async (probe) => {
    if (udp === undefined) return { found: await probe.measure(condition, path), treated: null };
    await path.apply(untreated);
    const found = await probe.measure(condition, path);
    await path.apply(condition);
    return { found, treated: await measureTreatment(probe, { ...condition, udp }, path) };
  });
  return {
    measuredAt,
    requested: calibratedConditionOf(condition),
    backend,
    linkPriority: backend === 'userspace' ? agent.realtime : null,
    isSeeded: path.isSeeded,
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
    udp: treated,
    loadAverage1m: os.loadavg()[0] ?? 0,
    cores: os.availableParallelism(),
  };
}

/**
 * Unthrottled TCP sends what UDP's rate carries in ten round trips in six or seven: it begins with ten segments, and a round
 * trip holds at most 64 kB.
 */
const TCP_ROUND_TRIPS = 10;
const LEAST_TCP_MS = 500;
const MOST_ROUND_TRIP_BYTES = 64_000;

async function measureTreatment(
  probe: Probe,
  { udp, rttMs }: SeededCondition & Required<Pick<SeededCondition, 'udp'>>,
  path: Pick<Path, 'mtuBytes' | 'longestPacketBytes'>,
): Promise<Measurement['udp']> {
  const burst = burstBytes(udp, path.longestPacketBytes);
  const bytesPerMs = (udp.kbps ?? 0) / 8;
  const throttledMs = Math.max(LEAST_TCP_MS, TCP_ROUND_TRIPS * rttMs);
  const isTcpMeasured = udp.kbps !== null && bytesPerMs * rttMs <= MOST_ROUND_TRIP_BYTES;
  const { toServer, toClient, refusal, tcpKbps } = await probe.treatment(
    {
      kbps: udp.kbps,
      burstBytes: burst,
      tcpBytes: isTcpMeasured ? Math.ceil(burst + bytesPerMs * throttledMs) : null,
    },
    path,
  );
  return { ...udp, toServer: datagrams(toServer), toClient: datagrams(toClient), refusal, tcpKbps };
}

function datagrams({ sent, packets, kbps, offeredKbps }: MeasuredDatagrams) {
  return { sent, packets, kbps, offeredKbps };
}

function pausedPercent(rate: MeasuredRate | null): number | null {
  if (rate === null) return null;
  return rate.durationMs === 0 ? 0 : (100 * rate.pausedMs) / rate.durationMs;
}

export function spreadOf(values: readonly number[]): Required<Spread> {
  const at = (share: number) => {
    const value = quantile(values, share);
    if (value === null) throw new RangeError('no values to describe');
    return value;
  };
  return {
    count: values.length,
    minimum: at(0),
    p25: at(0.25),
    median: at(0.5),
    p90: at(0.9),
    p99: at(0.99),
    maximum: at(1),
  };
}
