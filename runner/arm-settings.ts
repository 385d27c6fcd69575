import type { RunValues } from '../ground/options/common.ts';
import {
  type CongestionControl,
  USUAL_CONGESTION_CONTROL,
} from '../ground/records/congestion-control.ts';
import type { AskedNetwork } from '../ground/records/network.ts';
import { isOverQuic, isOverTcp } from '../ground/records/protocol.ts';
import type { ArmSettings, RunChoices } from '../ground/records/run.ts';
import type { Stack, Transport } from '../ground/stack.ts';
import { UsageError } from '../ground/system/errors.ts';
import { MATCHED_TRANSPORT } from '../servers/index.ts';

/** What is asked of arms by name, under one condition. */
interface Asked {
  cc: NonNullable<AskedNetwork['congestionControl']> | null;
  initcwnd: NonNullable<AskedNetwork['initialWindow']>;
}

/** What is asked for under a run's first condition, which is what its choices say. */
export function firstAsked({ cc, initcwnd }: Pick<RunValues, 'cc' | 'initcwnd'>): Asked {
  return { cc: cc?.[0] ?? null, initcwnd: initcwnd[0] ?? 'matched' };
}

/** What holds for all arms but those that have settings of their own. */
export function commonSettings({
  cc,
  initcwnd,
}: Asked): Required<Pick<RunChoices, 'congestionControl' | 'initialWindowSegments'>> {
  return {
    congestionControl: cc === null || cc === 'matched' ? USUAL_CONGESTION_CONTROL : cc,
    initialWindowSegments: initcwnd === 'matched' ? MATCHED_TRANSPORT.initialWindowPackets : null,
  };
}

/**
 * The stacks, those of them with settings that are to have something else than what holds for all.
 * @param known all stacks that a stack over TCP can be the twin of
 * @throws UsageError where a stack brings a transport along that has not what is asked for by name
 */
export function withSettings(
  stacks: readonly Stack[],
  asked: Asked,
  known: readonly Stack[],
): Stack[] {
  return stacks.map((stack) => {
    const settings = settingsOf(stack, asked, known);
    return Object.keys(settings).length === 0 ? stack : { ...stack, settings };
  });
}

/**
 * The same stacks with what they are to have under conditions that say something of it.
 * @param common what holds for all other conditions
 * @throws UsageError as withSettings() does
 */
export function withSettingsUnder(
  stacks: readonly Stack[],
  networks: readonly AskedNetwork[],
  common: Asked,
  known: readonly Stack[],
): Stack[] {
  const saying = networks.filter(
    ({ congestionControl, initialWindow }) => congestionControl ?? initialWindow,
  );
  if (saying.length === 0) return [...stacks];
  const choices = commonSettings(common);
  return stacks.map((stack) => {
    const under = saying.map((network) => {
      const { congestionControl: cc = common.cc, initialWindow: initcwnd = common.initcwnd } =
        network;
      return [network.name, settingsFrom(stack, { cc, initcwnd }, choices, known)] as const;
    });
    return { ...stack, under: Object.fromEntries(under) };
  });
}

/** What a stack is to have that these choices do not say. */
function settingsFrom(
  stack: Stack,
  asked: Asked,
  choices: ReturnType<typeof commonSettings>,
  known: readonly Stack[],
): ArmSettings {
  const own = settingsOf(stack, asked, known);
  const overTcp = isOverTcp(stack.protocol);
  if (!overTcp && !stack.transport) return own;
  const { congestionControl, initialWindowSegments } = { ...commonSettings(asked), ...own };
  return {
    ...own,
    ...(congestionControl !== choices.congestionControl && { congestionControl }),
    ...(overTcp &&
      initialWindowSegments !== choices.initialWindowSegments && { initialWindowSegments }),
  };
}

function settingsOf(stack: Stack, asked: Asked, known: readonly Stack[]): ArmSettings {
  const overQuic = isOverQuic(stack.protocol) ? settingsOfQuic(stack, asked) : {};
  if (!isOverTcp(stack.protocol)) return overQuic;
  const overTcp = settingsOfTcp(transportBeside(stack, known), asked);
  const { congestionControl: ofQuic } = overQuic;
  const isOther = ofQuic !== undefined && ofQuic !== overTcp.congestionControl;
  return isOther ? { ...overTcp, quicCongestionControl: ofQuic } : overTcp;
}

/** A transport that nobody knows, as that of a user's own server, cannot be asked for anything. */
function settingsOfQuic({ stack, transport }: Stack, { cc }: Asked): ArmSettings {
  if (!transport) return {};
  if (cc === null || cc === 'matched') return other(usualOf(transport));
  const { congestionControls } = transport;
  if (congestionControls.includes(cc)) return {};
  throw new UsageError(
    `--cc ${cc}: ${stack} brings a transport of its own along, which has ${congestionControls.join(' and ')}. Choose one of these, leave --cc out, or leave ${stack} out of --stacks.`,
  );
}

/** @param beside what TCP is matched to */
function settingsOfTcp(beside: Transport, { cc, initcwnd }: Asked): ArmSettings {
  const packets = beside.initialWindowPackets;
  return {
    ...(cc === 'matched' && other(usualOf(beside))),
    ...(initcwnd === 'matched' &&
      packets !== MATCHED_TRANSPORT.initialWindowPackets && { initialWindowSegments: packets }),
  };
}

function other(congestionControl: CongestionControl): ArmSettings {
  return congestionControl === USUAL_CONGESTION_CONTROL ? {} : { congestionControl };
}

/** What a transport has where nothing is asked of it by name. */
function usualOf({ congestionControls }: Transport): CongestionControl {
  const has = congestionControls.includes(USUAL_CONGESTION_CONTROL);
  return (has ? undefined : congestionControls[0]) ?? USUAL_CONGESTION_CONTROL;
}

/**
 * The transport that TCP of a stack stands beside: its own; or that of the stack whose twin it is, or else of one whose twin runs on the
 * same runtime, as all protocols of one program do; or else the default one.
 */
function transportBeside(
  { stack, asked, controlOf, runtime, transport: own }: Stack,
  known: readonly Stack[],
): Transport {
  if (own) return own;
  const name = asked?.stack ?? controlOf ?? stack;
  const withTwins = known.filter(({ transport, tcpTwin }) => transport && tcpTwin);
  const found =
    withTwins.find(({ tcpTwin }) => tcpTwin?.stack === name) ??
    withTwins.find(({ tcpTwin }) => runtime !== undefined && tcpTwin?.runtime === runtime);
  return found?.transport ?? MATCHED_TRANSPORT;
}
