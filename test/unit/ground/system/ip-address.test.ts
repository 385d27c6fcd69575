import assert from 'node:assert/strict';
import { isIPv4 as isIPv4OfNode, isIPv6 as isIPv6OfNode } from 'node:net';
import { test } from 'node:test';
import { isIPv4, isIPv6 } from '../../../../ground/system/ip-address.ts';

const ADDRESSES = [
  ...['192.0.2.1', '0.0.0.0', '255.255.255.255', '256.0.0.1', '01.2.3.4', '1.2.3', '1.2.3.4.5'],
  ...['::', '::1', '1:2:3:4:5:6:7:8', '1:2:3:4:5:6:7:8:9', '1::2::3', '12345::', 'FE80::1', ':'],
  ...['::ffff:192.0.2.1', '::ffff:192.0.2', '::ffff:192.0.2.04', 'fe80::1%eth0', 'fe80::1%'],
  ...[
    '::%a%b',
    '[::1]',
    '::1 ',
    ' ::1',
    '::1]:80/[',
    'a@::1',
    '::1?',
    '::1#',
    '::1/',
    '0x7f.1',
    '',
  ],
];

for (const address of ADDRESSES) {
  test(`decides as Node does whether ${JSON.stringify(address)} is an address`, () => {
    assert.equal(isIPv4(address), isIPv4OfNode(address));
    assert.equal(isIPv6(address), isIPv6OfNode(address));
  });
}
