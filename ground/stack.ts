import { browserLabel } from './browser-kind.ts';
import {
  type CongestionControl,
  DEFAULT_CONGESTION_CONTROL,
} from './records/congestion-control.ts';
import type { ConnectionTransport } from './records/connection-transport.ts';
import type { KeyExchange } from './records/key-exchange.ts';
import type { Protocol } from './records/protocol.ts';
import type { ArmSettings } from './records/run.ts';
import type { Sender } from './records/sender.ts';
import type { Runtime } from './runtimes/runtime.ts';

/** Order in which an HTTP/2 or HTTP/3 server sends bodies that are pending at the same time. */
export type ResponseOrder = 'by priority' | 'in request order' | 'interleaved' | 'varying';

/** A server stack's description, the only information that other parts have. servers/README.md defines the contract of its program. */
export interface Stack {
  stack: string;
  /** For tables and headings, for example `lsquic (h3)`. */
  label: string;
  protocol: Protocol;
  /** Caveats shown next to the stack's results, as sentences. */
  note: string;
  /** Part of a run without --stacks. */
  byDefault: boolean;
  /** Absent: the user's own server. */
  runtime?: Runtime;
  /** File that the runtime executes; absent: the runtime is the program, or the server is the user's own. */
  program?: string;
  /** Command-line arguments in addition to those of the contract. */
  programArguments?: readonly string[];
  /** Can send the main document as saved, with its header lines as text (`--document`). */
  sendsAsSaved?: boolean;
  /** Sends no session tickets, so no visit resumes a session; verified by test/e2e/visits.test.ts. */
  lacksTickets?: true;
  /** Stack over TCP of the same program, with which this one is compared. All TCP stacks of the runtime use this stack's initial window. */
  tcpTwin?: Stack;
  /** Key exchanges that `--key-exchange` can select; absent: only the default. */
  keyExchanges?: readonly KeyExchange[];
  /** Takes the client's first choice instead of what `--key-exchange` says, which cannot reach the program. */
  choosesKeyExchange?: true;
  /** The program's QUIC transport; absent: TCP only. */
  transport?: QuicTransport;
  /** Accepts QUIC version 2 (RFC 9369) too; verified by test/e2e/quic-version.test.ts. */
  speaksQuicV2?: true;
  /** By HTTP version that multiplexes responses; verified by test/e2e/response-order.test.ts. */
  responseOrders?: Readonly<Partial<Record<'h2' | 'h3', ResponseOrder>>>;
  /**
   * Sends responses by priority with `--response-order by-priority`, verified by the same test. With another library than usual, also
   * interleaved, to measure the library's own effect; null: the usual one.
   */
  selectableOrder?: { library: string | null };
  /** Capabilities that the program keeps because it would behave differently without them. */
  keeps?: readonly 'net_admin'[];
  /** The user's own server; absent: a server of this project. */
  own?: OwnServer;
  /**
   * Only in arms that select a transport or a version of QUIC, or measure existing hosts: the measured stack; without `transport`, its
   * protocol decides the transport.
   */
  serverStack?: { stack: string; transport?: ConnectionTransport };
  /** Only in arms of another browser than the usual one: its name. */
  browser?: string;
  /** Only in arms: the version of QUIC on the wire; absent: 1. */
  quicVersion?: 2;
  /** Only in the control of a run: the stack that it repeats. */
  controlOf?: string;
  /** Only in arms: the arm that this one repeats under other settings, to explain its results. */
  explains?: string;
  /** Only in arms: the stack that this one is compared with; absent: the baseline. */
  comparedWith?: string;
  /** Only in arms: settings that replace those of the run. */
  settings?: ArmSettings;
  /** Settings under network conditions that override them, by name of the condition. */
  under?: Readonly<Record<string, ArmSettings>>;
}

/** The user's own server: one that already runs, or a program that follows the contract. */
export type OwnServer =
  /** Not started: it serves every host of a site at `https://host:port`. */
  | { url: string }
  /** Absolute path. Started like this project's servers, with its protocol in `--protocol`. */
  | { program: string };

/** Name of the user's own server by that of a stack: without the ending for its protocol. */
export function serverNameOf(stack: string): string {
  return stack.replace(/-[a-z0-9]+$/, '');
}

/** A name without its version, and the version: `quic-go-h3@0.50.1`; null: no version. */
export function splitVersion(name: string): [unversioned: string, version: string | null] {
  const at = name.indexOf('@');
  return at < 0 ? [name, null] : [name.slice(0, at), name.slice(at + 1)];
}

/** A name without its browser, and the browser: `lsquic-h3~beta`; null: the usual one. */
export function splitBrowser(name: string): [inUsual: string, browser: string | null] {
  const at = name.indexOf('~');
  return at < 0 ? [name, null] : [name.slice(0, at), name.slice(at + 1)];
}

/** Name of an arm in a browser; undefined: the usual one. */
export function nameInBrowser(name: string, browser: string | undefined): string {
  const [inUsual] = splitBrowser(name);
  return browser === undefined ? inUsual : `${inUsual}~${browser}`;
}

export function labelInBrowser(label: string, browser: string): string {
  return `${label} in ${browserLabel(browser)}`;
}

/** Label of an arm where its browser needs no name. */
export function labelWithoutBrowser(label: string, browser: string): string {
  return label.replace(labelInBrowser('', browser), '');
}

/** Arm of a stack, or of another arm, in another browser than the usual one. */
export function inBrowser(stack: Stack, browser: string): Stack {
  const { stack: name, label, tcpTwin, serverStack = { stack: name } } = stack;
  return {
    ...stack,
    stack: nameInBrowser(name, browser),
    label: labelInBrowser(label, browser),
    serverStack,
    browser,
    ...(tcpTwin && { tcpTwin: inBrowser(tcpTwin, browser) }),
  };
}

/** Transport parameters of the QUIC stack, to which TCP is matched. */
export interface QuicTransport {
  /** Values of `--cc`; the first is the fallback where the default is not among them. */
  congestionControls: readonly CongestionControl[];
  /** Packets that it sends before the first acknowledgement. */
  initialWindowPackets: number;
  /** Bytes of each of them, as the window counts. */
  initialWindowPacketBytes: number;
  /** Source file of that number; absent: the program reads it from a connection and reports it. */
  initialWindowSource?: string;
  /** Sender behaviour of each congestion control. */
  senders: Readonly<Partial<Record<CongestionControl, Sender>>>;
  /** Whether it reports samples of its connections (`--sample`). */
  reportsSamples: boolean;
}

/** Default congestion control of a transport. */
export function usualCongestionControl({ congestionControls }: QuicTransport): CongestionControl {
  const has = congestionControls.includes(DEFAULT_CONGESTION_CONTROL);
  return (has ? undefined : congestionControls[0]) ?? DEFAULT_CONGESTION_CONTROL;
}

/** Copy of a stack under another label: differences between the two are noise. */
export function controlOf(stack: Stack): Stack {
  return {
    ...stack,
    stack: nameInBrowser(`${splitBrowser(stack.stack)[0]}-control`, stack.browser),
    label: `${stack.label}, control`,
    controlOf: stack.stack,
  };
}

/** Whether an arm is measured for its own sake, not to explain another one. */
export function isOwnArm({ explains }: { explains?: string | undefined }): boolean {
  return explains === undefined;
}

/** Default baseline: the first stack over TCP that is the twin of another; null: the run has no twins. */
export function defaultBaseline(stacks: readonly Stack[]): string | null {
  const names = new Set(stacks.map(({ stack }) => stack));
  const twins = stacks.flatMap(({ tcpTwin }) => tcpTwin?.stack ?? []);
  return twins.find((twin) => names.has(twin)) ?? null;
}

/**
 * Sets `comparedWith` of each stack whose counterpart is in the run: the same protocol by the server, or in the version, of the
 * baseline; of a stack in another browser, the same stack in that of the baseline. Without a stack whose counterpart is the
 * baseline itself, all keep the baseline.
 */
export function compareWithCounterparts(stacks: readonly Stack[], baseline: string): Stack[] {
  const reference = stacks.find(({ stack }) => stack === baseline);
  const names = new Map(stacks.map((each) => [each.stack, counterpartOf(each, reference)]));
  const candidates = stacks.filter(
    ({ stack, controlOf: repeated }) => !repeated && stack !== baseline,
  );
  if (!candidates.some(({ stack }) => names.get(stack) === baseline)) return [...stacks];
  return stacks.map((each) => {
    const name = names.get(each.stack) ?? baseline;
    const isOther = candidates.includes(each) && name !== each.stack && name !== baseline;
    return isOther && names.has(name) ? { ...each, comparedWith: name } : each;
  });
}

function counterpartOf(each: Stack, reference?: Stack): string | undefined {
  if (!reference) return undefined;
  if (each.browser !== reference.browser) return nameInBrowser(each.stack, reference.browser);
  const inUsual = counterpartInBrowser(each, reference);
  return inUsual && nameInBrowser(inUsual, each.browser);
}

function counterpartInBrowser(each: Stack, reference: Stack): string | undefined {
  const [server, model] = [each, reference].map(serverStackOf) as [string, string];
  const transport = splitBrowser(each.stack)[0].slice(server.length);
  if (each.own && reference.own) {
    const protocol = server.slice(serverNameOf(server).length);
    return `${serverNameOf(model)}${protocol}${transport}`;
  }
  const [program, other] = [each, reference].map(
    ({ runtime }) => splitVersion(runtime?.name ?? '')[0],
  );
  if (program === '' || program !== other) return undefined;
  const [unversioned] = splitVersion(server);
  const [, version] = splitVersion(model);
  return `${unversioned}${version === null ? '' : `@${version}`}${transport}`;
}

/** Name of an arm's server stack: without its transport, and of a control the stack that it repeats. */
export function serverStackOf({
  stack,
  serverStack,
  controlOf: repeated,
}: Pick<Stack, 'stack' | 'serverStack' | 'controlOf'>): string {
  return serverStack?.stack ?? repeated ?? stack;
}

/**
 * Sets `comparedWith` of each stack whose twin is in the run. The other stacks keep the baseline, or have that of their browser.
 */
export function compareWithTwins(stacks: readonly Stack[], baseline: string): Stack[] {
  const names = new Set(stacks.map(({ stack }) => stack));
  return stacks.map((each) => {
    const { stack, tcpTwin, browser, controlOf: repeated } = each;
    if (stack === baseline || repeated !== undefined) return each;
    const own = nameInBrowser(baseline, browser);
    const other = tcpTwin && names.has(tcpTwin.stack) ? tcpTwin.stack : own;
    const isOther = other !== stack && other !== baseline && names.has(other);
    return isOther ? { ...each, comparedWith: other } : each;
  });
}
