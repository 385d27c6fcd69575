import type { UdpTreatment } from '../../../ground/records/network.ts';
import type { SeededCondition } from '../../../network/conditions.ts';
import type { PacketSizes, PathOptions } from '../../../network/path.ts';

export const PATH: Omit<PathOptions, 'python'> = {
  hosts: 2,
  congestionControl: 'cubic',
  initcwnd: null,
};

/** The path with nothing added. */
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

/** UDP treatments. */
export const TREATMENTS: readonly UdpTreatment[] = [
  { treatment: 'blocked', kbps: null },
  { treatment: 'rejected', kbps: null },
  { treatment: 'throttled', kbps: 2000 },
];

/** Packets as long as those of loopback. */
export const AS_LOOPBACK: PacketSizes = { mtuBytes: 65_535, offloads: 'on' };

/**
 * Size of the TCP download that compares the backends. Small enough that slow start does not
 * overflow the queue: otherwise the time would depend on whether later packets or a timer detect a
 * drop.
 */
export const DOWNLOAD = { bytes: 80_000, times: 3, rttMs: 120, downKbps: 2000 } as const;
