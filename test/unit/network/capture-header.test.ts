import assert from 'node:assert/strict';
import { test } from 'node:test';
import { captureHeader } from '../../../network/capture-header.ts';
import { readCapture } from '../../pcapng.ts';

const KEYS = 'CLIENT_RANDOM 00 11\n';

test('begins a capture with names, keys and its subject', () => {
  const names = new Map([
    ['10.89.0.1', ['browser']],
    ['10.89.1.1', ['www.example.org', 'static.example.org']],
  ]);
  for (const comment of ['', 'a', 'ab', 'abc', 'abcd', 'page by stack – network\nno keys']) {
    const read = readCapture(
      captureHeader({ program: 'quic-vs-https 1', comment, names, keyLog: KEYS }),
    );
    assert.deepEqual(read, {
      program: 'quic-vs-https 1',
      comment,
      linkType: 1,
      resolution: 9,
      keyLog: KEYS,
      names,
      packets: [],
      statistics: null,
    });
  }
});

test('omits the key block without keys', () => {
  const header = captureHeader({ program: '', comment: '', names: new Map(), keyLog: '' });
  assert.equal(readCapture(header).keyLog, '');
  assert.ok(!header.includes(Buffer.from([0x4b, 0x53, 0x4c, 0x54])));
});
