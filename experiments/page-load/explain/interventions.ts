import { browserKind } from '../../../ground/browser-kind.ts';
import { congestionControlOf } from '../../../ground/records/congestion-control.ts';
import { isOverQuic, type Protocol } from '../../../ground/records/protocol.ts';
import type { ArmSettings, UnpinnedChoices } from '../../../ground/records/run.ts';
import type { Stack } from '../../../ground/stack.ts';
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
}

/** Why nothing is changed, as a sentence. */
interface NoChange {
  /** Whether both stacks have the same; otherwise the part is unknown. */
  isEqual: boolean;
  reason: string;
}

/** A difference between two stacks that a change of settings removes. */
interface Intervention {
  name: string;
  /** In tables. */
  label: string;
  /** Its part of a gain, within a sentence. */
  phrase: string;
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
  phrase: 'the round trip that the handshake saves',
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

/** Packets before the first acknowledgement; null: not known. */
function initialWindowPackets(stack: Stack, { initialWindowSegments }: UnpinnedChoices) {
  const { settings = {}, transport } = stack;
  if (settings.countedWindowPackets !== undefined) return settings.countedWindowPackets;
  if (overQuic(stack)) return transport?.initialWindowPackets ?? null;
  const own = settings.initialWindowSegments;
  return (own === undefined ? initialWindowSegments : own) ?? KERNEL_INITIAL_WINDOW;
}

/** Settings with this initial window. */
function withInitialWindow(stack: Stack, packets: number): ArmSettings {
  return overQuic(stack) || stack.settings?.countedWindowPackets !== undefined
    ? { countedWindowPackets: packets }
    : { initialWindowSegments: packets };
}

/** The settings with which one stack has the initial window of the other. */
function windowChange(pair: StackPair, { isTo, packets }: { isTo: Side; packets: number }): Change {
  return {
    settings: { [isTo]: withInitialWindow(pair[isTo], packets) },
    text: `${pair.labels[isTo]} begins with a window of ${packets} packets.`,
  };
}

/** The stack with the smaller window, or of which alone the window can be set. */
function windowsOf(pair: StackPair): { smaller: Side; least: number; most: number } | null {
  const own = initialWindowPackets(pair.arm, pair.choices);
  const other = initialWindowPackets(pair.baseline, pair.choices);
  if (own === null || other === null) return null;
  return own < other
    ? { smaller: 'arm', least: own, most: other }
    : { smaller: 'baseline', least: other, most: own };
}

/** The path can make a window of QUIC smaller, but not larger, unless it made it smaller before. */
function canWiden(stack: Stack): boolean {
  return !overQuic(stack) || stack.settings?.countedWindowPackets !== undefined;
}

const initialWindow: Intervention = {
  name: 'initial-window',
  label: 'Initial window of the server',
  phrase: 'the larger initial window',
  change(pair) {
    const windows = windowsOf(pair);
    if (windows === null) return unknown('The initial window of one of them is not known.');
    const { smaller, least, most } = windows;
    if (least === most) return equal(`Both begin with ${most} packets.`);
    return canWiden(pair[smaller])
      ? windowChange(pair, { isTo: smaller, packets: most })
      : windowChange(pair, { isTo: otherSide(smaller), packets: least });
  },
  reverse(pair) {
    const windows = windowsOf(pair);
    if (windows === null) return 'the initial window of one of them is not known';
    const { smaller, least } = windows;
    return canWiden(pair[smaller])
      ? windowChange(pair, { isTo: otherSide(smaller), packets: least })
      : 'QUIC’s window cannot be made larger from outside';
  },
};

const windowGrowth: Intervention = {
  name: 'window-growth',
  label: 'Growth of the window',
  phrase: 'the growth of its server’s window',
  change(pair) {
    const { arm, baseline, choices } = pair;
    const open = (['arm', 'baseline'] as const).filter(
      (side) => overQuic(pair[side]) && pair[side].settings?.countedWindowPackets === undefined,
    );
    if (open.length === 0) return equal('The windows of both grow by acknowledged bytes.');
    if (overQuic(arm) && overQuic(baseline) && isSameSender(arm, baseline)) {
      return equal('Both have the same sender.');
    }
    const windows = open.map((side) => [side, initialWindowPackets(pair[side], choices)] as const);
    if (windows.some(([, packets]) => packets === null)) {
      return unknown('The initial window of one of them is not known.');
    }
    return {
      settings: Object.fromEntries(
        windows.map(([side, packets]) => [side, { countedWindowPackets: packets as number }]),
      ),
      text: `The path lets ${open.map((side) => pair.labels[side]).join(' and ')} send no more than a window that grows by delivered bytes, and only if it is used (RFC 9002, section 7), until a first loss.`,
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
  phrase: 'the other congestion control',
  change(pair) {
    const { arm, baseline, choices } = pair;
    const own = controlOf(arm, choices);
    const other = controlOf(baseline, choices);
    if (own === null || other === null) {
      return unknown('The congestion control of one of them is not known.');
    }
    if (own === other) {
      if (isOverQuic(arm.protocol) === isOverQuic(baseline.protocol)) {
        return equal(`Both have ${own}.`);
      }
      return unknown(
        `Both have ${own}, in two implementations: what remains of a window after a loss cannot be set.`,
      );
    }
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
  phrase: 'the client’s larger receive window',
  change({ arm, baseline, choices }) {
    if (overQuic(arm) === overQuic(baseline)) return equal('The same client grants both the same.');
    const [tcp, stack]: [Side, Stack] = overQuic(arm) ? ['baseline', baseline] : ['arm', arm];
    const own = stack.settings?.receiveBufferBytes;
    const bytes = own === undefined ? choices.receiveBufferBytes : own;
    const matched = matchedReceiveBufferBytes();
    if (bytes !== null && bytes >= matched) {
      return equal(
        'TCP’s first window is that of the browser’s QUIC, which is so large that it limits nothing.',
      );
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
  phrase: 'the other HTTP/2 library',
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
  const initial = initialWindowPackets(stack, choices);
  const { receiveBufferBytes: buffer = choices.receiveBufferBytes } = stack.settings ?? {};
  const controls = [arm, baseline].map((each) => congestionControlOf(each, choices));
  const { congestionControls = [] } = (tcp === 'arm' ? baseline : arm).transport ?? {};
  return [
    ...(initial === KERNEL_INITIAL_WINDOW
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

/** Differences of QUIC and TCP that no setting removes. */
export const WITHOUT_INTERVENTION: readonly ({ name: string; label: string } & NoChange)[] = [
  {
    name: 'processor',
    label: 'Work of the processors',
    ...unknown(
      'QUIC runs in the programs, TCP in the kernel, and the two stacks have programs of their own: these cannot be exchanged.',
    ),
  },
  {
    name: 'packets',
    label: 'Packets, acknowledgements and recovery of losses',
    ...unknown('Their sizes, numbers and rules belong to the protocols and to their programs.'),
  },
];

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
