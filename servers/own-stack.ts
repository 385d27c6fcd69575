import { isOverQuic, type Protocol } from '../ground/records/protocol.ts';
import type { PlannedArm } from '../ground/records/run.ts';
import { type OwnServer, type Stack, serverNameOf } from '../ground/stack.ts';

/** Endings of the name of a user's own stack, with the protocol used. */
export const OWN_ENDINGS: Readonly<Record<string, Protocol>> = {
  '-h3': 'h3',
  '-h2': 'h2',
  '-h1': 'http/1.1',
  '-dual': 'h2+h3',
};

const LONGEST_NAME = 40;

/** Whether a text can be the name of a user's own server: small letters, digits and single hyphens between them. */
export function isOwnName(name: string): boolean {
  return name.length <= LONGEST_NAME && /^[a-z0-9]+(-[a-z0-9]+)*$/.test(name);
}

/** Protocol by which the user's own server is loaded; null: the name has no such ending. */
export function protocolOfName(name: string): Protocol | null {
  const found = Object.entries(OWN_ENDINGS).find(([ending]) => name.endsWith(ending));
  return found?.[1] ?? null;
}

/** An arm whose server is the user's own. */
export function ownStack(stack: string, protocol: Protocol, own: OwnServer): Stack {
  const location = 'url' in own ? `at ${own.url}` : `started by ${own.program}`;
  return {
    stack,
    label: stack,
    protocol,
    note: `A server outside of this project, ${location}: nothing is known of it but what it shows and what can be read of the system.`,
    byDefault: false,
    own,
  };
}

/** URL of a stack's running server; null: the run starts it. */
export function urlOf({ own }: Pick<Stack, 'own'>): string | null {
  return own && 'url' in own ? own.url : null;
}

/** The stack of a planned arm with the user's own server; null: a stack of the project. */
export function ownStackOfArm({
  stack,
  protocol,
  own,
}: Pick<PlannedArm, 'stack' | 'protocol' | 'own'>): Stack | null {
  if (!own) return null;
  const { url, program = '' } = own;
  return ownStack(stack, protocol, url === undefined ? { program } : { url });
}

/** Adds to each QUIC stack its twin: the TCP stack whose name differs only in its ending. */
export function withOwnTwins(stacks: readonly Stack[]): Stack[] {
  return stacks.map((each) => {
    const tcpTwin = each.own && stacks.find(({ stack }) => isOwnPair(each.stack, stack));
    return tcpTwin ? { ...each, tcpTwin } : each;
  });
}

/** Whether the names say that two stacks are one server over QUIC and TCP: `mine-h3` or `mine-dual`, and `mine-h2`. */
export function isOwnPair(quic: string, tcp: string): boolean {
  const protocol = protocolOfName(quic);
  return protocol !== null && isOverQuic(protocol) && tcp === `${serverNameOf(quic)}-h2`;
}
