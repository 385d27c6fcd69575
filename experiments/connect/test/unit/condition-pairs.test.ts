import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NONE } from '../../../../test/unit/report/fixture-run.ts';
import { pairsOf } from '../../../../test/unit/report/summary/condition-pair-texts.ts';

test('differs in only one of two factors per pair', () => {
  assert.deepEqual(
    pairsOf([NONE], { ipv: ['4', '6'], resumption: ['none', 'ticket'] }, 'connect'),
    [
      'ipv: none/6.none none/4.none: IPv6 against IPv4, with no added delay',
      'ipv: none/6.ticket none/4.ticket: IPv6 against IPv4, on a handshake resumed by a ticket with no added delay',
      'resumption: none/4.ticket none/4.none: handshake resumed by a ticket against full handshake, with no added delay',
      'resumption: none/6.ticket none/6.none: handshake resumed by a ticket against full handshake, on IPv6 with no added delay',
    ],
  );
});
