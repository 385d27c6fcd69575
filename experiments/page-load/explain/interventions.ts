import { browserKind } from '../../../ground/browser-kind.ts';
import { congestionControlOf } from '../../../ground/records/congestion-control.ts';
import { isOverQuic, type Protocol } from '../../../ground/records/protocol.ts';
import type { ArmSettings, UnpinnedChoices } from '../../../ground/records/run.ts';
import { type Stack, serverStackOf } from '../../../ground/stack.ts';
import { matchedReceiveBufferBytes } from '../../../network/receive-window.ts';
import { urlOf } from '../../../servers/own-stack.ts';

/** Two compared stacks before or after some changes. */
export interface StackPair {
  arm: Stack;
  baseline: Stack;
  /** Labels of the two before any change. */
  labels: Readonly<Record<Side, string>>;
  choices: UnpinnedChoices;
}

export type Side = 'arm' | 'baseline';

/** New settings of one stack or both. */
export interface Change {
  settings: Readonly<Partial<Record<Side, ArmSettings>>>;
  /** Sentence. */
  text: string;
  /** Replaces that of the intervention. */
  phrase?: string;
}

/** Why nothing is changed, as a sentence. */
interface NoChange {
  /** Whether both stacks have the same; otherwise the part is unknown. */
  isEqual: boolean;
  reason: string;
}

/** A difference between two stacks that a change of settings removes. */
export interface Intervention {
  name: string;
  /** In tables. */
  label: string;
  /** Its part of a gain, within a sentence. */
  phrase: string;
  /** What the difference belongs to. */
  owner: 'protocol' | 'server' | 'setting' | 'client';
  /** Name of the one that it continues, without which it is not possible. */
  after?: string;
  /** null: it does not concern these two. */
  change(pair: StackPair): Change | NoChange | null;
  /** The change that removes the same difference at the other stack; a string says why there is no such change, as a clause. */
  reverse(pair: StackPair): Change | string;
}

/** Linux' initial window of TCP, in segments. */
const KERNEL_INITIAL_WINDOW = 10;

const ONE_MORE: ArmSettings = { handshake: 'one round trip more' };
const ONE_LESS: ArmSettings = { handshake: 'one round trip less' };

/** Round trips of a new connection until its first request. Sources: RFC 9001; RFC 8446, figure 1; RFC 5246, figure 1. */
function handshakeRoundTrips(stack: Stack, { tlsMost }: UnpinnedChoices): number {
  const { handshake } = stack.settings ?? {};
  const change = handshake === undefined ? 0 : handshake === 'one round trip more' ? 1 : -1;
  const ofTls = tlsMost === '1.2' ? 2 : 1;
  return (overQuic(stack) ? 1 : 1 + ofTls) + change;
}

const handshake: Intervention = {
  name: 'handshake',
  label: 'Round trips of the handshake',
  phrase: 'the round trips of the handshake',
  owner: 'protocol',
  change(pair) {
    const { arm, baseline, labels, choices } = pair;
    const [own, other] = [arm, baseline].map((each) => handshakeRoundTrips(each, choices)) as [
      number,
      number,
    ];
    if (own === other) return equal(`Both need ${own} before the first request.`);
    if (Math.abs(own - other) > 1) {
      return unknown(`${own} and ${other} differ by more than the one that the path can hold.`);
    }
    const [faster, stack]: [Side, Stack] = own < other ? ['arm', arm] : ['baseline', baseline];
    const slower = otherSide(faster);
    if (stack.settings?.handshake === 'one round trip less') {
      return overQuic(pair[slower])
        ? unknown('QUIC has no round trip that the path could remove too.')
        : undelayed(slower, labels[slower]);
    }
    return {
      settings: { [faster]: ONE_MORE },
      text: `The path holds the first packets of each new connection of ${labels[faster]} for a round trip.`,
    };
  },
  reverse({ arm, baseline, labels, choices }) {
    const isArmFaster = handshakeRoundTrips(arm, choices) < handshakeRoundTrips(baseline, choices);
    const [slower, stack]: [Side, Stack] = isArmFaster ? ['baseline', baseline] : ['arm', arm];
    if (overQuic(stack)) return 'QUIC has no round trip before that of TLS to remove';
    return undelayed(slower, labels[slower]);
  },
};

function undelayed(side: Side, label: string): Change {
  return {
    settings: { [side]: ONE_LESS },
    text: `TCP’s SYN and SYN-ACK of ${label} cross the path at once.`,
  };
}

/** Headers of IPv4 and TCP with time stamps, in bytes. */
const TCP_HEADERS_BYTES = 52;

/** Bytes before the first acknowledgement; null: not known. */
function initialWindowBytes(stack: Stack, choices: UnpinnedChoices): number | null {
  const { settings = {}, transport } = stack;
  if (settings.countedWindowBytes !== undefined) return settings.countedWindowBytes;
  if (overQuic(stack)) {
    return transport ? transport.initialWindowPackets * transport.initialWindowPacketBytes : null;
  }
  const { initialWindowSegments: own = choices.initialWindowSegments } = settings;
  return (own ?? KERNEL_INITIAL_WINDOW) * segmentBytes(choices);
}

function segmentBytes({ mtuBytes }: UnpinnedChoices): number {
  return mtuBytes - TCP_HEADERS_BYTES;
}

/** The change with which one stack begins with a window of this size. */
function windowChange(
  { arm, baseline, labels, choices }: StackPair,
  { isTo, bytes }: { isTo: Side; bytes: number },
): Change {
  if (overQuic(isTo === 'arm' ? arm : baseline)) {
    return {
      settings: { [isTo]: { countedWindowBytes: bytes } },
      text: `The path lets ${labels[isTo]} begin with a window of ${kB(bytes)}, ${GROWTH}.`,
      phrase: `the initial window of ${labels[isTo]} and its growth`,
    };
  }
  const segments = Math.round(bytes / segmentBytes(choices));
  return {
    settings: { [isTo]: { initialWindowSegments: segments } },
    text: `${labels[isTo]} begins with a window of ${segments} packets, ${kB(bytes)}.`,
  };
}

const GROWTH =
  'which grows by delivered bytes, and only if it is used (RFC 9002, section 7), until a first loss';

function kB(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`;
}

/** null: one of them is not known. */
function windowsOf(pair: StackPair): { smaller: Side; least: number; most: number } | null {
  const own = initialWindowBytes(pair.arm, pair.choices);
  const other = initialWindowBytes(pair.baseline, pair.choices);
  if (own === null || other === null) return null;
  return own < other
    ? { smaller: 'arm', least: own, most: other }
    : { smaller: 'baseline', least: other, most: own };
}

/** The path can make a window of QUIC smaller, but not larger, unless it made it smaller before. */
function canWiden(stack: Stack): boolean {
  return !overQuic(stack) || stack.settings?.countedWindowBytes !== undefined;
}

const initialWindow: Intervention = {
  name: 'initial-window',
  label: 'Initial window of the server',
  phrase: 'the initial window',
  owner: 'setting',
  change(pair) {
    const windows = windowsOf(pair);
    if (windows === null) return unknown('The initial window of one of them is not known.');
    const { smaller, least, most } = windows;
    if (most - least < segmentBytes(pair.choices)) return equal(`Both begin with ${kB(most)}.`);
    return canWiden(pair[smaller])
      ? windowChange(pair, { isTo: smaller, bytes: most })
      : windowChange(pair, { isTo: otherSide(smaller), bytes: least });
  },
  reverse(pair) {
    const windows = windowsOf(pair);
    if (windows === null) return 'the initial window of one of them is not known';
    const { smaller, least } = windows;
    const larger = otherSide(smaller);
    if (!canWiden(pair[smaller])) return 'QUIC’s window cannot be made larger from outside';
    return overQuic(pair[larger])
      ? 'that would change the growth of QUIC’s window, too'
      : windowChange(pair, { isTo: larger, bytes: least });
  },
};

const windowGrowth: Intervention = {
  name: 'window-growth',
  label: 'Growth of the window',
  phrase: 'the growth of the window',
  owner: 'server',
  change(pair) {
    const { arm, baseline, labels, choices } = pair;
    const open = (['arm', 'baseline'] as const).filter(
      (side) => overQuic(pair[side]) && pair[side].settings?.countedWindowBytes === undefined,
    );
    if (open.length === 0) return equal('The windows of both grow by what is acknowledged.');
    if (overQuic(arm) && overQuic(baseline) && isSameSender(arm, baseline)) {
      return equal('Both have the same sender.');
    }
    if (open.some((side) => controlOf(pair[side], choices) === 'bbr')) {
      return unknown('BBR’s window follows the measured rate, which the path cannot imitate.');
    }
    const windows = open.map((side) => [side, initialWindowBytes(pair[side], choices)] as const);
    if (windows.some(([, bytes]) => bytes === null)) {
      return unknown('The initial window of one of them is not known.');
    }
    const names = open.map((side) => labels[side]).join(' and ');
    return {
      settings: Object.fromEntries(
        windows.map(([side, bytes]) => [side, { countedWindowBytes: bytes as number }]),
      ),
      text: `The path lets ${names} send no more than a window of ${windows.map(([, bytes]) => kB(bytes as number)).join(' and ')}, ${GROWTH}.`,
      phrase: `the growth of the window of ${names}`,
    };
  },
  reverse: () => 'the kernel’s TCP cannot grow its window so',
};

/** Congestion control of a stack; null: that of a server whose QUIC is not known. */
function controlOf(stack: Stack, choices: UnpinnedChoices) {
  return overQuic(stack) && !stack.transport ? null : congestionControlOf(stack, choices);
}

function isSameSender(one: Stack, other: Stack): boolean {
  return one.transport !== undefined && one.transport === other.transport;
}

const congestionControl: Intervention = {
  name: 'congestion-control',
  label: 'Congestion control',
  phrase: 'the congestion control',
  owner: 'setting',
  change(pair) {
    const { arm, baseline, choices } = pair;
    const own = controlOf(arm, choices);
    const other = controlOf(baseline, choices);
    if (own === null || other === null) {
      return unknown('The congestion control of one of them is not known.');
    }
    if (own === other) return equal(`Both have ${own}.`);
    const to: Side = overQuic(baseline) && !overQuic(arm) ? 'arm' : 'baseline';
    const control = to === 'baseline' ? own : other;
    const { transport } = pair[to];
    const label = pair.labels[to];
    if (overQuic(pair[to]) && !transport?.congestionControls.includes(control)) {
      return unknown(`${label} does not have ${control}.`);
    }
    return {
      settings: { [to]: { congestionControl: control } },
      text: `${label} has ${control} too.`,
    };
  },
  reverse(pair) {
    const { arm, baseline, labels, choices } = pair;
    const control = controlOf(baseline, choices);
    if (control === null || !arm.transport?.congestionControls.includes(control)) {
      return `${labels.arm} does not have ${control ?? 'it'}`;
    }
    return {
      settings: { arm: { congestionControl: control } },
      text: `${labels.arm} has ${control} too.`,
    };
  },
};

const receiveWindow: Intervention = {
  name: 'receive-window',
  label: 'Receive window of the client',
  phrase: 'the receive window of the client',
  owner: 'client',
  change({ arm, baseline, choices }) {
    if (overQuic(arm) === overQuic(baseline)) {
      return arm.browser === baseline.browser
        ? equal('The same client grants both the same.')
        : unknown('They have two browsers.');
    }
    const [tcp, stack]: [Side, Stack] = overQuic(arm) ? ['baseline', baseline] : ['arm', arm];
    const own = stack.settings?.receiveBufferBytes;
    const bytes = own === undefined ? choices.receiveBufferBytes : own;
    const matched = matchedReceiveBufferBytes(browserKind(stack.browser));
    if (bytes !== null && bytes >= matched) {
      return equal('TCP’s first window is that of the browser’s QUIC.');
    }
    return {
      settings: { [tcp]: { receiveBufferBytes: matched } },
      text: `TCP’s first receive window is that of the browser’s QUIC.`,
    };
  },
  reverse: () => 'the browser’s QUIC window cannot be set',
};

const pacing: Intervention = {
  name: 'pacing',
  label: 'Pacing',
  phrase: 'pacing',
  owner: 'setting',
  change(pair) {
    const { arm, baseline, labels, choices } = pair;
    const [own, other] = [arm, baseline].map((each) => isPaced(each, choices));
    if (own === null || other === null)
      return unknown('Whether both pace their packets is not known.');
    if (own === other)
      return equal(own ? 'Both pace their packets.' : 'Neither paces its packets.');
    const [unpaced, stack]: [Side, Stack] = own ? ['baseline', baseline] : ['arm', arm];
    if (overQuic(stack)) return unknown(`${labels[unpaced]} cannot pace its packets.`);
    if (urlOf(stack) !== null) return unknown(`${labels[unpaced]} was not started by the run.`);
    return {
      settings: { [unpaced]: { pacesTcp: true } },
      text: `The kernel paces the packets of ${labels[unpaced]}.`,
    };
  },
  reverse: () => 'no stack over QUIC can send without pacing',
};

/** null: not known. */
function isPaced(stack: Stack, choices: UnpinnedChoices): boolean | null {
  const control = congestionControlOf(stack, choices);
  if (!overQuic(stack)) return control === 'bbr' || stack.settings?.pacesTcp === true;
  return stack.transport?.senders[control]?.isPaced ?? null;
}

/** Another library that orders responses is a change of its own. */
const http2Library: Intervention = {
  name: 'http2-library',
  label: 'HTTP/2 library',
  phrase: 'the HTTP/2 library',
  owner: 'server',
  change(pair) {
    const { labels } = pair;
    const to = orderedSide(pair);
    const library = to && pair[to].selectableOrder?.library;
    if (!to || !library) return null;
    return {
      settings: { [to]: { responseOrder: 'interleaved' } },
      text: `${labels[to]} has ${library}, which alone can order responses, and interleaves them as before.`,
    };
  },
  reverse: () => 'the library belongs to one of them',
};

/** The stack that needs another order than its own to be like the other one; null: their orders are the same, or not known. */
function orderedSide({ arm, baseline }: StackPair): Side | null {
  const [own, other] = [arm, baseline].map(orderOf);
  if (own === undefined || other === undefined || own === other) return null;
  return own === 'by priority' ? 'baseline' : 'arm';
}

const responseOrder: Intervention = {
  name: 'response-order',
  label: 'Order of responses',
  after: http2Library.name,
  phrase: 'the order of responses',
  owner: 'server',
  change(pair) {
    const { arm, baseline, labels } = pair;
    const [own, other] = [arm, baseline].map(orderOf);
    if (own === undefined || other === undefined) {
      return unknown('The order of one of them is not known.');
    }
    if (own === other) return equal(`Both send pending bodies ${own}.`);
    const to = own === 'by priority' ? 'baseline' : 'arm';
    if (!pair[to].selectableOrder) {
      return unknown(
        `${labels.arm} sends pending bodies ${own}, ${labels.baseline} ${other}; no setting changes that.`,
      );
    }
    return {
      settings: { [to]: { responseOrder: 'by priority' } },
      text: `${labels[to]} sends pending bodies by priority.`,
    };
  },
  reverse: () => 'the servers by priority have no other order',
};

function orderOf({ protocol, responseOrders = {}, settings }: Stack): string | undefined {
  if (settings?.responseOrder) return settings.responseOrder;
  return protocol === 'h2' || protocol === 'h3' ? responseOrders[protocol] : undefined;
}

/** In the order in which a report adds them up. */
export const INTERVENTIONS: readonly Intervention[] = [
  handshake,
  initialWindow,
  windowGrowth,
  congestionControl,
  receiveWindow,
  pacing,
  http2Library,
  responseOrder,
];

/** Another setting of the comparison, of which the gain may depend. */
export interface Alternative {
  name: string;
  label: string;
  change: Change;
}

/** Settings under which the gain is measured too, without a part in its sum. */
export function alternativesOf(pair: StackPair): Alternative[] {
  const { arm, baseline, labels, choices } = pair;
  const overTcp = (['arm', 'baseline'] as const).filter((side) => !overQuic(pair[side]));
  if (overTcp.length !== 1) return [];
  const [tcp] = overTcp as [Side];
  const stack = pair[tcp];
  const ofTcp = (
    name: string,
    label: string,
    settings: ArmSettings,
    text: string,
  ): Alternative => ({
    name,
    label,
    change: { settings: { [tcp]: settings }, text },
  });
  const { initialWindowSegments: initial = choices.initialWindowSegments } = stack.settings ?? {};
  const { receiveBufferBytes: buffer = choices.receiveBufferBytes } = stack.settings ?? {};
  const controls = [arm, baseline].map((each) => congestionControlOf(each, choices));
  const { congestionControls = [] } = (tcp === 'arm' ? baseline : arm).transport ?? {};
  return [
    ...((initial ?? KERNEL_INITIAL_WINDOW) === KERNEL_INITIAL_WINDOW
      ? []
      : [
          ofTcp(
            'kernel-window',
            `TCP’s initial window of ${KERNEL_INITIAL_WINDOW}`,
            { initialWindowSegments: KERNEL_INITIAL_WINDOW },
            `${labels[tcp]} begins with ${KERNEL_INITIAL_WINDOW} packets, as Linux does.`,
          ),
        ]),
    ...(buffer === null
      ? []
      : [
          ofTcp(
            'kernel-buffer',
            'Linux’ receive window of TCP',
            { receiveBufferBytes: null },
            'The client’s TCP begins with the receive window of Linux.',
          ),
        ]),
    ...congestionControls
      .filter((each) => !controls.includes(each))
      .map((each) => ({
        name: each,
        label: `Congestion control ${each}`,
        change: {
          settings: {
            arm: { congestionControl: each },
            baseline: { congestionControl: each },
          },
          text: `Both have ${each}.`,
        },
      })),
    ...(browserKind(arm.browser) === 'firefox' ? [] : [ONE_ADDRESS]),
  ];
}

/** Firefox opens a connection for each host all the same. */
const ONE_ADDRESS: Alternative = {
  name: 'one-address',
  label: 'One connection for all hosts',
  change: {
    settings: { arm: { origins: 'shared' }, baseline: { origins: 'shared' } },
    text: 'All hosts of a page have one address and one certificate, so that one connection serves them all.',
  },
};

type Unchanged = { name: string; label: string } & NoChange;

/** Differences of two stacks that no setting removes. */
export function withoutIntervention({ arm, baseline }: StackPair): Unchanged[] {
  const isOtherTransport = overQuic(arm) !== overQuic(baseline);
  const isOtherProgram = serverStackOf(arm) !== serverStackOf(baseline);
  return [
    ...(isOtherProgram
      ? [
          {
            name: 'processor',
            label: 'Programs and work of the processors',
            ...unknown(
              isOtherTransport
                ? 'QUIC runs in the programs, TCP in the kernel: these cannot be exchanged.'
                : 'The two programs cannot be exchanged.',
            ),
          },
        ]
      : []),
    ...(isOtherProgram && !isSameSender(arm, baseline)
      ? [
          {
            name: 'packets',
            label: 'Packets, acknowledgements, and what a loss costs',
            ...unknown('Their rules belong to the protocols and to their implementations.'),
          },
        ]
      : []),
    ...(arm.browser === baseline.browser
      ? []
      : [{ name: 'browser', label: 'Browser', ...unknown('The two cannot be exchanged.') }]),
  ];
}

/** Protocols whose two stacks can be compared setting by setting: one connection for each host. */
export const EXPLAINED_PROTOCOLS: readonly Protocol[] = ['h2', 'h3'];

function otherSide(side: Side): Side {
  return side === 'arm' ? 'baseline' : 'arm';
}

function overQuic({ protocol }: Stack): boolean {
  return isOverQuic(protocol);
}

function equal(reason: string): NoChange {
  return { isEqual: true, reason };
}

function unknown(reason: string): NoChange {
  return { isEqual: false, reason };
}
