import assert from 'node:assert/strict';
import { test } from 'node:test';
import { captureText } from '../../../../packets/tables/text.ts';
import {
  captureOf,
  crypto,
  datagram,
  quicPacket,
  readQuic,
  readTcp,
  segment,
} from '../made-packets.ts';

const requestAt = (atMs = 0) =>
  readTcp([
    segment(atMs, 'toServer', { bytes: 100, http1: [{ method: 'GET', path: '/' }] }),
    segment(atMs + 9, 'toClient', { bytes: 900, http1: [{ status: 200, bodyBytes: 800 }] }),
    segment(atMs + 10, 'toClient', { flags: 'reset' }),
  ]);

test('prints packets, connections, layers and ends', () => {
  const text = captureText(captureOf([requestAt(), requestAt()]));
  assert.match(text, /^6 packets, 2\.4 kB, 2 connections\n/);
  assert.match(text, /before the first request +after it +of all/);
  assert.match(text, /payload +0 +1,600 +6\d\.\d %/);
  assert.match(text, / {2}2 x server, tcp: RST \(an error\)/);
  assert.doesNotMatch(text, /Encrypted|beginning|tshark/);
});

test('does not divide bytes by purpose without a request', () => {
  const closed = readQuic([
    datagram(0, 'toServer', [quicPacket('short', 0, [], { closedBytes: 100 })]),
  ]);
  const text = captureText(captureOf([closed]));
  assert.doesNotMatch(text, /before the first request/);
  assert.match(text, /unread +100 +/);
  assert.match(text, /Encrypted without a key: 1 connection\..*--keys FILE/);
});

test('does not blame missing keys for what a file lacks', () => {
  const closed = readQuic([
    datagram(0, 'toServer', [quicPacket('short', 0, [], { closedBytes: 9 })]),
  ]);
  const text = captureText({ ...captureOf([closed]), cutPackets: 1 });
  assert.match(text, /Truncated in the file: 1 packet\./);
  assert.doesNotMatch(text, /--keys/);
});

test('prints the connections with the most bytes, in the order of their first packets', () => {
  const small = readQuic([datagram(0, 'toServer', [quicPacket('initial', 0, [crypto(0, 10)])])]);
  const text = captureText(captureOf([small, { ...requestAt(), host: 'b.test' }, small]), 1);
  assert.match(text, /b\.test/);
  assert.match(text, /and 2 connections with fewer bytes/);
});

test('strips terminal control from names on the wire', () => {
  const text = captureText(
    captureOf([{ ...requestAt(), host: 'a\u001b[2Jb', protocol: 'h\u0007' }]),
  );
  for (const control of ['\u001b', '\u0007']) assert.ok(!text.includes(control));
});

test('prints complaints and other protocols, and says if a file has no packets', () => {
  const text = captureText({
    ...captureOf([requestAt()]),
    otherPackets: 3,
    complaints: ['cut short'],
  });
  assert.match(text, /3 packets of other protocols, or in fragments\./);
  assert.match(text, /tshark: cut short/);
  assert.equal(captureText(captureOf([])), 'no packets\n');
});
