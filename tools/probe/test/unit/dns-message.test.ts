import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dnsQuery, readDnsAnswer } from '../../name-server.ts';

const QUESTION = '01610474657374000041 0001';

function message(parts: string): Buffer {
  return Buffer.from(parts.replaceAll(' ', ''), 'hex');
}

test('writes a query with one name, and room for a response of 1,232 bytes', () => {
  assert.deepEqual(
    dnsQuery(0x1234, 'a.test', 65),
    message(`1234 0100 0001 0000 0000 0001 ${QUESTION} 00 0029 04d0 000000000000`),
  );
});

test('reads a response behind aliases, with names that point back', () => {
  const answer = readDnsAnswer(
    message(
      `1234 8180 0001 0002 0000 0000 ${QUESTION}` +
        'c00c 0005 0001 0000003c 0004 0162c00e' +
        '0162c00e 0041 0001 0000003c 0003 000100',
    ),
  );
  assert.deepEqual(answer, {
    id: 0x1234,
    truncated: false,
    status: 0,
    records: [
      { type: 5, data: message('0162c00e') },
      { type: 65, data: message('000100') },
    ],
  });
});

test('recognizes a truncated response, and one that the name does not exist', () => {
  const cut = readDnsAnswer(message(`0001 8380 0001 0002 0000 0000 ${QUESTION}`));
  assert.deepEqual([cut.truncated, cut.records], [true, []]);
  assert.equal(readDnsAnswer(message(`0001 8183 0001 0000 0000 0000 ${QUESTION}`)).status, 3);
});

test('rejects a query, and a response that ends too early', () => {
  assert.throws(
    () => readDnsAnswer(message(`0001 0100 0001 0000 0000 0000 ${QUESTION}`)),
    RangeError,
  );
  assert.throws(
    () => readDnsAnswer(message(`0001 8180 0001 0001 0000 0000 ${QUESTION} c00c`)),
    RangeError,
  );
  assert.throws(() => readDnsAnswer(Buffer.alloc(3)), RangeError);
});
