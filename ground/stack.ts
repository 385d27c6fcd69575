import type { CongestionControl } from './records/congestion-control.ts';
import type { ConnectionTransport } from './records/connection-transport.ts';
import type { KeyExchange } from './records/key-exchange.ts';
import type { Protocol } from './records/protocol.ts';
import type { ArmSettings } from './records/run.ts';
import type { Sender } from './records/sender.ts';
import type { Runtime } from './runtimes/runtime.ts';

/** Orders in which servers of HTTP/2 and HTTP/3 send the bodies that a client waits for at the same time. */
export type ResponseOrder = 'by priority' | 'in request order' | 'interleaved';

/** A server stack as it describes itself: all that others know of it. What it does is in the contract in servers/README.md. */
export interface Stack {
  stack: string;
  /** For tables and headings, for example `lsquic (h3)`. */
  label: string;
  protocol: Protocol;
  /** What a reader has to know before comparing it, in whole sentences. */
  note: string;
  /** Part of a run that names no stacks. */
  byDefault: boolean;
  /** What runs it; absent: nothing of this project, it is the user's own. */
  runtime?: Runtime;
  /** The file that the runtime runs; absent: the runtime is the program, or nothing of this project is. */
  program?: string;
  /** What the program is told beside what the contract has all of them told; absent: nothing. */
  programArguments?: readonly string[];
  /** Can send the main document as it was saved, with its header lines as text (`--document`). */
  sendsAsSaved?: boolean;
  /** Sends no session tickets, so that no visit resumes a session; test/e2e/visits.test.ts verifies it. */
  lacksTickets?: true;
  /**
   * The stack over TCP from the same program, with which this one is compared. It has the initial window of this one's transport, as
   * have all stacks over TCP of the same runtime.
   */
  tcpTwin?: Stack;
  /** Those that the program can be told, by `--key-exchange`; absent: it has the usual one alone. */
  keyExchanges?: readonly KeyExchange[];
  /** A transport that the program brings along, beside the kernel's TCP where it offers both; absent: TCP alone. */
  transport?: QuicTransport;
  /** Of each of its versions of HTTP that sends several responses over one connection; test/e2e/response-order.test.ts verifies it. */
  responseOrders?: Readonly<Partial<Record<'h2' | 'h3', ResponseOrder>>>;
  /** Capabilities that the program keeps though it runs without rights, because it would do something else without; absent: none. */
  keeps?: readonly 'net_admin'[];
  /** A server of the user's own; absent: it is one of this project. */
  own?: OwnServer;
  /** Set in arms of connections, and of hosts that are there already: the stack itself, which is asked in one of several ways; without `via`: by its protocol. */
  serverStack?: { stack: string; transport?: ConnectionTransport };
  /** Set in the control of a run alone: the stack that it repeats. */
  controlOf?: string;
  /** Set in the arms of a run alone: the stack that this one is compared with; absent: what all others are. */
  comparedWith?: string;
  /** Set in the arms of a run alone: what they are asked to have in place of what all others are. */
  settings?: ArmSettings;
  /** The same under network conditions that say something of it, by their names; absent: there are none. */
  under?: Readonly<Record<string, ArmSettings>>;
}

/** A server that is not of this project: one that runs already, or a program that keeps the contract. */
export type OwnServer =
  /** Nothing is started: it answers for every host of a site at `https://host:port`. */
  | { url: string }
  /** An absolute path. It is started as the others are, and told its protocol with `--protocol`. */
  | { program: string };

/** What a program's own transport has to be set to, and is, so that TCP can be matched to it. */
export interface QuicTransport {
  /** Those that it can be set to, by `--cc`; the first is what it takes where the usual one is not among them. */
  congestionControls: readonly CongestionControl[];
  /** Packets that it sends before the first acknowledgement. */
  initialWindowPackets: number;
  /** How it sends with each of these congestion controls. */
  senders: Readonly<Partial<Record<CongestionControl, Sender>>>;
  /** Whether it tells samples of its connections, by `--sample`. */
  tellsSamples: boolean;
}

/** The same program a second time under another label: what differs between the two is no difference of programs. */
export function controlOf(stack: Stack): Stack {
  return {
    ...stack,
    stack: `${stack.stack}-control`,
    label: `${stack.label}, control`,
    controlOf: stack.stack,
  };
}

/** The usual baseline: the first stack over TCP that is the twin of another. */
export function defaultBaseline(stacks: readonly Stack[]): string | null {
  const names = new Set(stacks.map(({ stack }) => stack));
  const twins = stacks.flatMap(({ tcpTwin }) => tcpTwin?.stack ?? []);
  return twins.find((twin) => names.has(twin)) ?? null;
}

/** The same stacks, each that has its twin beside it to be compared with that, where the others are with the baseline. */
export function compareWithTwins(stacks: readonly Stack[], baseline: string): Stack[] {
  const names = new Set(stacks.map(({ stack }) => stack));
  return stacks.map((each) => {
    const { stack, tcpTwin, controlOf: repeated } = each;
    const isOther = stack !== baseline && repeated === undefined && tcpTwin?.stack !== baseline;
    return isOther && tcpTwin && names.has(tcpTwin.stack)
      ? { ...each, comparedWith: tcpTwin.stack }
      : each;
  });
}
