import { markedSession } from './session.ts';

/*
 * Layout of node:quic's session ticket, written by lsquic: QUIC version, format version, length of a TLS session, the session, and
 * the server's transport parameters.
 */
const LENGTH_AT = 8;
const SESSION_AT = 12;

const VERSIONS: Readonly<Record<number, string>> = { 1: '1', 1798521807: '2' };

export function sessionOf(ticket: Buffer): Buffer {
  return ticket.subarray(SESSION_AT, SESSION_AT + ticket.readUInt32BE(LENGTH_AT));
}

/** Marks a ticket so that its acceptance is recognized, with or without early data. */
export function ticketToOffer(ticket: Buffer, about: { earlyData: boolean }): Buffer {
  const session = sessionOf(ticket);
  const marked = markedSession(session, about);
  const head = Buffer.from(ticket.subarray(0, SESSION_AT));
  head.writeUInt32BE(marked.length, LENGTH_AT);
  return Buffer.concat([head, marked, ticket.subarray(SESSION_AT + session.length)]);
}

export function versionOf(ticket: Buffer): string {
  const version = ticket.readUInt32BE(0);
  return VERSIONS[version] ?? version.toString(16);
}
