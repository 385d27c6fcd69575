import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nameOfHttpsRecords, readHttpsRecord } from '../../name-server.ts';

const NOTHING = {
  alpn: [],
  noDefaultAlpn: false,
  port: null,
  ipv4Hints: [],
  ipv6Hints: [],
  encryptedHello: false,
};

/** Data of records, from RFC 9460, appendix D, and their meaning. */
const VECTORS: [figure: string, data: string, says: Partial<ReturnType<typeof readHttpsRecord>>][] =
  [
    [
      '2, an alias',
      '0000 03666f6f 076578616d706c65 03636f6d 00',
      { priority: 0, target: 'foo.example.com' },
    ],
    ['3, the host itself', '0001 00', { priority: 1, target: '' }],
    [
      '4, a port',
      '0010 03666f6f 076578616d706c65 03636f6d 00 0003 0002 0035',
      { priority: 16, target: 'foo.example.com', port: 53 },
    ],
    [
      '5, a key that nobody knows',
      '0001 03666f6f 076578616d706c65 03636f6d 00 029b 0005 68656c6c6f',
      { priority: 1, target: 'foo.example.com' },
    ],
    [
      '7, addresses of IPv6',
      '0001 03666f6f 076578616d706c65 03636f6d 00 0006 0020' +
        '20010db8000000000000000000000001 20010db8000000000000000000530001',
      { priority: 1, target: 'foo.example.com', ipv6Hints: ['2001:db8::1', '2001:db8::53:1'] },
    ],
    [
      '9, protocols and an address of IPv4',
      '0010 03666f6f 076578616d706c65 036f7267 00 0000 0004 0001 0004' +
        '0001 0009 02 6832 05 68332d3139 0004 0004 c0000201',
      {
        priority: 16,
        target: 'foo.example.org',
        alpn: ['h2', 'h3-19'],
        ipv4Hints: ['192.0.2.1'],
      },
    ],
  ];

for (const [figure, data, says] of VECTORS) {
  test(`reads the record of RFC 9460, figure ${figure}`, () => {
    assert.deepEqual(readHttpsRecord(Buffer.from(data.replaceAll(' ', ''), 'hex')), {
      ...NOTHING,
      ...says,
    });
  });
}

test('reads no-default-alpn and the key for Encrypted ClientHello', () => {
  const record = readHttpsRecord(Buffer.from('000100' + '00020000' + '00050001aa', 'hex'));
  assert.deepEqual([record.noDefaultAlpn, record.encryptedHello], [true, true]);
});

test('rejects a record that ends too early', () => {
  for (const data of ['00', '0001', '000103666f', '00010000030002', '0001000003000100']) {
    assert.throws(() => readHttpsRecord(Buffer.from(data, 'hex')), RangeError, data);
  }
});

test('names the records of another port than that of HTTPS differently', () => {
  assert.equal(nameOfHttpsRecords('www.example.org', 443), 'www.example.org');
  assert.equal(nameOfHttpsRecords('www.example.org', 8443), '_8443._https.www.example.org');
});
