import type { UdpTreatment } from '../../../ground/records/network.ts';
import type { SeededCondition } from '../../../network/conditions.ts';
import type { PacketSizes, PathOptions } from '../../../network/path.ts';

export const PATH: Omit<PathOptions, 'python'> = {
  hosts: 2,
  congestionControl: 'cubic',
  initcwnd: null,
};

/** The path as it is, with nothing added. */
export const NOTHING: SeededCondition = {
  name: 'nothing',
  rttMs: 0,
  downKbps: null,
  upKbps: null,
  lossPercent: 0,
  jitterMs: 0,
  burstLoss: null,
  seed: 1,
};

export const DELAYED: SeededCondition = { ...NOTHING, rttMs: 20 };

export const LIMITED: SeededCondition = { ...DELAYED, downKbps: 2000 };

/** What may become of UDP alone. */
export const TREATMENTS: readonly UdpTreatment[] = [
  { treatment: 'blocked', kbps: null },
  { treatment: 'rejected', kbps: null },
  { treatment: 'throttled', kbps: 2000 },
];

/** Packets as long as those of loopback. */
export const AS_LOOPBACK: PacketSizes = { mtuBytes: 65_535, offloads: 'on' };

/**
 * What is fetched over TCP to compare the backends. So little that slow start does not overflow the queue: whether a drop
 * is noticed by later packets or by a timer would decide how long it takes.
 */
export const DOWNLOAD = { bytes: 80_000, times: 3, rttMs: 120, downKbps: 2000 } as const;
