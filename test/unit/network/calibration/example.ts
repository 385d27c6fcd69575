import type { Spread } from '../../../../ground/records/calibration.ts';
import type { Measurement } from '../../../../network/calibration/calibrate.ts';
import { NOTHING_ADDED, type SeededCondition } from '../../../../network/conditions.ts';

/** A condition that adds nothing but these values. */
export function conditionOf(parts: Partial<SeededCondition>): SeededCondition {
  return { ...NOTHING_ADDED, name: 'example', seed: 1, ...parts };
}

/** 50 typical probes around a median on an idle machine. */
export function spreadAround(median: number, parts: Partial<Spread> = {}): Required<Spread> {
  return {
    count: 50,
    minimum: median - 0.1,
    p25: median - 0.05,
    median,
    p90: median + 0.2,
    p99: median + 0.6,
    maximum: median + 1,
    ...parts,
  };
}

/** A calibration of a quiet machine with this constant round trip. */
export function calibrationOf(rttMs: number, parts: Partial<Measurement> = {}): Measurement {
  return {
    measuredAt: '2026-11-20T20:00:00.000Z',
    requested: {
      condition: 'example',
      rttMs: 0,
      downKbps: null,
      upKbps: null,
      lossPercent: 0,
      jitterMs: 0,
      burstLossPercent: 0,
    },
    backend: 'userspace',
    linkPriority: 'fifo',
    isSeeded: true,
    udpRttMs: spreadAround(rttMs),
    tcpRttMs: spreadAround(rttMs, { count: 20 }),
    tcpConnectMs: spreadAround(rttMs, { count: 5 }),
    toServerMs: spreadAround(rttMs / 2),
    toClientMs: spreadAround(rttMs / 2),
    udpProbes: 50,
    udpProbesLost: 0,
    downKbps: null,
    upKbps: null,
    downOfferedKbps: null,
    upOfferedKbps: null,
    downPausedPercent: null,
    upPausedPercent: null,
    udp: null,
    loadAverage1m: 0.3,
    cores: 2,
    ...parts,
  };
}
