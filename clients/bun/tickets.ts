import type { ConnectionRequest } from '../connector.ts';
import { throwUnsupported } from './pending-connection.ts';

/** Of one server by one way: more than any experiment uses before new ones come. */
const MAX_TICKETS = 8;

const ticketStore = new Map<string, Buffer[]>();

// A ticket of a server whose certificate was not checked tells nothing about it to who checks.
function ticketKey({ via, host, address, trust }: ConnectionRequest): string {
  return JSON.stringify([via, host, address, trust]);
}

/** How long a ticket is waited for: a server that gives any gives it within a round trip or two. */
export const TICKET_LIMIT_MS = 2_000;

/** Keeps a ticket for later connections to the same host by the same way. */
export function keepTicket(target: ConnectionRequest, ticket: Uint8Array): void {
  const key = ticketKey(target);
  ticketStore.set(key, [...(ticketStore.get(key) ?? []), Buffer.from(ticket)].slice(-MAX_TICKETS));
}

/**
 * Takes the newest ticket, which is gone then; undefined: the connection is to be a full one.
 * @throws ConnectionFailure when one is asked for and there is none
 */
export function takeTicket(target: ConnectionRequest): Buffer | undefined {
  if (target.resumption === 'none') return undefined;
  const { host, address, via } = target;
  const expected = `a ticket of an earlier connection to ${host} at ${address} by ${via}`;
  return (
    ticketStore.get(ticketKey(target))?.pop() ?? throwUnsupported('no-ticket', expected, 'none')
  );
}
