import { isOverQuic, type Protocol } from '../ground/records/protocol.ts';
import type { PlannedArm } from '../ground/records/run.ts';
import type { OwnServer, Stack } from '../ground/stack.ts';

/** What the name of a user's own stack ends with, and how it is asked. */
export const OWN_ENDINGS: Readonly<Record<string, Protocol>> = {
  '-h3': 'h3',
  '-h2': 'h2',
  '-h1': 'http/1.1',
  '-dual': 'h2+h3',
};

/** How the user's own server of that name is asked; null: the name does not say. */
export function protocolOfName(name: string): Protocol | null {
  const found = Object.entries(OWN_ENDINGS).find(([ending]) => name.endsWith(ending));
  return found?.[1] ?? null;
}

/** An arm whose server is the user's own. */
export function ownStack(stack: string, protocol: Protocol, own: OwnServer): Stack {
  const location = 'url' in own ? `at ${own.url}` : `started by ${own.program}`;
  return {
    stack,
    // The name says the protocol.
    label: stack,
    protocol,
    note: `A server that is not of this project, ${location}: nothing is known of it but what it shows and what can be read of the system.`,
    byDefault: false,
    own,
  };
}

/** Where a stack's server runs already; null: the run starts it. */
export function urlOf({ own }: Pick<Stack, 'own'>): string | null {
  return own && 'url' in own ? own.url : null;
}

/** The stack of a planned arm whose server is the user's own; null: it is one of the project's. */
export function ownStackOfArm({
  stack,
  protocol,
  own,
}: Pick<PlannedArm, 'stack' | 'protocol' | 'own'>): Stack | null {
  if (!own) return null;
  const { url, program = '' } = own;
  return ownStack(stack, protocol, url === undefined ? { program } : { url });
}

/** The same stacks, those over QUIC with the ones over TCP whose names differ from theirs in the ending alone. */
export function withOwnTwins(stacks: readonly Stack[]): Stack[] {
  return stacks.map((each) => {
    const tcpTwin = each.own && stacks.find(({ stack }) => isOwnPair(each.stack, stack));
    return tcpTwin ? { ...each, tcpTwin } : each;
  });
}

/** Whether a user's names say that two stacks are one server over QUIC and over TCP: `mine-h3` or `mine-dual`, and `mine-h2`. */
export function isOwnPair(quic: string, tcp: string): boolean {
  const protocol = protocolOfName(quic);
  return protocol !== null && isOverQuic(protocol) && tcp === quic.replace(/-\w+$/, '-h2');
}
