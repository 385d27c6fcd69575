import type { Experiment } from '../../ground/experiment.ts';
import type { CalibrationRecord, Spread } from '../../ground/records/calibration.ts';
import { dimensionsOf } from '../../ground/records/dimensions.ts';
import {
  conditionFieldsOf,
  type DirectionCounts,
  type NetworkCondition,
  networkConditionSchema,
  pathCountsSchema,
} from '../../ground/records/network.ts';
import type { Observation } from '../../ground/records/observation.ts';
import * as s from '../../ground/records/schema.ts';
import { sentences } from '../../kit/text/sentences.ts';
import { quantile } from '../../statistics/quantile.ts';
import { type BackendUsed, backendUsedSchema } from './machines.ts';

const achievedSchema = s.object(
  {
    median: s.number('Median of them.'),
    minimum: s.number('Smallest of them.'),
    maximum: s.number('Largest of them.'),
  },
  'Over the calibrations, each of which is one number: the median of its probes, or its rate.',
);

export type Achieved = s.Static<typeof achievedSchema>;

const treatmentSchema = s.object(
  {
    sent: s.count('Datagrams sent both ways.'),
    arrived: s.count('Of these.'),
    refusals: s.list(
      s.text('Name of an error.'),
      'Errors that the kernel reported to senders, by their names; empty: no errors.',
    ),
    downKbps: s.orNull(achievedSchema, 'Rate of UDP towards the browser in kbit/s; null: none.'),
    upKbps: s.orNull(achievedSchema, 'Rate of UDP towards the servers in kbit/s; null: none.'),
    tcpKbps: s.orNull(
      achievedSchema,
      'Rate in kbit/s at which some round trips of TCP, slow start and all, came to the browser; null: not measured.',
    ),
  },
  'Treatment of UDP as measured, over all calibrations.',
);

const calibrationsSchema = s.object(
  {
    n: s.count('How many there were.'),
    linkPriorities: s.list(
      s.text('A scheduling.'),
      'Every scheduling that the user-space link had, mostly one; empty for netem and without calibrations.',
    ),
    isSeeded: s.orNull(
      s.flag(
        'Whether losses and jitter began anew with the seed of each attempt, so that the arms of a block met the same; null: no losses or jitter, or not recorded.',
      ),
    ),
    udpRttMs: s.orNull(
      achievedSchema,
      "Round trip of small UDP packets in ms, including the path's own time; null: not measured.",
    ),
    tcpRttMs: s.orNull(
      achievedSchema,
      'Round trip of small messages on one TCP connection, in ms; null: not measured.',
    ),
    downKbps: s.orNull(achievedSchema, 'Rate towards the browser in kbit/s; null: not limited.'),
    upKbps: s.orNull(achievedSchema, 'Rate towards the servers in kbit/s; null: not limited.'),
    udpProbes: s.count('Packets sent to measure.'),
    udpProbesLost: s.count('Of these.'),
    treatment: s.orNull(
      treatmentSchema,
      'UDP where it has a treatment of its own; null: no treatment, or not measured.',
    ),
  },
  'All calibrations of one network condition.',
);

const directionSchema = s.object(
  {
    ...pathCountsSchema.properties.toServer.properties,
    lostPercent: s.orNull(
      s.percent(
        'Packets lost on purpose as a share of all that were sent into the path, in percent; null: none was sent.',
      ),
    ),
  },
  'Sums over these loads.',
);

export type DirectionSummary = s.Static<typeof directionSchema>;

const pathSchema = s.object(
  {
    nLoads: s.count('Loads whose packets were counted.'),
    toServer: directionSchema,
    toClient: directionSchema,
    maxLatenessMs: s.orNull(
      s.anyNumber(
        'By how much the latest packet of all these loads left the link too late, in ms; null: not known.',
      ),
    ),
    lateLoads: s.orNull(s.count('Loads with a packet more than 5 ms late; null: not known.')),
  },
  'What the path did to all loads of a network condition together, warm-ups, failed and invalid ones included.',
);

export const networkSummarySchema = s.object(
  {
    ...networkConditionSchema.properties,
    backend: backendUsedSchema,
    calibration: calibrationsSchema,
    path: pathSchema,
  },
  'One network condition: its settings, measurements of the path, and effects on the loads.',
);

export type NetworkSummary = s.Static<typeof networkSummarySchema>;

/** No real path of this delay would make a packet this late. */
const LATE_MS = 5;

export function networkSummaryOf(
  condition: NetworkCondition,
  backend: BackendUsed,
  calibrations: readonly CalibrationRecord[],
  observations: readonly Observation[],
): NetworkSummary {
  return {
    ...conditionFieldsOf(condition),
    backend,
    calibration: {
      ...calibrationSummaryOf(calibrations),
      isSeeded: hasChance(condition) ? isSeeded(calibrations) : null,
    },
    path: pathSummaryOf(observations),
  };
}

/** Whether the losses or delays of a condition are random. */
function hasChance(network: NetworkCondition): boolean {
  return dimensionsOf(network).some(({ row }) => row.chance !== undefined);
}

/** Whether all arms of a block met the same path; false if any calibration had no seed. */
function isSeeded(calibrations: readonly CalibrationRecord[]): boolean | null {
  const known = calibrations.flatMap((calibration) => calibration.isSeeded ?? []);
  return known.length === 0 ? null : known.every((each) => each);
}

/** Warns that losses and jitter differed between the arms of a block; empty: they did not, or it is not known. */
export function unseededWarnings(
  networks: readonly NetworkSummary[],
  [, several]: Experiment['attempt'],
): string[] {
  const names = networks.flatMap(({ name, calibration }) =>
    calibration.isSeeded === false ? [name] : [],
  );
  return sentences(
    names.length > 0 &&
      `Losses and jitter over ${names.join(', ')} had no seed, as netem takes none before Linux 6.6: the ${several} of a block met different ones. That widens intervals, and favours no stack.`,
  );
}

function calibrationSummaryOf(
  calibrations: readonly CalibrationRecord[],
): Omit<NetworkSummary['calibration'], 'isSeeded'> {
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
    treatment: treatmentSummaryOf(calibrations.flatMap(({ udp }) => udp ?? [])),
  };
}

function treatmentSummaryOf(
  seen: readonly NonNullable<CalibrationRecord['udp']>[],
): NetworkSummary['calibration']['treatment'] {
  if (seen.length === 0) return null;
  const both = seen.flatMap(({ toServer, toClient }) => [toServer, toClient]);
  return {
    sent: both.reduce((total, { sent }) => total + sent, 0),
    arrived: both.reduce((total, { packets }) => total + packets, 0),
    refusals: [...new Set(seen.flatMap(({ refusal }) => refusal ?? []))],
    downKbps: achieved(seen.flatMap(({ toClient }) => toClient.kbps ?? [])),
    upKbps: achieved(seen.flatMap(({ toServer }) => toServer.kbps ?? [])),
    tcpKbps: achieved(seen.flatMap(({ tcpKbps }) => tcpKbps ?? [])),
  };
}

function achieved(values: readonly number[]): Achieved | null {
  const [least, middle, most] = [0, 0.5, 1].map((share) => quantile(values, share));
  if (least == null || middle == null || most == null) return null;
  return { median: middle, minimum: least, maximum: most };
}

function pathSummaryOf(observations: readonly Observation[]): NetworkSummary['path'] {
  const paths = observations.flatMap(({ path }) => path ?? []);
  const lateness = paths.flatMap(({ maxLatenessMs }) => maxLatenessMs ?? []);
  return {
    nLoads: paths.length,
    toServer: directionSummaryOf(paths.map(({ toServer }) => toServer)),
    toClient: directionSummaryOf(paths.map(({ toClient }) => toClient)),
    maxLatenessMs: quantile(lateness, 1),
    lateLoads: lateness.length === 0 ? null : lateness.filter((ms) => ms > LATE_MS).length,
  };
}

function directionSummaryOf(counts: readonly DirectionCounts[]): DirectionSummary {
  const sum = (of: keyof DirectionCounts) =>
    counts.reduce((total, count) => total + (count[of] ?? 0), 0);
  const [packets, lost, queueDrops] = [sum('packets'), sum('lost'), sum('queueDrops')];
  const [udpDropped, cut] = [sum('udpDropped'), sum('cut')];
  // Packets that were lost or dropped are not in the number of packets.
  const sent = packets + lost + queueDrops + udpDropped + cut;
  return {
    packets,
    bytes: sum('bytes'),
    lost,
    queueDrops,
    udpDropped,
    cut,
    lostPercent: sent === 0 ? null : (100 * lost) / sent,
  };
}
