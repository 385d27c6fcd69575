import { stackNamed } from '../experiments/stacks.ts';
import type { Experiment } from '../ground/experiment.ts';
import {
  CONNECTION_TRANSPORTS,
  type ConnectionTransport,
  defaultTransport,
  HTTP_VERSION_NAMES,
  type HttpVersion,
  PAGE_HTTP_VERSIONS,
} from '../ground/records/connection-transport.ts';
import { isOverQuic, isOverTcp } from '../ground/records/protocol.ts';
import type { PlannedArm } from '../ground/records/run.ts';
import { controlOf, inBrowser, type Stack, serverStackOf, splitBrowser } from '../ground/stack.ts';
import { UsageError } from '../ground/system/errors.ts';
import { STACKS } from '../servers/index.ts';
import { ownStackOfArm } from '../servers/own-stack.ts';

export function transportOf({
  serverStack,
  protocol,
}: Pick<Stack, 'serverStack' | 'protocol'>): ConnectionTransport {
  return serverStack?.transport ?? defaultTransport(protocol);
}

/** The stack of servers on the network, which the run does not start. */
const LIVE = 'live';

/**
 * An arm for each stack and each of these transports that it supports.
 * @throws UsageError if no stack supports one of them
 */
export function armsByTransport(
  stacks: readonly Stack[],
  transports: readonly ConnectionTransport[],
): Stack[] {
  const arms = stacks.flatMap((stack) =>
    transports.flatMap((transport) =>
      supports(stack, transport) ? [armByTransport(stack, transport)] : [],
    ),
  );
  const unsupported = transports.find(
    (transport) => !stacks.some((stack) => supports(stack, transport)),
  );
  if (unsupported === undefined) return arms;
  throw new UsageError(
    `--via ${unsupported}: not supported by ${stacks.map(({ stack }) => stack).join(', ')}. QUIC: ${stacksSupporting('quic')}. TLS and TCP: ${stacksSupporting('tls1.3')}.`,
  );
}

/**
 * An arm for each stack, and of stacks over QUIC for each of these versions on the wire.
 * @throws UsageError for version 2 with a stack over QUIC without it, or without a stack over QUIC
 */
export function armsByQuicVersion(
  stacks: readonly Stack[],
  versions: readonly ('1' | '2')[],
): readonly Stack[] {
  if (!versions.includes('2')) return stacks;
  const overQuic = stacks.filter(({ protocol }) => isOverQuic(protocol));
  const unable = overQuic.find((stack) => !canSpeakQuicV2(stack));
  if (unable || overQuic.length === 0) {
    const able = STACKS.filter(canSpeakQuicV2).map(({ stack }) => stack);
    throw new UsageError(
      `--quic-version 2: ${unable ? `not for ${unable.stack}` : 'no stack of this run is over QUIC'}. It is for ${able.join(', ')}.`,
    );
  }
  return stacks.flatMap((stack) =>
    overQuic.includes(stack)
      ? versions.map((version) => (version === '1' ? stack : armByQuicV2(stack)))
      : stack,
  );
}

/** Where a browser chooses between HTTP/2 and HTTP/3, Alt-Svc leads it to version 1. */
function canSpeakQuicV2({ protocol, speaksQuicV2 }: Stack): boolean {
  return protocol === 'h3' && speaksQuicV2 === true;
}

function armByQuicV2(stack: Stack): Stack {
  return {
    ...stack,
    stack: `${stack.stack}-v2`,
    label: `${stack.label} by QUIC v2`,
    serverStack: { stack: stack.stack },
    quicVersion: 2,
  };
}

/** Arms of live hosts, one for each transport. */
export function liveArms(transports: readonly ConnectionTransport[]): Stack[] {
  return transports.map((transport) => ({
    ...LIVE_STACK,
    stack: transport,
    serverStack: { stack: LIVE, transport },
    ...CONNECTION_TRANSPORTS[transport],
  }));
}

/** Arms of live pages, one for each version of HTTP. */
export function livePageArms(transports: readonly HttpVersion[]): Stack[] {
  return transports.map((transport) => ({
    ...LIVE_STACK,
    stack: transport,
    serverStack: { stack: LIVE },
    ...PAGE_HTTP_VERSIONS[transport],
  }));
}

const LIVE_STACK = { note: 'The host’s own server program.', byDefault: false };

export function armOf(stack: Stack, { client }: Pick<Experiment, 'client'>): PlannedArm {
  const { label, protocol, serverStack, quicVersion, browser, own, settings, under, controlOf } =
    stack;
  const { stack: arm, explains, comparedWith } = stack;
  return {
    arm,
    label,
    protocol,
    stack: serverStackOf(stack),
    ...(serverStack?.transport && { transport: serverStack.transport }),
    ...(quicVersion && { quicVersion }),
    client: browser ?? client,
    ...(own && { own }),
    ...(settings && { settings }),
    ...(under && { under }),
    ...(explains !== undefined && { explains }),
    ...(comparedWith !== undefined && { comparedWith }),
    controlOf: controlOf ?? null,
  };
}

/** The client program of all arms of a run; other browsers count as the usual one. */
export function clientOfArms(
  arms: readonly Pick<PlannedArm, 'client'>[],
  { client, clients }: Pick<Experiment, 'client' | 'clients'>,
): string {
  return clients ? (arms[0]?.client ?? client) : client;
}

/** The stack of a planned arm. */
export function stackOfArm(arm: PlannedArm): Stack {
  const { stack, transport, controlOf: repeated, settings, under, comparedWith } = arm;
  const live = stack === LIVE ? liveArmOf(arm) : undefined;
  const found = ownStackOfArm(arm) ?? live ?? stackNamed(stack);
  if (!found) {
    throw new UsageError(
      `The plan has the stack ${stack}, expected a stack of this version: ${STACKS.map((each) => each.stack).join(', ')}.`,
    );
  }
  const byVersion = arm.quicVersion ? armByQuicV2(found) : found;
  const byTransport =
    transport === undefined || found === live ? byVersion : armByTransport(found, transport);
  const [, browser] = splitBrowser(arm.arm);
  const set = {
    ...(browser === null ? byTransport : inBrowser(byTransport, browser)),
    ...(settings && { settings }),
    ...(under && { under }),
    ...(comparedWith !== undefined && { comparedWith }),
  };
  if (repeated !== null) return controlOf(set);
  return settings ? withOwnSettings(set, arm) : set;
}

/** The stack of an arm with settings of its own under the arm's name and label, which continue those of the stack. */
function withOwnSettings(stack: Stack, { arm, label, explains }: PlannedArm): Stack {
  const [name, browser] = splitBrowser(stack.stack);
  const [own, ownBrowser] = splitBrowser(arm);
  const continues =
    browser === ownBrowser && own.startsWith(`${name}-`) && label.startsWith(`${stack.label}, `);
  if (!continues) return stack;
  const { tcpTwin: _, ...rest } = stack;
  const { serverStack = { stack: stack.stack } } = stack;
  return {
    ...rest,
    stack: arm,
    label,
    serverStack,
    ...(explains !== undefined && { explains }),
  };
}

/** Arms of connections name their transport, arms of pages only their protocol. */
function liveArmOf({ transport, protocol }: PlannedArm): Stack | undefined {
  if (transport !== undefined) return liveArms([transport])[0];
  return livePageArms(HTTP_VERSION_NAMES).find((each) => each.protocol === protocol);
}

function armByTransport(stack: Stack, transport: ConnectionTransport): Stack {
  const isUsual = transport === defaultTransport(stack.protocol);
  return {
    ...stack,
    stack: isUsual ? stack.stack : `${stack.stack}-${transport}`,
    label:
      isUsual && transport === 'quic'
        ? stack.label
        : `${stack.label} by ${CONNECTION_TRANSPORTS[transport].label}`,
    serverStack: { stack: stack.stack, transport },
  };
}

/** Whether a stack supports one of these transports. */
export function supportsAny(
  stack: Pick<Stack, 'protocol'>,
  transports: readonly ConnectionTransport[],
): boolean {
  return transports.some((transport) => supports(stack, transport));
}

function supports({ protocol }: Pick<Stack, 'protocol'>, transport: ConnectionTransport): boolean {
  return transport === 'quic' ? isOverQuic(protocol) : isOverTcp(protocol);
}

function stacksSupporting(transport: ConnectionTransport): string {
  return STACKS.flatMap((stack) => (supports(stack, transport) ? [stack.stack] : [])).join(', ');
}
