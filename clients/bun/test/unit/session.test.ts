import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sessionOf, ticketToOffer, versionOf } from '../../quic-ticket.ts';
import { certificateBytes, groupOf, markedSession } from '../../session.ts';

/** An element of DER. */
function element(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const head = length < 128 ? [tag, length] : [tag, 0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from(head), content]);
}

const number = (...bytes: number[]) => element(0x02, Buffer.from(bytes));

const VERSION = number(1);
const CERTIFICATE = element(0x30, Buffer.alloc(300));
const ABOVE = element(0x30, Buffer.alloc(200));
const PEER = element(0xa3, CERTIFICATE);
const CHECKED = element(0xa5, number(18));
const TICKET = element(0xaa, element(0x04, Buffer.alloc(50)));
const GROUP = element(0xb2, number(0x11, 0xec));
const CHAIN = element(0xb3, element(0x30, ABOVE, ABOVE));
const EARLY = element(0xb8, number(0x00, 0xff, 0xff, 0xff, 0xff));
const LATER = element(0xba, element(0x04, Buffer.from('h3')));
const MARK = element(0xa5, number(50));

const SESSION = element(0x30, VERSION, PEER, CHECKED, TICKET, GROUP, CHAIN, EARLY, LATER);

test('reads from a session the bytes of all received certificates, and the group', () => {
  assert.equal(certificateBytes(SESSION), CERTIFICATE.length + 2 * ABOVE.length);
  assert.equal(certificateBytes(element(0x30, VERSION, PEER)), CERTIFICATE.length);
  assert.equal(certificateBytes(element(0x30, VERSION)), null);
  assert.equal(groupOf(SESSION), 'X25519MLKEM768');
  assert.equal(groupOf(element(0x30, element(0xb2, number(29)))), 'X25519');
  assert.equal(groupOf(element(0x30, element(0xb2, number(0x12, 0x34)))), 'group 4660');
  assert.equal(groupOf(element(0x30, VERSION)), null);
});

test('changes only the mark of a marked session, and early data where it is disabled', () => {
  assert.deepEqual(
    markedSession(SESSION, { earlyData: true }),
    element(0x30, VERSION, PEER, MARK, TICKET, GROUP, CHAIN, EARLY, LATER),
  );
  assert.deepEqual(
    markedSession(SESSION, { earlyData: false }),
    element(0x30, VERSION, PEER, MARK, TICKET, GROUP, CHAIN, LATER),
  );
});

test('keeps the data around the session of a QUIC ticket', () => {
  const parameters = Buffer.from('000000020102', 'hex');
  const ticketOf = (session: Buffer) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(session.length);
    return Buffer.concat([Buffer.from('6b3343cf00000001', 'hex'), length, session, parameters]);
  };
  const ticket = ticketOf(SESSION);
  assert.deepEqual(sessionOf(ticket), SESSION);
  assert.equal(versionOf(ticket), '2');
  const marked = markedSession(SESSION, { earlyData: false });
  assert.deepEqual(ticketToOffer(ticket, { earlyData: false }), ticketOf(marked));
});
