import assert from 'node:assert/strict';
import { createWriteStream } from 'node:fs';
import { PassThrough, type Writable } from 'node:stream';
import { test } from 'node:test';
import { type BodyRequest, getBody } from '../../../clients/getter.ts';

const REQUEST: BodyRequest = {
  transport: 'quic',
  host: 'a.test',
  authority: 'a.test',
  address: '192.0.2.1:443',
  trust: null,
  timeoutMs: 1000,
  alpn: 'h3',
  path: '/',
  fields: {},
};

/** By a program that prints a body and its result. */
function get(output: Writable) {
  const script = `echo body; echo '{"receivedBytes":5}' >&2`;
  return getBody(['sh', '-c', script], REQUEST, { output, signal: new AbortController().signal });
}

test('reports a full disk as an error of the machine, and a closed reader as no error', async () => {
  await assert.rejects(get(createWriteStream('/dev/full')), {
    name: 'MachineError',
    message: /^The body cannot be written: ENOSPC/,
  });
  const closed = new PassThrough();
  closed.destroy();
  assert.equal(await get(closed), null);
  assert.deepEqual(await get(new PassThrough()), { receivedBytes: 5 });
});
