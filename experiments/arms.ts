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
import { controlOf, type Stack } from '../ground/stack.ts';
import { UsageError } from '../ground/system/errors.ts';
import { STACKS } from '../servers/index.ts';
import { ownStackOfArm } from '../servers/own-stack.ts';

/** How an arm is asked. */
export function transportOf({
  asked,
  protocol,
}: Pick<Stack, 'asked' | 'protocol'>): ConnectionTransport {
  return asked?.via ?? defaultTransport(protocol);
}

/** The stack of hosts that are there already. */
const LIVE = 'live';

/**
 * Every stack as an arm for each of these ways that it speaks.
 * @throws UsageError where no stack speaks one of them
 */
export function armsByTransport(
  stacks: readonly Stack[],
  transports: readonly ConnectionTransport[],
): Stack[] {
  const arms = stacks.flatMap((stack) =>
    transports.flatMap((via) => (supports(stack, via) ? [armByTransport(stack, via)] : [])),
  );
  const unsupported = transports.find((via) => !stacks.some((stack) => supports(stack, via)));
  if (unsupported === undefined) return arms;
  throw new UsageError(
    `--via ${unsupported}: none of the stacks ${stacks.map(({ stack }) => stack).join(', ')} speaks it. QUIC is spoken by ${stacksSupporting('quic')}; TLS and TCP by ${stacksSupporting('tls1.3')}.`,
  );
}

/** An arm for each way to ask hosts that are there already. */
export function liveArms(transports: readonly ConnectionTransport[]): Stack[] {
  return transports.map((via) => ({
    ...LIVE_STACK,
    stack: via,
    asked: { stack: LIVE, via },
    ...CONNECTION_TRANSPORTS[via],
  }));
}

/** The same for pages: one for each version of HTTP. */
export function livePageArms(transports: readonly HttpVersion[]): Stack[] {
  return transports.map((via) => ({
    ...LIVE_STACK,
    stack: via,
    asked: { stack: LIVE },
    ...PAGE_HTTP_VERSIONS[via],
  }));
}

const LIVE_STACK = { note: 'Whatever program the host runs.', byDefault: false };

/** A stack is an arm with the client that asks it. */
export function armOf(
  { stack, label, protocol, asked, own, settings, under, comparedWith, controlOf }: Stack,
  { client }: Pick<Experiment, 'client'>,
): PlannedArm {
  return {
    arm: stack,
    label,
    protocol,
    stack: asked?.stack ?? controlOf ?? stack,
    ...(asked?.via && { via: asked.via }),
    client,
    ...(own && { own }),
    ...(settings && { settings }),
    ...(under && { under }),
    ...(comparedWith !== undefined && { comparedWith }),
    controlOf: controlOf ?? null,
  };
}

/** The stack of a planned arm. */
export function stackOfArm(arm: PlannedArm): Stack {
  const { stack, via, controlOf: repeated, settings, under, comparedWith } = arm;
  const live = stack === LIVE ? liveArmOf(arm) : undefined;
  const found = ownStackOfArm(arm) ?? live ?? stackNamed(stack);
  if (!found) {
    throw new UsageError(
      `The plan has a stack ${stack}, which this version does not. Stacks: ${STACKS.map((each) => each.stack).join(', ')}.`,
    );
  }
  const asked = via === undefined || found === live ? found : armByTransport(found, via);
  const set = {
    ...asked,
    ...(settings && { settings }),
    ...(under && { under }),
    ...(comparedWith !== undefined && { comparedWith }),
  };
  return repeated === null ? set : controlOf(set);
}

/** Connections name what they are made by, pages only their protocol. */
function liveArmOf({ via, protocol }: PlannedArm): Stack | undefined {
  if (via !== undefined) return liveArms([via])[0];
  return livePageArms(HTTP_VERSION_NAMES).find((each) => each.protocol === protocol);
}

function armByTransport(stack: Stack, via: ConnectionTransport): Stack {
  const isUsual = via === defaultTransport(stack.protocol);
  return {
    ...stack,
    stack: isUsual ? stack.stack : `${stack.stack}-${via}`,
    label:
      isUsual && via === 'quic'
        ? stack.label
        : `${stack.label} by ${CONNECTION_TRANSPORTS[via].label}`,
    asked: { stack: stack.stack, via },
  };
}

/** Whether a stack is to be asked in one of these ways at all. */
export function supportsAny(
  stack: Pick<Stack, 'protocol'>,
  transports: readonly ConnectionTransport[],
): boolean {
  return transports.some((via) => supports(stack, via));
}

function supports({ protocol }: Pick<Stack, 'protocol'>, via: ConnectionTransport): boolean {
  return via === 'quic' ? isOverQuic(protocol) : isOverTcp(protocol);
}

function stacksSupporting(via: ConnectionTransport): string {
  return STACKS.flatMap((stack) => (supports(stack, via) ? [stack.stack] : [])).join(', ');
}
