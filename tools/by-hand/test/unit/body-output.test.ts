import assert from 'node:assert/strict';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { bodyOutput } from '../../get.ts';

test('strips terminal control from the body of a response, and writes its bytes to a file', async () => {
  const body = Buffer.from('a\tb\r\n\u001b[2J\u009bé\u202e\r\u0007c\n');
  for (const [isTTY, expected] of [
    [true, Buffer.from('a\tb\n?[2J?é???c\n')],
    [false, body],
  ] as const) {
    const written = Object.assign(new PassThrough(), { isTTY });
    const output = bodyOutput(written);
    // Inside a character of two bytes.
    output.write(body.subarray(0, 12));
    output.end(body.subarray(12));
    await once(output, 'finish');
    assert.deepEqual(written.read(), expected);
  }
});
