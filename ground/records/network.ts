import { DIMENSION_ROWS, dimensionSchemas, NEUTRAL_DIMENSIONS } from './dimensions.ts';
import * as s from './schema.ts';
import type { TraceReference } from './trace.ts';

export {
  type BurstLoss,
  burstLossPercent,
  type PathEvent,
  type UdpTreatment,
  udpSchema,
} from './dimensions.ts';

const fields = {
  name: s.fileName(
    'For tables and file names: none, 30ms, dsl, or derived from the numbers. Unique in a run.',
  ),
  ...dimensionSchemas,
};

export const networkConditionSchema = s.object(
  fields,
  'Requested properties of the path between client and servers.',
);

export type NetworkCondition = s.Static<typeof networkConditionSchema>;

/** The condition's fields of a record that may have more. */
export function conditionFieldsOf(network: NetworkCondition): NetworkCondition {
  return s.fieldsOf(networkConditionSchema, network);
}

/** Key of a network condition, by name and numbers. */
export function networkKey(network: NetworkCondition): string {
  return keyOf(conditionFieldsOf(network));
}

/** Key of a network condition without its name and these fields. */
export function networkKeyWithout(
  network: NetworkCondition,
  ...fields: Exclude<keyof NetworkCondition, 'name'>[]
): string {
  const excluded = ['name', ...fields];
  const rest = Object.entries(conditionFieldsOf(network)).filter(
    ([field]) => !excluded.includes(field),
  );
  return keyOf(Object.fromEntries(rest));
}

/** Independent of the order of fields. */
function keyOf(network: Partial<NetworkCondition>): string {
  return JSON.stringify(network, (_, value) =>
    typeof value === 'object' && value !== null
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}

/** The condition without path events and lost packets, for calibrations and preparatory loads. */
export function withoutDisturbances<Condition extends NetworkCondition>(
  condition: Condition,
): Condition {
  const disturbing: string[] = DIMENSION_ROWS.flatMap(({ field, disturbs }) =>
    disturbs ? [field] : [],
  );
  const rest = Object.entries(condition).filter(([field]) => !disturbing.includes(field));
  return Object.fromEntries(rest) as Condition;
}

export const PATH_DIRECTIONS = ['toServer', 'toClient'] as const;

export type PathDirection = (typeof PATH_DIRECTIONS)[number];

/** Recorded link of a direction; null: none. */
export function traceOf(
  { trace, traceUp }: Pick<NetworkCondition, 'trace' | 'traceUp'>,
  direction: PathDirection,
): TraceReference | null {
  return (direction === 'toClient' ? trace : traceUp) ?? null;
}

/** Rate limit of a direction in kbit/s, for a recorded link its mean; null: no limit. */
export function limitKbps(
  network: Pick<NetworkCondition, 'downKbps' | 'upKbps' | 'trace' | 'traceUp'>,
  direction: PathDirection,
): number | null {
  const rateKbps = direction === 'toClient' ? network.downKbps : network.upKbps;
  return traceOf(network, direction)?.meanKbps ?? rateKbps;
}

export const backendSchema = s.oneOf(
  ['netem', 'userspace', 'live', 'read'],
  "netem: the Linux kernel's network emulator; userspace: this project's user-space link; live: the machine's own network without emulation; read: the attempts were imported from a file.",
);

export type NetworkBackend = s.Static<typeof backendSchema>;

/** The path without emulation. */
export const NOTHING_ADDED = { name: 'none', ...NEUTRAL_DIMENSIONS } as NetworkCondition;

/** The machine's own network without emulation. */
export const LIVE_NETWORK: NetworkCondition = { ...NOTHING_ADDED, name: 'live' };

export function isLive({ name }: Pick<NetworkCondition, 'name'>): boolean {
  return name === LIVE_NETWORK.name;
}

/** Whether a run measures existing hosts over the machine's own network, without a path and servers of its own. */
export function isLiveRun({ networks }: { networks: readonly Pick<NetworkCondition, 'name'>[] }) {
  return networks.some(isLive);
}

/** Condition of published measurements, over unknown networks. */
export const PUBLISHED_NETWORK: NetworkCondition = { ...LIVE_NETWORK, name: 'published' };

/** Whether the path is emulated by this project. */
export function isOwnNetwork(network: Pick<NetworkCondition, 'name'>): boolean {
  return !isLive(network) && network.name !== PUBLISHED_NETWORK.name;
}

export const networkSchema = s.object(
  {
    ...fields,
    backend: backendSchema,
    measuredRttMs: s.orNull(
      s.number(
        'Median round trip of small UDP packets over the path in ms, measured before the attempts of its round and including the latency of the path itself; null: not measured.',
      ),
    ),
  },
  'Requested network condition, and how it was realised.',
);

const directionSchema = s.object(
  {
    packets: s.count('Packets that went over the path.'),
    bytes: s.count('Their bytes, with 14 bytes of Ethernet header each, as qdiscs count.'),
    lost: s.count('Packets lost on purpose; not in packets.'),
    queueDrops: s.count('Packets dropped because the queue was full; not in packets.'),
    udpDropped: s.optional(
      s.count(
        'UDP packets that were blocked, rejected or beyond the rate of UDP; not in packets. Older records lack it.',
      ),
    ),
    cut: s.optional(
      s.count(
        'Packets lost because the path was cut; not in packets. Absent: not supported by the backend, or before format 5.9.',
      ),
    ),
  },
  'Counts of one direction.',
);

export type DirectionCounts = s.Static<typeof directionSchema>;

const eventCountsSchema = s.object(
  {
    firstPacketMs: s.orNull(
      s.number(
        "When the attempt's first packet to a server arrived, by the machine's monotonic clock, in ms; null: no packet.",
      ),
    ),
    happenedAtMs: s.orNull(
      s.number(
        'When the event happened, in ms after that packet; null: the attempt ended before it.',
      ),
    ),
    changedConnections: s.count('Connections that got a new port, or a new port and address.'),
    laterConnections: s.count(
      'Connections that the client began after the event, or continued from another port of its own.',
    ),
    forgottenPackets: s.count(
      'Packets for old ports after the event, dropped silently. They are in packets.',
    ),
  },
  "Effect of the condition's path event.",
);

export const pathCountsSchema = s.object(
  {
    toServer: directionSchema,
    toClient: directionSchema,
    event: s.optional(eventCountsSchema),
    maxLatenessMs: s.orNull(
      s.number(
        'Maximum lateness of a packet in either direction, in ms; null: not reported by the backend.',
      ),
    ),
    linkCpuMs: s.orNull(
      s.number('Processor time of the user-space link, in ms; null: the path is in the kernel.'),
    ),
  },
  'Traffic over the path during the attempt.',
);

export type PathCounts = s.Static<typeof pathCountsSchema>;
