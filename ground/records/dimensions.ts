import { UsageError } from '../system/exit-status.ts';
import { CONGESTION_CONTROLS } from './congestion-control.ts';
import type { CsvValue } from './csv-line.ts';
import { BOUNDS, type Bounds, within } from './ranges.ts';
import * as s from './schema.ts';
import { type Trace, type TraceReference, traceSchema } from './trace.ts';

type Reader<T> = (option: string, text: string) => T;

/** Readers of option values, from which each row chooses. */
interface Readers {
  names: Reader<string[]>;
  number(range: Bounds): Reader<number>;
  numbers(range: Bounds): Reader<number[]>;
  wholeNumber(range: Bounds): Reader<number>;
  wholeNumberOr<const T extends string>(
    words: readonly T[],
    range: Bounds,
    unit?: string,
  ): Reader<T | number>;
  severalOf<T extends string>(...words: readonly T[]): Reader<T[]>;
  eachOnce<T extends string | number>(read: Reader<T[]>): Reader<T[]>;
  traces: Reader<Trace[]>;
}

/** A help text may depend on QUIC's initial window in packets. */
type Help = string | ((known: { matchedInitcwnd: number }) => string);

interface NumberFormat {
  countText(value: number): string;
  decimalText(value: number, decimals?: number): string;
}

/** Cells of a CSV line, by column; null: empty. */
export interface Cells {
  number(column: string): number | null;
  text(column: string): string | null;
}

/** A CSV column. Newer columns go to the right. */
interface Column<Value> {
  since: number;
  of(value: Value): CsvValue;
}

/** A dimension of a network condition; `Given` is the type of its parsed option. */
interface Dimension<Value, Given = Value, Calibrated = Readonly<Record<string, s.TSchema>>> {
  /** Neutral value; absent: the field is missing when the option is not set. */
  none?: Value | null;
  /** Heading of tables and charts over its values. */
  noun: string;
  /** Axis of its values; absent: values are words. */
  scale?: {
    unit: string;
    isLog?: true;
    /** Position on the axis; absent: the value of a number, and no position for other values. */
    of?(value: Value | null): number;
  };
  /** Text in a list of values for networks without it. */
  lacking?: string;
  /** Text of a value in a list; absent: the word itself, or the name of the condition. */
  listed?(value: Value, format: NumberFormat): string;
  flag: string;
  argument: string;
  help: Help;
  /** Help of commands that set up one path; null: they lack the option. */
  helpByHand: Help | null;
  conflicts?: readonly string[];
  /** Parses the option to one value for each condition; null: neutral. */
  read(readers: Readers): Reader<Given[]>;
  /**
   * A single value belongs to the run's choices, and no condition has the field; several values belong to
   * conditions. Absent: conditions always have the field.
   */
  ofRun?: true;
  /** Part of a condition's name. */
  name(value: Value): string;
  /** Part of a condition's text; empty: not mentioned. */
  text(value: Value, format: NumberFormat): string;
  /** Text of the neutral value; absent: not mentioned. */
  textOfNone?: string;
  /** Stands next to the delay in texts. */
  isOfDelay?: true;
  columns: Readonly<Record<string, Column<Value>>>;
  /** Parses the value from its columns; undefined: neutral. */
  fromColumns?(cells: Cells): Value | undefined;
  /** Fields of a calibration that record what was requested. */
  calibrated?: Calibrated;
  /** Value of the field in a calibration; absent: the dimension's value. */
  calibratedValue?(value: Value | null): unknown;
  /** Happens during an attempt, so calibration and warm-ups run without it. */
  disturbs?: true;
  /** What is random under the condition. */
  chance?: 'losses' | 'jitter';
  /** Loses packets on purpose. */
  loses?: true;
  /** Clause of an error after "it cannot"; absent: netem supports it. */
  beyondNetem?(value: Value, condition: string): string;
  /**
   * Reference of conditions that differ only in this dimension: the condition without it, or for `usual` the
   * first one if all have it. Absent: they are not compared.
   */
  reference?: 'lacking' | 'usual';
  /** Text in comparisons; absent: as `text`. */
  comparedText?(value: Value | undefined, format: NumberFormat): string;
}

/** Infers a row's type from its schema. */
function dimension<
  Schema extends s.TSchema,
  Given,
  const Flag extends string,
  Calibrated extends Readonly<Record<string, s.TSchema>> = Record<never, never>,
>(
  row: { schema: Schema; flag: Flag } & Dimension<NonNullable<s.Static<Schema>>, Given, Calibrated>,
) {
  return row;
}

/** Gilbert's model has two states; the bad one loses every packet. */
const burstLossSchema = s.object(
  {
    enterPercent: s.number(
      'Chance of each packet to begin a burst, in percent.',
      within(BOUNDS.burstEnterPercent),
    ),
    leavePercent: s.number(
      'Chance of each packet to end it, in percent.',
      within(BOUNDS.burstLeavePercent),
    ),
  },
  "Packets lost in bursts in each direction (Gilbert's model: in a burst all are lost).",
);

export type BurstLoss = s.Static<typeof burstLossSchema>;

/** Share of packets lost in bursts: Gilbert's model spends enter / (enter + leave) of the packets in the bad state. */
export function burstLossPercent(burstLoss: BurstLoss | null): number {
  if (burstLoss === null || burstLoss.enterPercent === 0) return 0;
  const { enterPercent, leavePercent } = burstLoss;
  return (100 * enterPercent) / (enterPercent + leavePercent);
}

const UDP_TREATMENTS = ['blocked', 'rejected', 'throttled'] as const;

export const udpSchema = s.object(
  {
    treatment: s.oneOf(
      UDP_TREATMENTS,
      'blocked: dropped silently; rejected: the sender gets ICMP "administratively prohibited"; throttled: packets beyond kbps are dropped.',
    ),
    kbps: s.orNull(
      s.number('Rate in each direction in kbit/s; null: not throttled.', within(BOUNDS.kbps)),
    ),
  },
  'Treatment of UDP, and so of QUIC, but not of TCP and DNS.',
);

export type UdpTreatment = s.Static<typeof udpSchema>;

const pathEventSchema = s.object(
  {
    kind: s.oneOf(
      ['rebind', 'address', 'cut'],
      "rebind: the client's connections get new ports, as after a NAT timeout; address: new IP address and ports, as when a device changes networks; cut: the client's end loses all packets in both directions for a time, as in a tunnel.",
    ),
    atMs: s.count("Time since the load's first packet, in ms.", within(BOUNDS.eventMs)),
    lastsMs: s.optional(s.count('Duration of a cut, in ms. Absent: no cut.', within(BOUNDS.cutMs))),
  },
  'Path event during an attempt.',
);

export type PathEvent = s.Static<typeof pathEventSchema>;

const INITIAL_WINDOWS = ['stock', 'matched'] as const;

const initialWindowHelp = ({ matchedInitcwnd }: { matchedInitcwnd: number }) =>
  `TCP's initial window: matched (to the stack's QUIC twin, or else to lsquic's ${matchedInitcwnd} packets) or stock (the kernel's)`;

const receiveBufferSchema = s.withType<number | 'stock'>({
  ...s.count(
    "Initial size of TCP's receive buffer at both ends under this condition, in bytes; stock: the kernel's default. Absent: see choices.",
    within(BOUNDS.receiveBufferBytes),
  ),
  type: ['integer', 'string'],
  pattern: '^stock$',
});

const EVENTS: Readonly<Record<PathEvent['kind'], string>> = {
  rebind: 'other client ports',
  address: 'another client address',
  cut: 'a cut',
};

function traceText(
  { name, meanKbps }: TraceReference,
  way: string,
  { countText }: NumberFormat,
): string {
  return `the recorded link ${name} (${countText(Math.round(meanKbps))} kbit/s on average) ${way}`;
}

const BY_RECORDED_LINK = (_: TraceReference, condition: string) =>
  `carry ${condition} by a recorded link (--trace)`;

/**
 * All dimensions of a network condition, by their fields in records. Schema, option, help, condition names,
 * texts, CSV columns, keys, calibration and comparisons derive from these rows, in this order.
 */
const DIMENSIONS = {
  rttMs: dimension({
    schema: s.number(
      'Added delay in ms, both directions together; half of it each way.',
      within(BOUNDS.rttMs),
    ),
    none: 0,
    noun: 'round-trip time',
    scale: { unit: 'ms' },
    flag: 'rtt',
    argument: 'ms,ms',
    help: 'round-trip times to add in ms, a condition for each value',
    helpByHand: 'round-trip time to add in ms (default 0)',
    read: ({ eachOnce, numbers }) => eachOnce(numbers(BOUNDS.rttMs)),
    name: (rttMs) => `${rttMs}ms`,
    text: (rttMs, { decimalText }) => `${decimalText(rttMs)} ms round-trip time added`,
    textOfNone: 'no added delay',
    isOfDelay: true,
    columns: { rtt_ms: { since: 0, of: (rttMs) => rttMs } },
    calibrated: {
      rttMs: s.number('Added delay in ms, both directions together; half of it each way.'),
    },
  }),
  downKbps: dimension({
    schema: s.orNull(
      s.number('Rate towards the client in kbit/s; null: no limit.', within(BOUNDS.kbps)),
    ),
    none: null,
    noun: 'rate towards the client',
    scale: { unit: 'kbit/s', isLog: true },
    lacking: 'no limit',
    flag: 'down',
    argument: 'kbit/s,kbit/s',
    help: 'rates towards the client in kbit/s, a condition for each value (default no limit)',
    helpByHand: 'rate towards the client in kbit/s (default no limit)',
    read: ({ eachOnce, numbers }) => eachOnce(numbers(BOUNDS.kbps)),
    name: (kbps) => `down${kbps}`,
    text: (kbps, { countText }) => `${countText(kbps)} kbit/s down`,
    columns: { down_kbps: { since: 1, of: (kbps) => kbps } },
    fromColumns: (cells) => cells.number('down_kbps') ?? undefined,
    calibrated: {
      downKbps: s.orNull(s.number('Rate towards the client in kbit/s; null: no limit.')),
    },
  }),
  upKbps: dimension({
    schema: s.orNull(
      s.number('Rate towards the servers in kbit/s; null: no limit.', within(BOUNDS.kbps)),
    ),
    none: null,
    noun: 'rate towards the servers',
    scale: { unit: 'kbit/s', isLog: true },
    lacking: 'no limit',
    flag: 'up',
    argument: 'kbit/s,kbit/s',
    help: 'rates towards the servers in kbit/s, likewise (default no limit)',
    helpByHand: 'rate towards the servers in kbit/s (default no limit)',
    read: ({ eachOnce, numbers }) => eachOnce(numbers(BOUNDS.kbps)),
    name: (kbps) => `up${kbps}`,
    text: (kbps, { countText }) => `${countText(kbps)} kbit/s up`,
    columns: { up_kbps: { since: 1, of: (kbps) => kbps } },
    fromColumns: (cells) => cells.number('up_kbps') ?? undefined,
    calibrated: {
      upKbps: s.orNull(s.number('Rate towards the servers in kbit/s; null: no limit.')),
    },
  }),
  trace: dimension({
    schema: s.optional(
      s.withDescription(
        traceSchema,
        'A recorded link towards the client, in place of a rate; absent: none.',
      ),
    ),
    noun: 'recorded link towards the client',
    listed: ({ name }) => name,
    flag: 'trace',
    argument: 'FILE,FILE',
    help: "recorded links towards the client in place of a rate, in Mahimahi's format, a condition for each value: each line of a file is a time in ms at which one full packet may leave, repeated from the start after the last; needs the user-space path (default none)",
    helpByHand:
      "recorded link towards the client in place of a rate, in Mahimahi's format; needs the user-space path (default none)",
    conflicts: ['down'],
    read: ({ traces }) => traces,
    name: ({ name }) => `trace-${name}`,
    text: (trace, format) => traceText(trace, 'down', format),
    columns: {
      trace: { since: 7, of: ({ name }) => name },
      trace_mean_kbps: { since: 7, of: ({ meanKbps }) => meanKbps },
    },
    beyondNetem: BY_RECORDED_LINK,
  }),
  traceUp: dimension({
    schema: s.optional(
      s.withDescription(
        traceSchema,
        'A recorded link towards the servers, in place of a rate; absent: none.',
      ),
    ),
    noun: 'recorded link towards the servers',
    listed: ({ name }) => name,
    flag: 'trace-up',
    argument: 'FILE,FILE',
    help: 'recorded links towards the servers in place of a rate, likewise (default none)',
    helpByHand: 'recorded link towards the servers in place of a rate, likewise (default none)',
    conflicts: ['up'],
    read: ({ traces }) => traces,
    name: ({ name }) => `trace-up-${name}`,
    text: (trace, format) => traceText(trace, 'up', format),
    columns: {
      trace_up: { since: 7, of: ({ name }) => name },
      trace_up_mean_kbps: { since: 7, of: ({ meanKbps }) => meanKbps },
    },
    beyondNetem: BY_RECORDED_LINK,
  }),
  lossPercent: dimension({
    schema: s.number(
      'Random independent packet loss in each direction, in percent.',
      within(BOUNDS.lossPercent),
    ),
    none: 0,
    noun: 'loss each way',
    scale: { unit: '%' },
    flag: 'loss',
    argument: 'a,b',
    help: 'percent of packets lost in each direction, a condition for each value (default 0)',
    helpByHand: 'percent of packets lost in each direction (default 0)',
    read: ({ eachOnce, numbers }) => eachOnce(numbers(BOUNDS.lossPercent)),
    name: (lossPercent) => `loss${lossPercent}`,
    text: (lossPercent, { decimalText }) => `${decimalText(lossPercent)} % loss each way`,
    columns: { loss_percent: { since: 1, of: (lossPercent) => lossPercent } },
    fromColumns: (cells) => cells.number('loss_percent') ?? undefined,
    calibrated: {
      lossPercent: s.percent('Random independent packet loss in each direction, in percent.'),
    },
    chance: 'losses',
    loses: true,
  }),
  jitterMs: dimension({
    schema: s.number(
      'Uniform variation of each packet’s delay in each direction, ± ms; packets may overtake each other.',
      within(BOUNDS.jitterMs),
    ),
    none: 0,
    noun: 'jitter each way',
    scale: { unit: 'ms' },
    flag: 'jitter',
    argument: 'ms,ms',
    help: 'ms by which the delay of each packet varies in each direction, so that packets overtake each other, a condition for each value (default 0)',
    helpByHand:
      'ms by which the delay of each packet varies in each direction, so that packets overtake each other (default 0)',
    read: ({ eachOnce, numbers }) => eachOnce(numbers(BOUNDS.jitterMs)),
    name: (jitterMs) => `jitter${jitterMs}`,
    text: (jitterMs, { decimalText }) =>
      `± ${decimalText(jitterMs)} ms jitter each way, packets overtake each other`,
    isOfDelay: true,
    columns: { jitter_ms: { since: 2, of: (jitterMs) => jitterMs } },
    fromColumns: (cells) => cells.number('jitter_ms') ?? undefined,
    calibrated: {
      jitterMs: s.number('Uniform variation of each packet’s delay in each direction, ± ms.'),
    },
    chance: 'jitter',
    reference: 'usual',
    comparedText: (jitterMs, { decimalText }) =>
      jitterMs ? `± ${decimalText(jitterMs)} ms jitter` : 'no jitter',
  }),
  burstLoss: dimension({
    schema: s.orNull(
      burstLossSchema,
      "Packets lost in bursts in each direction (Gilbert's model: in a burst all are lost); null: none.",
    ),
    none: null,
    noun: 'loss in bursts each way',
    scale: { unit: '%', of: burstLossPercent },
    flag: 'burst-loss',
    argument: '%/%,%/%',
    help: 'loss in bursts, for example 0.4/33: chance in percent that a packet begins a burst, and that it ends one; none: no bursts; a condition for each value (default none)',
    helpByHand:
      'loss in bursts, for example 0.4/33: chance in percent that a packet begins a burst, and that it ends one (default none)',
    read: (readers) => (option, given) => readBursts(readers, option, given),
    name: ({ enterPercent, leavePercent }) => `burst${enterPercent}-${leavePercent}`,
    text: burstText,
    columns: {
      burst_enter_percent: { since: 2, of: ({ enterPercent }) => enterPercent },
      burst_leave_percent: { since: 2, of: ({ leavePercent }) => leavePercent },
    },
    fromColumns(cells) {
      const enterPercent = cells.number('burst_enter_percent');
      const leavePercent = cells.number('burst_leave_percent');
      if (enterPercent === null || leavePercent === null) return undefined;
      return { enterPercent, leavePercent };
    },
    calibrated: {
      burstLossPercent: s.percent(
        'Share of packets lost in the requested bursts, in addition to lossPercent; 0: no bursts.',
      ),
    },
    calibratedValue: burstLossPercent,
    chance: 'losses',
    loses: true,
    reference: 'usual',
    comparedText: (burstLoss, format) =>
      burstLoss ? burstText(burstLoss, format) : 'no losses in bursts',
  }),
  queueBdp: dimension({
    schema: s.optional(
      s.number(
        'Queue size at a limited rate, in multiples of the bandwidth-delay product. Absent: 1 with a round trip of at least 40 ms, and at least ten packets.',
        within(BOUNDS.queueBdp),
      ),
    ),
    noun: 'queue',
    scale: { unit: '× bandwidth-delay product', isLog: true },
    lacking: 'usual',
    flag: 'queue-bdp',
    argument: 'a,b',
    help: 'queue size at a limited rate, in multiples of the bandwidth-delay product of --rtt, 0.05 to 100, a condition for each value (default 1, with a round trip of at least 40 ms)',
    helpByHand:
      'queue size at a limited rate, in multiples of the bandwidth-delay product of --rtt, 0.05 to 100 (default 1, with a round trip of at least 40 ms)',
    read: ({ eachOnce, numbers }) => eachOnce(numbers(BOUNDS.queueBdp)),
    name: (queueBdp) => `queue${queueBdp}`,
    text: (queueBdp, { decimalText }) =>
      `a queue of ${decimalText(queueBdp)} × the bandwidth-delay product`,
    columns: { queue_bdp: { since: 3, of: (queueBdp) => queueBdp } },
    fromColumns: (cells) => cells.number('queue_bdp') ?? undefined,
  }),
  udp: dimension({
    schema: s.optional(udpSchema),
    noun: 'UDP',
    lacking: 'passed',
    listed: ({ treatment, kbps }, { countText }) =>
      kbps === null ? treatment : `${countText(kbps)} kbit/s`,
    flag: 'udp',
    argument: 'a,b',
    help: 'treatment of UDP, and so of QUIC: passed, blocked (dropped silently), rejected (by ICMP), or a rate limit in kbit/s, a condition for each value (default passed)',
    helpByHand:
      'treatment of UDP, and so of QUIC: passed, blocked (dropped silently), rejected (by ICMP), or a rate limit in kbit/s (default passed)',
    read: ({ eachOnce, names, number }) => {
      return (option, given) =>
        eachOnce(names)(option, given).map((word): UdpTreatment | null => {
          if (word === 'passed') return null;
          if (word === 'blocked' || word === 'rejected') return { treatment: word, kbps: null };
          if (/^\d/.test(word))
            return { treatment: 'throttled', kbps: number(BOUNDS.kbps)(option, word) };
          throw new UsageError(
            `--${option} ${given}: expected some of passed, blocked, rejected or a rate in kbit/s, with commas between.`,
          );
        });
    },
    name: ({ treatment, kbps }) => `udp-${treatment}${kbps ?? ''}`,
    text: udpText,
    columns: {
      udp: { since: 4, of: ({ treatment }) => treatment },
      udp_kbps: { since: 4, of: ({ kbps }) => kbps },
    },
    fromColumns(cells) {
      const treatment = UDP_TREATMENTS.find((each) => each === cells.text('udp'));
      return treatment && { treatment, kbps: cells.number('udp_kbps') };
    },
    reference: 'lacking',
    comparedText: (udp, format) => (udp ? udpText(udp, format) : 'UDP passed'),
  }),
  lostPacket: dimension({
    schema: s.optional(
      s.count(
        'Number of the packet towards the client, 1, 2 ..., that is lost once in each attempt. Counted are UDP datagrams and TCP segments, handshakes and retransmissions included, but no bare acknowledgement, SYN or FIN. Absent: no packet is lost by number.',
        within(BOUNDS.lostPacket),
      ),
    ),
    noun: 'lost packet',
    scale: { unit: '' },
    flag: 'lose',
    argument: 'N,N',
    help: 'the N-th packet of an attempt towards the client is lost, counted from 1 without bare acknowledgements of TCP; none: no packet is lost; a condition for each value (default none). Needs the user-space link; a load with fewer packets is invalid',
    // Only an attempt has a defined n-th packet.
    helpByHand: null,
    read: ({ eachOnce, names, wholeNumber }) => {
      return (option, given) =>
        eachOnce(names)(option, given).map((word) =>
          word === 'none' ? null : wholeNumber(BOUNDS.lostPacket)(option, word),
        );
    },
    name: (lostPacket) => `lost${lostPacket}`,
    text: lostPacketText,
    columns: { lost_packet: { since: 6, of: (lostPacket) => lostPacket } },
    fromColumns: (cells) => cells.number('lost_packet') ?? undefined,
    disturbs: true,
    loses: true,
    beyondNetem: (_, condition) =>
      `lose a packet by its number, as condition ${condition} requires (--lose)`,
    reference: 'lacking',
    comparedText: (lostPacket, format) =>
      lostPacket === undefined ? 'none lost on purpose' : lostPacketText(lostPacket, format),
  }),
  event: dimension({
    schema: s.optional(pathEventSchema),
    noun: 'event on the path',
    flag: 'event',
    argument: 'a,b',
    help: "path event at a time since the attempt's first packet: rebind@500ms (new ports for the client's connections), address@500ms (new client address and ports), cut@500ms/1000ms (all packets lost for 1000 ms), none; a condition for each value (default none). Needs the user-space link; a load that ends before its event is invalid",
    // Only an attempt has a defined first packet.
    helpByHand: null,
    read: (readers) => (option, given) => readEvents(readers, option, given),
    name: ({ kind, atMs, lastsMs }) =>
      `${kind}${atMs}${lastsMs === undefined ? '' : `-${lastsMs}`}`,
    text: eventText,
    columns: {
      event: { since: 5, of: ({ kind }) => kind },
      event_at_ms: { since: 5, of: ({ atMs }) => atMs },
      event_lasts_ms: { since: 8, of: ({ lastsMs }) => lastsMs ?? null },
    },
    disturbs: true,
    beyondNetem: ({ kind }, condition) =>
      `${kind === 'cut' ? 'cut the path' : 'change ports or addresses'} during an attempt, as condition ${condition} requires (--event)`,
    reference: 'lacking',
    comparedText: (event, format) => (event ? eventText(event, format) : 'no event on the path'),
  }),
  congestionControl: dimension({
    schema: s.optional(
      s.oneOf(
        [...CONGESTION_CONTROLS, 'matched'],
        'Congestion control requested at both ends under this condition; matched: TCP uses that of its QUIC twin. `arms[].under` has the value of each arm. Absent: see choices.',
      ),
    ),
    noun: 'congestion control',
    flag: 'cc',
    argument: 'NAME,NAME',
    help: 'congestion control of TCP at both ends, and of QUIC servers: cubic, bbr or reno, where kernel and programs support it, or matched (TCP uses that of its QUIC twin); each of several a separate condition (default: cubic, or what a QUIC server without it has)',
    helpByHand:
      'congestion control of TCP at both ends, and of QUIC servers: cubic, bbr or reno, where kernel and programs support it, or matched (TCP uses that of its QUIC twin) (default: cubic, or what a QUIC server without it has)',
    read: ({ severalOf }) => severalOf(...CONGESTION_CONTROLS, 'matched'),
    ofRun: true,
    name: (congestionControl) => `cc-${congestionControl}`,
    text: (congestionControl) => `congestion control ${congestionControl}`,
    columns: { cc: { since: 9, of: (congestionControl) => congestionControl } },
    fromColumns: (cells) =>
      [...CONGESTION_CONTROLS, 'matched' as const].find((each) => each === cells.text('cc')),
    reference: 'usual',
  }),
  initialWindow: dimension({
    schema: s.optional(
      s.oneOf(
        INITIAL_WINDOWS,
        "TCP's initial window under this condition: matched to that of its QUIC twin, or stock (the kernel's). `arms[].under` has the value of each arm. Absent: see choices.",
      ),
    ),
    noun: 'initial window of TCP',
    flag: 'initcwnd',
    argument: 'HOW,HOW',
    help: (known) => `${initialWindowHelp(known)}; each of several a separate condition`,
    helpByHand: initialWindowHelp,
    read: ({ severalOf }) => severalOf(...INITIAL_WINDOWS),
    ofRun: true,
    name: (initialWindow) => `initcwnd-${initialWindow}`,
    text: (initialWindow) =>
      initialWindow === 'stock'
        ? 'the kernel’s initial window of TCP'
        : 'an initial window of TCP as QUIC’s',
    columns: { initcwnd: { since: 9, of: (initialWindow) => initialWindow } },
    fromColumns: (cells) => INITIAL_WINDOWS.find((each) => each === cells.text('initcwnd')),
    reference: 'usual',
  }),
  receiveBuffer: dimension({
    schema: s.optional(receiveBufferSchema),
    noun: 'receive buffer of TCP',
    scale: { unit: 'bytes', isLog: true },
    flag: 'receive-buffer',
    argument: 'SIZE,SIZE',
    help: "initial size of TCP's receive buffer, which limits the data in flight: matched (TCP's first window equals that of Chromium's QUIC), stock (the kernel's), or bytes; each of several a separate condition",
    helpByHand:
      "initial size of TCP's receive buffer, which limits the data in flight: matched (TCP's first window equals that of Chromium's QUIC), stock (the kernel's), or bytes",
    read:
      ({ eachOnce, names, wholeNumberOr }) =>
      (option, given) =>
        eachOnce(names)(option, given).map((word) =>
          wholeNumberOr(['matched', 'stock'], BOUNDS.receiveBufferBytes, 'bytes as ')(option, word),
        ),
    ofRun: true,
    name: (receiveBuffer) =>
      receiveBuffer === 'stock' ? 'buffer-stock' : `buffer${receiveBuffer}`,
    text: (receiveBuffer, { countText }) =>
      receiveBuffer === 'stock'
        ? 'the kernel’s receive buffer of TCP'
        : `a receive buffer of TCP of ${countText(receiveBuffer)} bytes at first`,
    columns: { receive_buffer_bytes: { since: 9, of: (receiveBuffer) => receiveBuffer } },
    fromColumns: (cells) =>
      cells.text('receive_buffer_bytes') === 'stock'
        ? 'stock'
        : (cells.number('receive_buffer_bytes') ?? undefined),
    reference: 'usual',
  }),
  mtuBytes: dimension({
    schema: s.optional(
      s.count(
        'MTU of the path under this condition, in bytes. Absent: see choices.',
        within(BOUNDS.mtuBytes),
      ),
    ),
    noun: 'largest packet',
    scale: { unit: 'bytes', isLog: true },
    flag: 'mtu',
    argument: 'bytes,bytes',
    help: 'largest packet of the path in bytes, 1280 to 65535, each of several a separate condition',
    helpByHand: 'largest packet of the path in bytes, 1280 to 65535',
    read: ({ eachOnce, names, wholeNumber }) => {
      return (option, given) =>
        eachOnce(names)(option, given).map((word) => wholeNumber(BOUNDS.mtuBytes)(option, word));
    },
    ofRun: true,
    name: (mtuBytes) => `mtu${mtuBytes}`,
    text: (mtuBytes, { countText }) => `packets of at most ${countText(mtuBytes)} bytes`,
    columns: { mtu_bytes: { since: 9, of: (mtuBytes) => mtuBytes } },
    fromColumns: (cells) => cells.number('mtu_bytes') ?? undefined,
    reference: 'usual',
  }),
};

/** Parses bursts separated by commas; null: no bursts. Two bare numbers are one burst. */
function readBursts(
  { names, number }: Readers,
  option: string,
  given: string,
): (BurstLoss | null)[] {
  const words = names(option, given);
  const isOne = words.length === 2 && words.every((word) => /^[\d.]+$/.test(word));
  const bursts = isOne ? [words.join('/')] : words;
  const twice = bursts.find((word, index) => bursts.indexOf(word) !== index);
  if (twice !== undefined) {
    throw new UsageError(`--${option} ${given}: ${twice} stands twice. Expected each once.`);
  }
  return bursts.map((word) => {
    if (word === 'none') return null;
    const [enter, leave, ...rest] = word.split('/');
    if (enter === undefined || leave === undefined || rest.length > 0) {
      throw new UsageError(
        `--${option} ${given}: expected two percentages, for example 0.4/33, or several such pairs and none with commas between.`,
      );
    }
    return {
      enterPercent: number(BOUNDS.burstEnterPercent)(option, enter),
      leavePercent: number(BOUNDS.burstLeavePercent)(option, leave),
    };
  });
}

function readEvents(
  { eachOnce, names, wholeNumber }: Readers,
  option: string,
  given: string,
): (PathEvent | null)[] {
  return eachOnce(names)(option, given).map((word) => {
    if (word === 'none') return null;
    const [, moves, cut, ms = '', lasts] =
      /^(?:(rebind|address)|(cut))@(\d+)ms(?:\/(\d+)ms)?$/.exec(word) ?? [];
    const kind = (moves ?? cut) as PathEvent['kind'] | undefined;
    if (kind === undefined || (kind === 'cut') !== (lasts !== undefined)) {
      throw new UsageError(
        `--${option} ${given}: expected none, rebind@MSms, address@MSms or cut@MSms/MSms, with commas between, for example none,rebind@500ms,cut@500ms/1000ms.`,
      );
    }
    const atMs = wholeNumber(BOUNDS.eventMs)(option, ms);
    if (lasts === undefined) return { kind, atMs };
    return { kind, atMs, lastsMs: wholeNumber(BOUNDS.cutMs)(option, lasts) };
  });
}

function burstText(burstLoss: BurstLoss, { decimalText }: NumberFormat): string {
  const { enterPercent, leavePercent } = burstLoss;
  if (enterPercent === 0) return '';
  // Mean of the geometric distribution.
  const length =
    leavePercent > 0 ? ` of ${decimalText(100 / leavePercent, 1)} packets on average` : '';
  return `${decimalText(burstLossPercent(burstLoss), 1)} % lost each way in bursts${length}`;
}

function eventText({ kind, atMs, lastsMs }: PathEvent, { countText }: NumberFormat): string {
  const length = lastsMs === undefined ? '' : ` of ${countText(lastsMs)} ms`;
  return `${EVENTS[kind]}${length} after ${countText(atMs)} ms`;
}

function lostPacketText(lostPacket: number, { countText }: NumberFormat): string {
  return `data packet ${countText(lostPacket)} lost`;
}

function udpText({ treatment, kbps }: UdpTreatment, { countText }: NumberFormat): string {
  return kbps === null
    ? `UDP ${treatment}`
    : `UDP ${treatment} to ${countText(kbps)} kbit/s each way`;
}

type Rows = typeof DIMENSIONS;

export type DimensionField = keyof Rows;

/** A row of any dimension. */
export type AnyDimension = { readonly field: DimensionField } & Dimension<unknown>;

export const DIMENSION_ROWS: readonly AnyDimension[] = Object.entries(DIMENSIONS).map(
  ([field, row]) => ({ ...row, field }) as unknown as AnyDimension,
);

/** Rows by age, oldest first: the order of records, columns and comparisons. */
export const DIMENSION_ROWS_BY_AGE: readonly AnyDimension[] = DIMENSION_ROWS.toSorted(
  (a, b) => ageOf(a) - ageOf(b),
);

function ageOf({ columns }: AnyDimension): number {
  return Math.min(...Object.values(columns).map(({ since }) => since));
}

export const dimensionSchemas = Object.fromEntries(
  DIMENSION_ROWS_BY_AGE.map(({ field }) => [field, DIMENSIONS[field].schema]),
) as { [Field in DimensionField]: Rows[Field]['schema'] };

type FieldOf<Flag extends string> = {
  [Field in DimensionField]: Rows[Field]['flag'] extends Flag ? Field : never;
}[DimensionField];

/** Readers of the options of all dimensions, by flag. */
export type DimensionReaders = {
  [Flag in Rows[DimensionField]['flag']]: ReturnType<Rows[FieldOf<Flag>]['read']>;
};

/** Values of a network's dimensions. */
export type Dimensions = Readonly<Partial<Record<DimensionField, unknown>>>;

/** Dimensions of a network that are not neutral, with their values. */
export function dimensionsOf(
  network: Dimensions,
  rows: readonly AnyDimension[] = DIMENSION_ROWS,
): { row: AnyDimension; value: unknown }[] {
  return rows.flatMap((row) => {
    const value = network[row.field];
    return value === undefined || value === null || value === row.none ? [] : [{ row, value }];
  });
}

/** Position of a network on the axis of a dimension; null: no position. */
export function axisPosition({ field, scale }: AnyDimension, network: Dimensions): number | null {
  const value = network[field] ?? null;
  if (scale?.of) return scale.of(value);
  return scale && typeof value === 'number' ? value : null;
}

type UnionToIntersection<Each> = (Each extends unknown ? (each: Each) => void : never) extends (
  both: infer All,
) => void
  ? All
  : never;

/** Schemas of the requested values in a calibration. */
export const calibratedSchemas = Object.assign(
  {},
  ...DIMENSION_ROWS.map(({ calibrated }) => calibrated),
) as UnionToIntersection<NonNullable<Rows[DimensionField]['calibrated']>>;

/** Requested values in a calibration. */
export function calibratedValues(network: Dimensions) {
  return Object.fromEntries(
    DIMENSION_ROWS.flatMap(({ field, calibrated, calibratedValue = (value) => value }) =>
      Object.keys(calibrated ?? {}).map((name) => [name, calibratedValue(network[field])]),
    ),
  ) as { [Name in keyof typeof calibratedSchemas]: s.Static<(typeof calibratedSchemas)[Name]> };
}

/** A network that changes nothing. */
export const NEUTRAL_DIMENSIONS = Object.fromEntries(
  DIMENSION_ROWS.flatMap(({ field, none }) => (none === undefined ? [] : [[field, none]])),
);

/** Dimensions that lose packets. */
export const LOSS_FIELDS: readonly DimensionField[] = DIMENSION_ROWS.flatMap(({ field, loses }) =>
  loses ? [field] : [],
);

export function losesPackets(network: Dimensions): boolean {
  return dimensionsOf(network).some(({ row }) => row.loses);
}

/** Last version whose columns are in every CSV file; newer columns appear only if a condition uses them. */
const LAST_COMMON_VERSION = 8;

type NetworkColumn = [column: string, of: (network: Dimensions) => CsvValue];

/** CSV columns of a range of versions, each with its value of a network. */
export function dimensionColumns(first: number, last: number): NetworkColumn[] {
  return columnsOf(DIMENSION_ROWS, ({ since }) => since >= first && since <= last);
}

/** Newer columns of dimensions that some of these networks use. */
export function laterColumns(
  networks: readonly Dimensions[],
  last: number = LAST_COMMON_VERSION,
): NetworkColumn[] {
  const rows = DIMENSION_ROWS.filter((row) =>
    networks.some((each) => dimensionsOf(each, [row]).length > 0),
  );
  return columnsOf(rows, ({ since }) => since > last);
}

function columnsOf(
  rows: readonly AnyDimension[],
  isWanted: (column: Column<unknown>) => boolean,
): NetworkColumn[] {
  return rows
    .flatMap(({ field, columns }) =>
      Object.entries(columns).map(([name, column]) => ({ name, field, column })),
    )
    .filter(({ column }) => isWanted(column))
    .toSorted((a, b) => a.column.since - b.column.since)
    .map(({ name, field, column }) => [
      name,
      (network) => {
        const value = network[field];
        return value === undefined || value === null ? null : column.of(value);
      },
    ]);
}

/** Parses dimensions from columns. */
export function dimensionsFromColumns(cells: Cells): Dimensions {
  return Object.fromEntries(
    DIMENSION_ROWS.flatMap(({ field, fromColumns }) => {
      const value = fromColumns?.(cells);
      return value === undefined ? [] : [[field, value]];
    }),
  );
}
