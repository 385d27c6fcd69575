import type { Experiment } from '../ground/experiment.ts';
import { isOverQuic, isOverTcp } from '../ground/records/protocol.ts';
import type { PlannedArm } from '../ground/records/run.ts';
import {
  PAGE_VIAS,
  PAGE_WAYS,
  type PageVia,
  usualVia,
  type Via,
  WAYS,
} from '../ground/records/via.ts';
import { controlOf, type Stack } from '../ground/stack.ts';
import { UsageError } from '../ground/system/errors.ts';
import { STACKS, stackNamed } from '../servers/index.ts';
import { ownStackOfArm } from '../servers/own-stack.ts';

/** How an arm is asked. */
export function viaOf({ asked, protocol }: Pick<Stack, 'asked' | 'protocol'>): Via {
  return asked?.via ?? usualVia(protocol);
}

/** The stack of hosts that are there already. */
const LIVE = 'live';

/**
 * Every stack as an arm for each of these ways that it speaks.
 * @throws UsageError where no stack speaks one of them
 */
export function armsAsked(stacks: readonly Stack[], vias: readonly Via[]): Stack[] {
  const arms = stacks.flatMap((stack) =>
    vias.flatMap((via) => (speaks(stack, via) ? [armAsked(stack, via)] : [])),
  );
  const unspoken = vias.find((via) => !stacks.some((stack) => speaks(stack, via)));
  if (unspoken === undefined) return arms;
  throw new UsageError(
    `--via ${unspoken}: none of the stacks ${stacks.map(({ stack }) => stack).join(', ')} speaks it. QUIC is spoken by ${namesOf('quic')}; TLS and TCP by ${namesOf('tls1.3')}.`,
  );
}

/** An arm for each way to ask hosts that are there already. */
export function liveArms(vias: readonly Via[]): Stack[] {
  return vias.map((via) => ({ ...OF_LIVE, stack: via, asked: { stack: LIVE, via }, ...WAYS[via] }));
}

/** The same for pages: one for each version of HTTP. */
export function livePageArms(vias: readonly PageVia[]): Stack[] {
  return vias.map((via) => ({ ...OF_LIVE, stack: via, asked: { stack: LIVE }, ...PAGE_WAYS[via] }));
}

const OF_LIVE = { note: 'Whatever program the host runs.', byDefault: false };

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
  const asked = via === undefined || found === live ? found : armAsked(found, via);
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
  return livePageArms(PAGE_VIAS).find((each) => each.protocol === protocol);
}

function armAsked(stack: Stack, via: Via): Stack {
  const isUsual = via === usualVia(stack.protocol);
  return {
    ...stack,
    stack: isUsual ? stack.stack : `${stack.stack}-${via}`,
    label: isUsual && via === 'quic' ? stack.label : `${stack.label} by ${WAYS[via].label}`,
    asked: { stack: stack.stack, via },
  };
}

/** Whether a stack is to be asked in one of these ways at all. */
export function speaksOneOf(stack: Pick<Stack, 'protocol'>, vias: readonly Via[]): boolean {
  return vias.some((via) => speaks(stack, via));
}

function speaks({ protocol }: Pick<Stack, 'protocol'>, via: Via): boolean {
  return via === 'quic' ? isOverQuic(protocol) : isOverTcp(protocol);
}

function namesOf(via: Via): string {
  return STACKS.flatMap((stack) => (speaks(stack, via) ? [stack.stack] : [])).join(', ');
}
