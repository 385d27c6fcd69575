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
    'For tables and file names: none, 30ms, dsl, or made of the numbers. Each name once in a run.',
  ),
  ...dimensionSchemas,
};

/** What the path between client and servers is asked to add and to take. */
export const networkConditionSchema = s.object(
  fields,
  'What the path between client and servers is asked to add and to take.',
);

export type NetworkCondition = s.Static<typeof networkConditionSchema>;

/** What was asked for and nothing else, of a record that may hold more. */
export function conditionFieldsOf(network: NetworkCondition): NetworkCondition {
  return s.fieldsOf(networkConditionSchema, network);
}

/** The same for the same network condition, name and numbers, and only then. */
export function networkKey(network: NetworkCondition): string {
  return keyOf(conditionFieldsOf(network));
}

/** The same for conditions that differ in nothing but their names and these fields, and only then. */
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

/** Fields of a value in the order of their names, wherever it was read. */
function keyOf(network: Partial<NetworkCondition>): string {
  return JSON.stringify(network, (_, value) =>
    typeof value === 'object' && value !== null
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}

/** A condition for what is not to be disturbed in the middle: its calibration, or a load before the one that counts. */
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

/** One of the two ways of a path. */
export type PathDirection = (typeof PATH_DIRECTIONS)[number];

/** The recorded link of a direction; null: there is none. */
export function traceOf(
  { trace, traceUp }: Pick<NetworkCondition, 'trace' | 'traceUp'>,
  direction: PathDirection,
): TraceReference | null {
  return (direction === 'toClient' ? trace : traceUp) ?? null;
}

/** What a direction lets through, of a recorded link on average, in kbit/s; null: no limit. */
export function limitKbps(
  network: Pick<NetworkCondition, 'downKbps' | 'upKbps' | 'trace' | 'traceUp'>,
  direction: PathDirection,
): number | null {
  const rateKbps = direction === 'toClient' ? network.downKbps : network.upKbps;
  return traceOf(network, direction)?.meanKbps ?? rateKbps;
}

export const backendSchema = s.oneOf(
  ['netem', 'userspace', 'live', 'read'],
  "Who makes the path: the Linux kernel's network emulator, or this project's user-space link. live: nobody, attempts go over the machine's own network. read: nobody here, the attempts were read from a file.",
);

export type NetworkBackend = s.Static<typeof backendSchema>;

/** The path itself with nothing added. */
export const NOTHING_ADDED = { name: 'none', ...NEUTRAL_DIMENSIONS } as NetworkCondition;

/** Attempts over the machine's own network: nothing was asked of it. */
export const LIVE_NETWORK: NetworkCondition = { ...NOTHING_ADDED, name: 'live' };

/** Whether a condition is the machine's own network. */
export function isLive({ name }: Pick<NetworkCondition, 'name'>): boolean {
  return name === LIVE_NETWORK.name;
}

/** Whether a run, or its plan, is of hosts that are there already, over the machine's own network: no path is made and no server started. */
export function isLiveRun({ networks }: { networks: readonly Pick<NetworkCondition, 'name'>[] }) {
  return networks.some(isLive);
}

/** The condition of published measurements: whatever lay between their machines and the hosts. */
export const PUBLISHED_NETWORK: NetworkCondition = { ...LIVE_NETWORK, name: 'published' };

/** Whether a condition is one of this bench's own path, and not a network that was there already. */
export function isOwnNetwork(network: Pick<NetworkCondition, 'name'>): boolean {
  return !isLive(network) && network.name !== PUBLISHED_NETWORK.name;
}

/** What the network was asked to be, and what it was. */
export const networkSchema = s.object(
  {
    ...fields,
    backend: backendSchema,
    measuredRttMs: s.orNull(
      s.number(
        "Median round trip of small UDP packets over the path, in ms, measured before the attempts of its round; the path's own time is in it; null: not measured.",
      ),
    ),
  },
  'What the network was asked to be, and what it was.',
);

const directionSchema = s.object(
  {
    packets: s.count('Packets that went over the path.'),
    bytes: s.count('Their bytes, with an Ethernet header of 14 for each packet, as qdiscs count.'),
    lost: s.count('Packets lost because the condition asks for loss; not in packets.'),
    queueDrops: s.count('Packets dropped because the queue was full; not in packets.'),
    udpDropped: s.optional(
      s.count(
        'Packets of UDP that were blocked, rejected or beyond the rate of UDP; not in packets. Older records lack it.',
      ),
    ),
    cut: s.optional(
      s.count(
        'Packets lost because the path was cut; not in packets. Absent: this backend cuts none, or before format 5.9.',
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
        "When the attempt's first packet to a server came, by the machine's monotonic clock, in ms; null: none came.",
      ),
    ),
    happenedAtMs: s.orNull(
      s.number('When it happened, in ms after that packet; null: not before everything had ended.'),
    ),
    changedConnections: s.count('Connections that got another port, or another port and address.'),
    laterConnections: s.count(
      'Connections that the client began after it, or went on with from another port of its own.',
    ),
    forgottenPackets: s.count(
      'Packets for old ports that came after it: dropped without a word. They are in packets.',
    ),
  },
  'What the event did that the condition asks for.',
);

/** What went over the path. */
export const pathCountsSchema = s.object(
  {
    toServer: directionSchema,
    toClient: directionSchema,
    event: s.optional(eventCountsSchema),
    maxLatenessMs: s.orNull(
      s.number(
        'By how many ms the latest packet of either direction left too late; null: this backend does not tell.',
      ),
    ),
    linkCpuMs: s.orNull(
      s.number(
        'Processor time in ms of the program that carries the packets; null: this backend is part of the kernel.',
      ),
    ),
  },
  'What went over the path from the beginning of the attempt to its end.',
);

export type PathCounts = s.Static<typeof pathCountsSchema>;
