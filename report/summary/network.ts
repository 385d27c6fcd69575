import type { CalibrationRecord, Spread } from '../../records/calibration.ts';
import type { AskedNetwork, DirectionCounts } from '../../records/network.ts';
import type { Observation } from '../../records/observation.ts';
import { maximum } from '../../statistics/maximum.ts';
import { median } from '../../statistics/median.ts';
import { minimum } from '../../statistics/minimum.ts';
import { askedOf } from './condition.ts';
import type { BackendUsed } from './machines.ts';

/** One network condition: what was asked for, what the path was measured to be, and what it did to the loads. */
export interface NetworkSummary extends AskedNetwork {
  backend: BackendUsed;
  calibration: CalibrationSummary;
  path: PathSummary;
}

/** All calibrations of one network condition. */
export interface CalibrationSummary {
  /** How many there were. */
  n: number;
  /** Every scheduling that the user-space link had, mostly one; empty for netem and without calibrations. */
  linkPriorities: string[];
  /** Round trip of small UDP packets; the path's own time is in it. */
  udpRttMs: Achieved | null;
  /** Round trip of small messages on one TCP connection. */
  tcpRttMs: Achieved | null;
  /** Rate towards the browser; null where none was asked for. */
  downKbps: Achieved | null;
  /** Rate towards the servers; null where none was asked for. */
  upKbps: Achieved | null;
  udpProbes: number;
  udpProbesLost: number;
}

/** Over the calibrations, each of which is one number: the median of its probes, or its rate. */
export interface Achieved {
  median: number;
  minimum: number;
  maximum: number;
}

/** What the path did to all loads of a network condition together, warm-ups, failed and invalid ones included. */
export interface PathSummary {
  /** Loads whose packets were counted. */
  nLoads: number;
  toServer: DirectionSummary;
  toClient: DirectionSummary;
  /** By how much the latest packet of all these loads left the link too late; null: not told. */
  maxLatenessMs: number | null;
  /** Loads with a packet more than 5 ms late; null: not told. */
  lateLoads: number | null;
}

/** A packet so late is later than a real path of this delay would make it. */
const LATE_MS = 5;

export interface DirectionSummary extends DirectionCounts {
  /** Packets lost on purpose as a share of all that were sent into the path; null: none was sent. */
  lostPercent: number | null;
}

/** Puts together what is known about one network condition. */
export function networkSummaryOf(
  condition: AskedNetwork,
  backend: BackendUsed,
  calibrations: readonly CalibrationRecord[],
  observations: readonly Observation[],
): NetworkSummary {
  return {
    ...askedOf(condition),
    backend,
    calibration: calibrationSummaryOf(calibrations),
    path: pathSummaryOf(observations),
  };
}

function calibrationSummaryOf(calibrations: readonly CalibrationRecord[]): CalibrationSummary {
  const medians = (spreadOf: (calibration: CalibrationRecord) => Spread) =>
    achieved(calibrations.map((calibration) => spreadOf(calibration).median));
  const sum = (of: (calibration: CalibrationRecord) => number) =>
    calibrations.reduce((total, calibration) => total + of(calibration), 0);
  const priorities = calibrations.flatMap(({ linkPriority }) => linkPriority ?? []);
  return {
    n: calibrations.length,
    linkPriorities: [...new Set(priorities)],
    udpRttMs: medians(({ udpRttMs }) => udpRttMs),
    tcpRttMs: medians(({ tcpRttMs }) => tcpRttMs),
    downKbps: achieved(calibrations.flatMap(({ downKbps }) => downKbps ?? [])),
    upKbps: achieved(calibrations.flatMap(({ upKbps }) => upKbps ?? [])),
    udpProbes: sum(({ udpProbes }) => udpProbes),
    udpProbesLost: sum(({ udpProbesLost }) => udpProbesLost),
  };
}

function achieved(values: readonly number[]): Achieved | null {
  const [middle, least, most] = [median(values), minimum(values), maximum(values)];
  if (middle === null || least === null || most === null) return null;
  return { median: middle, minimum: least, maximum: most };
}

function pathSummaryOf(observations: readonly Observation[]): PathSummary {
  const paths = observations.flatMap(({ path }) => path ?? []);
  const lateness = paths.flatMap(({ maxLatenessMs }) => maxLatenessMs ?? []);
  return {
    nLoads: paths.length,
    toServer: directionSummaryOf(paths.map(({ toServer }) => toServer)),
    toClient: directionSummaryOf(paths.map(({ toClient }) => toClient)),
    maxLatenessMs: maximum(lateness),
    lateLoads: lateness.length === 0 ? null : lateness.filter((ms) => ms > LATE_MS).length,
  };
}

function directionSummaryOf(counts: readonly DirectionCounts[]): DirectionSummary {
  const sum = (of: keyof DirectionCounts) => counts.reduce((total, count) => total + count[of], 0);
  const [packets, lost, queueDrops] = [sum('packets'), sum('lost'), sum('queueDrops')];
  // Packets that were lost or dropped are not among those that went over the path.
  const sent = packets + lost + queueDrops;
  return {
    packets,
    bytes: sum('bytes'),
    lost,
    queueDrops,
    lostPercent: sent === 0 ? null : (100 * lost) / sent,
  };
}
