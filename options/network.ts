import type { BurstLoss, PathEvent, UdpTreatment } from '../records/network.ts';
import { UsageError } from '../system/exit-status.ts';
import { OPTION_DEFAULTS } from './defaults.ts';
import { eachOnce, names, number, numbers, oneOf, wholeNumber, wholeNumberOr } from './readers.ts';
import { line, optionGroup, type Reader } from './row.ts';
import { traces } from './traces.ts';

/** Options that describe a condition of one's own, as --network names one. */
export const NUMBERED = [
  'rtt',
  'down',
  'up',
  'trace',
  'trace-up',
  'loss',
  'jitter',
  'burst-loss',
  'queue-bdp',
  'udp',
  'lose',
  'event',
] as const;

const KBPS: [least: number, most: number] = [64, 10_000_000];

/** Two percentages: of a packet to begin a burst, and to end one. */
const burstLoss: Reader<BurstLoss> = (option, given) => {
  const [enter, leave, ...rest] = names(option, given);
  if (enter === undefined || leave === undefined || rest.length > 0) {
    throw new UsageError(`--${option} ${given}: expected two percentages, for example 0.4,33.`);
  }
  return {
    enterPercent: number([0, 100])(option, enter),
    leavePercent: number([1, 100])(option, leave),
  };
};

/** Treatments of UDP with commas between; null: as all packets are treated. */
const udpTreatments: Reader<(UdpTreatment | null)[]> = (option, given) =>
  eachOnce(names)(option, given).map((word) => {
    if (word === 'passed') return null;
    if (word === 'blocked' || word === 'rejected') return { treatment: word, kbps: null };
    if (/^\d/.test(word)) return { treatment: 'throttled', kbps: number(KBPS)(option, word) };
    throw new UsageError(
      `--${option} ${given}: expected some of passed, blocked, rejected or a rate in kbit/s, with commas between.`,
    );
  });

/** An event can be no later: the longest that an attempt may take. */
const MOST_EVENT_MS = 3_600_000;

/** Events with commas between; null: none. */
const events: Reader<(PathEvent | null)[]> = (option, given) =>
  eachOnce(names)(option, given).map((word) => {
    if (word === 'none') return null;
    const [, moves, cut, ms = '', lasts] =
      /^(?:(rebind|address)|(cut))@(\d+)ms(?:\/(\d+)ms)?$/.exec(word) ?? [];
    const kind = (moves ?? cut) as PathEvent['kind'] | undefined;
    if (kind === undefined || (kind === 'cut') !== (lasts !== undefined)) {
      throw new UsageError(
        `--${option} ${given}: expected none, rebind@MSms, address@MSms or cut@MSms/MSms, with commas between, for example none,rebind@500ms,cut@500ms/1000ms.`,
      );
    }
    const atMs = wholeNumber([0, MOST_EVENT_MS])(option, ms);
    if (lasts === undefined) return { kind, atMs };
    return { kind, atMs, lastsMs: wholeNumber([1, MOST_EVENT_MS])(option, lasts) };
  });

const MOST_PACKET = 1_000_000;

/** Numbers of packets with commas between; null: none. */
const lostPackets: Reader<(number | null)[]> = (option, given) =>
  eachOnce(names)(option, given).map((word) =>
    word === 'none' ? null : wholeNumber([1, MOST_PACKET])(option, word),
  );

export function rttHelp(byDefaultMs: readonly number[]): string {
  return `round-trip times to add in ms, each a separate condition (default ${byDefaultMs.join()})`;
}

/** What the path between browser and servers is to be. */
export const NETWORK_OPTIONS = optionGroup('The network', 'plan', {
  rtt: {
    argument: 'ms,ms',
    help: rttHelp(OPTION_DEFAULTS.rttMs),
    read: eachOnce(numbers([0, 10_000])),
    said: line('Network conditions', ({ networks }) => networks.map(({ name }) => name).join(', ')),
  },
  down: {
    argument: 'kbit/s',
    help: 'rate towards the client in kbit/s, under every condition of --rtt (default no limit)',
    read: number(KBPS),
    said: { by: 'rtt' },
  },
  up: {
    argument: 'kbit/s',
    help: 'rate towards the servers in kbit/s, likewise (default no limit)',
    read: number(KBPS),
    said: { by: 'rtt' },
  },
  trace: {
    argument: 'FILE,FILE',
    help: "recorded links towards the client in place of a rate, in Mahimahi's format, each a separate condition: each line of a file is a time in ms at which one full packet may leave, and after the last it begins anew; needs the user-space path (default none)",
    read: traces,
    conflicts: ['down'],
    said: { by: 'rtt' },
  },
  'trace-up': {
    argument: 'FILE,FILE',
    help: 'the same towards the servers (default none)',
    read: traces,
    conflicts: ['up'],
    said: { by: 'rtt' },
  },
  loss: {
    argument: 'a,b',
    help: 'percent of packets lost in each direction, each a separate condition (default 0)',
    read: eachOnce(numbers([0, 50])),
    said: { by: 'rtt' },
  },
  jitter: {
    argument: 'ms',
    help: 'ms by which the delay of each packet varies in each direction, so that packets overtake each other (default 0)',
    read: number([0, 1000]),
    said: { by: 'rtt' },
  },
  'burst-loss': {
    argument: '%,%',
    help: 'loss in bursts: chance in percent that a packet begins a burst, and that it ends one (default none)',
    read: burstLoss,
    said: { by: 'rtt' },
  },
  'queue-bdp': {
    argument: 'a,b',
    help: 'how much may wait at a limited rate before packets are dropped, in multiples of the bandwidth-delay product of --rtt, 0.05 to 100, each a separate condition (default 1, of a round trip of at least 40 ms)',
    read: eachOnce(numbers([0.05, 100])),
    said: { by: 'rtt' },
  },
  udp: {
    argument: 'a,b',
    help: 'what the path does to UDP alone, over which QUIC goes: passed, blocked (it vanishes), rejected (by ICMP), or a rate in kbit/s beyond which it is dropped, each a separate condition (default passed)',
    read: udpTreatments,
    said: { by: 'rtt' },
  },
  lose: {
    argument: 'N,N',
    help: 'the N-th packet of an attempt towards the client is lost, counted from 1 without bare acknowledgements of TCP; none: no packet is lost; each a separate condition (default none). Needs the user-space link; a load with fewer packets is invalid',
    read: lostPackets,
    said: { by: 'rtt' },
  },
  event: {
    argument: 'a,b',
    help: "what happens in the middle of an attempt, so many ms from its first packet on: rebind@500ms (the client's connections get other ports), address@500ms (another address), cut@500ms/1000ms (for 1000 ms nothing gets through), none; each a separate condition (default none). Needs the user-space link; a load that is over by then is invalid",
    read: events,
    said: { by: 'rtt' },
  },
  network: {
    argument: 'a,b',
    help: ({ networks }) => `named conditions: ${networks.join(', ')} (default: those of --rtt)`,
    read: eachOnce(names),
    said: { by: 'rtt' },
  },
  mtu: {
    argument: 'bytes',
    help: 'largest packet of the path in bytes, 1280 to 65535',
    read: wholeNumber([1280, 65_535]),
    byDefault: OPTION_DEFAULTS.mtuBytes,
    said: line(
      'MTU of the path',
      ({ choices }) => `${choices.mtuBytes.toLocaleString('en-US')} bytes`,
    ),
  },
  offloads: {
    argument: 'HOW',
    help: 'on: several segments may cross the path as one packet, as on loopback; off: one segment per packet',
    read: oneOf('off', 'on'),
    byDefault: 'off',
    said: line('Several segments as one packet', ({ choices }) => choices.offloads),
  },
  'receive-buffer': {
    argument: 'bytes',
    help: "initial size of TCP's receive buffer, which limits the data in flight: stock (the kernel's), or bytes",
    read: wholeNumberOr('stock', [4096, 2 ** 30], 'bytes as '),
    byDefault: 'stock',
    said: line(
      'Receive buffer that TCP begins with',
      ({ choices: { receiveBufferBytes: bytes } }) =>
        bytes === null ? 'the kernel’s own' : `${bytes.toLocaleString('en-US')} bytes`,
    ),
  },
  'network-backend': {
    argument: 'HOW',
    help: 'netem: the kernel emulates the path; userspace: a program does; auto: netem where the kernel has it',
    read: oneOf('auto', 'netem', 'userspace'),
    byDefault: 'auto',
    said: line('Path made by', ({ backend }) => backend),
  },
});
