import { markedSession } from './session.ts';

/*
 * What node:quic calls a session ticket, as lsquic writes it: the version of QUIC, that of this form, the length of a TLS session, the
 * session, and the server's transport parameters.
 */
const LENGTH_AT = 8;
const SESSION_AT = 12;

const VERSIONS: Readonly<Record<number, string>> = { 1: '1', 1798521807: '2' };

/** The TLS session of a ticket. */
export function sessionOf(ticket: Buffer): Buffer {
  return ticket.subarray(SESSION_AT, SESSION_AT + ticket.readUInt32BE(LENGTH_AT));
}

/** The ticket to offer: one that is recognized when the server takes it, with or without early data. */
export function ticketToOffer(ticket: Buffer, about: { earlyData: boolean }): Buffer {
  const session = sessionOf(ticket);
  const marked = markedSession(session, about);
  const head = Buffer.from(ticket.subarray(0, SESSION_AT));
  head.writeUInt32BE(marked.length, LENGTH_AT);
  return Buffer.concat([head, marked, ticket.subarray(SESSION_AT + session.length)]);
}

/** The version of QUIC that a connection came to, by a ticket of it. */
export function versionOf(ticket: Buffer): string {
  const version = ticket.readUInt32BE(0);
  return VERSIONS[version] ?? version.toString(16);
}
