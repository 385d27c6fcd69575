import { browserKind } from '../ground/browser-kind.ts';
import type { RunValues } from '../ground/options/common.ts';
import {
  type CongestionControl,
  DEFAULT_CONGESTION_CONTROL,
} from '../ground/records/congestion-control.ts';
import type { NetworkCondition } from '../ground/records/network.ts';
import { isOverQuic, isOverTcp } from '../ground/records/protocol.ts';
import type { ArmSettings, RunChoices } from '../ground/records/run.ts';
import {
  type QuicTransport,
  type Stack,
  serverStackOf,
  splitVersion,
  usualCongestionControl,
} from '../ground/stack.ts';
import { UsageError } from '../ground/system/errors.ts';
import { matchedReceiveBufferBytes } from '../network/receive-window.ts';
import { MATCHED_TRANSPORT } from '../servers/index.ts';

/** Settings of arms under one condition. */
interface SettingValues {
  cc: NonNullable<NetworkCondition['congestionControl']> | null;
  initcwnd: NonNullable<NetworkCondition['initialWindow']>;
  /** Of TCP. */
  receiveBuffer: RunValues['receive-buffer'][number];
}

/** Settings of a run's first condition, which its choices record. */
export function firstSettingValues({
  cc,
  initcwnd,
  'receive-buffer': [receiveBuffer = 'matched'],
}: Pick<RunValues, 'cc' | 'initcwnd' | 'receive-buffer'>): SettingValues {
  return { cc: cc?.[0] ?? null, initcwnd: initcwnd[0] ?? 'matched', receiveBuffer };
}

/** Settings of all arms without settings of their own. */
export function commonSettings({
  cc,
  initcwnd,
}: Pick<SettingValues, 'cc' | 'initcwnd'>): Required<
  Pick<RunChoices, 'congestionControl' | 'initialWindowSegments'>
> {
  return {
    congestionControl: cc === null || cc === 'matched' ? DEFAULT_CONGESTION_CONTROL : cc,
    initialWindowSegments: initcwnd === 'matched' ? MATCHED_TRANSPORT.initialWindowPackets : null,
  };
}

/**
 * Adds settings to the stacks that differ from the common ones.
 * @param known all stacks that a stack over TCP can be the twin of
 * @throws UsageError when the transport of a stack does not have the selected value
 */
export function withSettings(
  stacks: readonly Stack[],
  values: SettingValues,
  known: readonly Stack[],
): Stack[] {
  return stacks.map((stack) => {
    const settings = settingsOf(stack, values, known);
    if (Object.keys(settings).length === 0) return stack;
    return { ...stack, settings: { ...settings, ...stack.settings } };
  });
}

/**
 * Adds settings to stacks for the conditions that select some.
 * @param common settings under all other conditions
 * @throws UsageError as withSettings() does
 */
export function withSettingsUnder(
  stacks: readonly Stack[],
  networks: readonly NetworkCondition[],
  common: SettingValues,
  known: readonly Stack[],
): Stack[] {
  const ownSettings = networks.filter(
    ({ congestionControl, initialWindow }) => congestionControl ?? initialWindow,
  );
  if (ownSettings.length === 0) return [...stacks];
  const choices = commonSettings(common);
  return stacks.map((stack) => {
    const under = ownSettings.map((network) => {
      const { congestionControl: cc = common.cc, initialWindow: initcwnd = common.initcwnd } =
        network;
      const values = { ...common, cc, initcwnd };
      return [network.name, settingsFrom(stack, values, choices, known)] as const;
    });
    return { ...stack, under: Object.fromEntries(under) };
  });
}

/** Settings of a stack that differ from the common ones. */
function settingsFrom(
  stack: Stack,
  values: SettingValues,
  choices: ReturnType<typeof commonSettings>,
  known: readonly Stack[],
): ArmSettings {
  const own = settingsOf(stack, values, known);
  const overTcp = isOverTcp(stack.protocol);
  if (!overTcp && !stack.transport) return own;
  const { congestionControl, initialWindowSegments } = { ...commonSettings(values), ...own };
  return {
    ...own,
    ...(congestionControl !== choices.congestionControl && { congestionControl }),
    ...(overTcp &&
      initialWindowSegments !== choices.initialWindowSegments && { initialWindowSegments }),
  };
}

function settingsOf(stack: Stack, values: SettingValues, known: readonly Stack[]): ArmSettings {
  const overQuic = isOverQuic(stack.protocol) ? settingsOfQuic(stack, values) : {};
  if (!isOverTcp(stack.protocol)) return overQuic;
  if (stack.own && values.cc === 'matched') {
    throw new UsageError(
      `--cc matched: which congestion control the QUIC of ${stack.stack} has is only known once it runs. Name it, for example --cc reno, or omit --cc.`,
    );
  }
  const overTcp = {
    ...settingsOfTcp(matchedTransport(stack, known), values),
    ...bufferOf(stack, values),
  };
  const { congestionControl: ofQuic } = overQuic;
  const isOther = ofQuic !== undefined && ofQuic !== overTcp.congestionControl;
  return isOther ? { ...overTcp, quicCongestionControl: ofQuic } : overTcp;
}

/** The transport of a user's own server is unknown, so it has no settings. */
function settingsOfQuic({ stack, transport }: Stack, { cc }: SettingValues): ArmSettings {
  if (!transport) return {};
  if (cc === null || cc === 'matched') return unlessUsual(usualCongestionControl(transport));
  const { congestionControls } = transport;
  if (congestionControls.includes(cc)) return {};
  throw new UsageError(
    `--cc ${cc}: ${stack} has its own transport, which supports ${congestionControls.join(' and ')}. Choose one of these, omit --cc, or remove ${stack} from --stacks.`,
  );
}

/** @param matched the transport to which TCP is matched */
function settingsOfTcp(matched: QuicTransport, { cc, initcwnd }: SettingValues): ArmSettings {
  const packets = matched.initialWindowPackets;
  return {
    ...(cc === 'matched' && unlessUsual(usualCongestionControl(matched))),
    ...(initcwnd === 'matched' &&
      packets !== MATCHED_TRANSPORT.initialWindowPackets && { initialWindowSegments: packets }),
  };
}

/** TCP is matched to the QUIC of its browser. */
function bufferOf({ browser }: Stack, { receiveBuffer }: SettingValues): ArmSettings {
  const receiveBufferBytes = matchedReceiveBufferBytes(browserKind(browser));
  const isUsual = receiveBufferBytes === matchedReceiveBufferBytes();
  return receiveBuffer === 'matched' && !isUsual ? { receiveBufferBytes } : {};
}

function unlessUsual(congestionControl: CongestionControl): ArmSettings {
  return congestionControl === DEFAULT_CONGESTION_CONTROL ? {} : { congestionControl };
}

/**
 * Transport to which the TCP of a stack is matched: its own; that of the stack whose twin it is; that of a twin on the same runtime,
 * as all protocols of one program share a transport; or the default.
 */
function matchedTransport(arm: Stack, known: readonly Stack[]): QuicTransport {
  const { runtime, transport: own } = arm;
  if (own) return own;
  const [name] = splitVersion(serverStackOf(arm));
  const withTwins = known.filter(({ transport, tcpTwin }) => transport && tcpTwin);
  const found =
    withTwins.find(({ tcpTwin }) => tcpTwin?.stack === name) ??
    withTwins.find(
      ({ tcpTwin }) => runtime && tcpTwin?.runtime?.name === splitVersion(runtime.name)[0],
    );
  return found?.transport ?? MATCHED_TRANSPORT;
}
