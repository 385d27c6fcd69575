import type { AskedConnection } from '../connector.ts';
import { refuse } from './making.ts';

/** Of one server by one way: more than any experiment uses before new ones come. */
const MOST = 8;

const kept = new Map<string, Buffer[]>();

// A ticket of a server whose certificate was not checked tells nothing about it to who checks.
function placeOf({ via, host, address, trust }: AskedConnection): string {
  return JSON.stringify([via, host, address, trust]);
}

/** How long a ticket is waited for: a server that gives any gives it within a round trip or two. */
export const TICKET_LIMIT_MS = 2_000;

/** Keeps a ticket for later connections to the same host by the same way. */
export function keepTicket(asked: AskedConnection, ticket: Uint8Array): void {
  const place = placeOf(asked);
  kept.set(place, [...(kept.get(place) ?? []), Buffer.from(ticket)].slice(-MOST));
}

/**
 * Takes the newest ticket, which is gone then; undefined: the connection is to be a full one.
 * @throws ConnectionFailure when one is asked for and there is none
 */
export function takeTicket(asked: AskedConnection): Buffer | undefined {
  if (asked.resumption === 'none') return undefined;
  const { host, address, via } = asked;
  const expected = `a ticket of an earlier connection to ${host} at ${address} by ${via}`;
  return kept.get(placeOf(asked))?.pop() ?? refuse('no-ticket', expected, 'none');
}
