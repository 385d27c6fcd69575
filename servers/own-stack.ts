import type { Protocol } from '../records/protocol.ts';
import type { OwnServer, Stack } from './stack.ts';

/** An arm whose server is the user's own. */
export function ownStack(stack: string, protocol: Protocol, own: OwnServer): Stack {
  const place = 'url' in own ? `at ${own.url}` : `started by ${own.program}`;
  return {
    stack,
    label: `${stack} (${protocol})`,
    protocol,
    note: `A server that is not of this project, ${place}: nothing is known of it but what it shows and what can be read of the system.`,
    byDefault: false,
    own,
  };
}
