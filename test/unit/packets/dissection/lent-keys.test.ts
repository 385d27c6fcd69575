import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { lendKeys } from '../../../../packets/dissection/dissect.ts';
import { choicesOf } from '../../../long/fuzz-importers/random.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';

const KEYS = 'CLIENT_RANDOM 00 11\n';

/** A block of pcapng, in either order of bytes. */
function block(type: number, body: Buffer, isLittle: boolean): Buffer {
  const numbers = [type, body.length + 12].map((number) => {
    const bytes = Buffer.alloc(4);
    if (isLittle) bytes.writeUInt32LE(number);
    else bytes.writeUInt32BE(number);
    return bytes;
  });
  return Buffer.concat([...numbers, body, numbers[1] as Buffer]);
}

/** A capture with a key log behind its packet, or before it. */
function capture({ isLittle = true, isLate = true } = {}): Buffer {
  const order = Buffer.from(isLittle ? '4d3c2b1a' : '1a2b3c4d', 'hex');
  const secrets = Buffer.concat([Buffer.from('544c534b', 'hex'), Buffer.alloc(4)]);
  if (isLittle) secrets.subarray(0, 4).reverse();
  if (isLittle) secrets.writeUInt32LE(KEYS.length, 4);
  else secrets.writeUInt32BE(KEYS.length, 4);
  const keys = block(10, Buffer.concat([secrets, Buffer.from(KEYS)]), isLittle);
  const packet = block(6, Buffer.alloc(40), isLittle);
  const section = block(0x0a0d0d0a, Buffer.concat([order, Buffer.alloc(12)]), isLittle);
  return Buffer.concat(isLate ? [section, packet, keys] : [section, keys, packet]);
}

/** The text of the lent keys; null: no keys. */
async function lent(bytes: Buffer, keyLogFile?: string): Promise<string | null> {
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += 7) yield bytes.subarray(at, at + 7);
  }
  const keys = await lendKeys(pieces(), keyLogFile);
  if (keys === null) return null;
  const text = await readFile(keys.file, 'utf8');
  await keys.remove();
  return text.trim();
}

test('lends keys that are behind packets, of captures in either order of bytes', async () => {
  assert.equal(await lent(capture()), KEYS.trim());
  assert.equal(await lent(capture({ isLittle: false })), KEYS.trim());
  assert.equal(await lent(Buffer.concat([capture(), capture()])), `${KEYS}\n${KEYS}`.trim());
  // tshark reads these itself.
  assert.equal(await lent(capture({ isLate: false })), null);
  assert.equal(await lent(Buffer.from('d4c3b2a1', 'hex')), null);
});

test('lends a key log without its byte order mark, and together with the keys of the capture', async (t) => {
  const file = path.join(temporaryFolder(t), 'keys');
  await writeFile(file, `\ufeff${KEYS}`);
  assert.equal(await lent(Buffer.alloc(0), file), KEYS.trim());
  await writeFile(file, KEYS);
  assert.equal(await lent(Buffer.alloc(0), file), KEYS.trim());
  assert.equal(await lent(capture(), file), `${KEYS}\n${KEYS}`.trim());
});

test('leaves damaged captures to tshark', async () => {
  for (let input = 0; input < 1000; input++) {
    const { number } = choicesOf(1, input);
    const damaged = capture();
    for (let change = 0; change <= number(8); change++)
      damaged[number(damaged.length)] = number(256);
    const found = await lent(damaged.subarray(0, number(damaged.length + 1)));
    assert.ok(found === null || found.length <= KEYS.length);
  }
});
