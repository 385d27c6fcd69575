import type { ConnectionRequest } from '../connector.ts';
import { throwUnsupported } from './pending-connection.ts';

/** Tickets kept per server and transport: more than any experiment uses before new ones arrive. */
const MAX_TICKETS = 8;

const ticketStore = new Map<string, Buffer[]>();

// A ticket from an unverified server must not resume a verified connection.
function ticketKey({ transport, host, address, trust }: ConnectionRequest): string {
  return JSON.stringify([transport, host, address, trust]);
}

/** Limit for awaiting a ticket: servers that send tickets send them within one or two round trips. */
export const TICKET_LIMIT_MS = 2_000;

/** Keeps a ticket for later connections to the same host by the same transport. */
export function keepTicket(target: ConnectionRequest, ticket: Uint8Array): void {
  const key = ticketKey(target);
  ticketStore.set(key, [...(ticketStore.get(key) ?? []), Buffer.from(ticket)].slice(-MAX_TICKETS));
}

/**
 * Removes and returns the newest ticket; undefined: make a full handshake.
 * @throws ConnectionFailure if the request needs a ticket that is missing
 */
export function takeTicket(target: ConnectionRequest): Buffer | undefined {
  if (target.resumption === 'none') return undefined;
  const { host, address, transport } = target;
  const expected = `a ticket of an earlier connection to ${host} at ${address} by ${transport}`;
  return (
    ticketStore.get(ticketKey(target))?.pop() ?? throwUnsupported('no-ticket', expected, 'none')
  );
}
