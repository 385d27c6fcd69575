import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { withTemporaryFolder } from '../../../../../test/temporary-folder.ts';
import { readCapturedPackets } from '../../../wire/captured-packets.ts';

/** A block of pcapng with an Ethernet frame, as network/agent/pcapng.py writes it. */
function block(type: number, timeNs: bigint, packet: Buffer, ...options: Buffer[]): Buffer {
  const frame = Buffer.concat([Buffer.alloc(14), packet]);
  const padded = Buffer.concat([frame, Buffer.alloc(-frame.length & 3)]);
  const body = Buffer.concat([Buffer.alloc(20), padded, ...options, Buffer.alloc(4)]);
  body.writeUInt32LE(Number(timeNs >> 32n), 4);
  body.writeUInt32LE(Number(timeNs & 0xffff_ffffn), 8);
  body.writeUInt32LE(frame.length, 12);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(body.length + 12);
  const head = Buffer.alloc(4);
  head.writeUInt32LE(type);
  return Buffer.concat([head, length, body, length]);
}

function option(code: number, value: Buffer): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt16LE(code, 0);
  head.writeUInt16LE(value.length, 2);
  return Buffer.concat([head, value, Buffer.alloc(-value.length & 3)]);
}

const FLAGS = (direction: number) => option(2, Buffer.of(direction, 0, 0, 0));
const comment = (text: string) => option(1, Buffer.from(text));

test('reads packets with their direction, time and fate, up to a truncated one', () =>
  withTemporaryFolder(async (folder) => {
    const file = path.join(folder, 'packets');
    const timeNs = 1_795_954_213_355_700_001n;
    const blocks = [
      block(6, timeNs, Buffer.from('one'), FLAGS(2)),
      block(5, 0n, Buffer.alloc(40)),
      block(6, timeNs, Buffer.from('two!'), FLAGS(1), comment('lost on the path')),
      block(6, timeNs, Buffer.from('three'), FLAGS(1), comment('before the attempt')),
    ];
    writeFileSync(file, Buffer.concat([...blocks, Buffer.alloc(5)]));
    const packets = [];
    for await (const { bytes, ...packet } of readCapturedPackets(file)) {
      packets.push({ ...packet, text: bytes.toString() });
    }
    assert.deepEqual(packets, [
      { text: 'one', timeNs, toServer: true, isLost: false },
      { text: 'two!', timeNs, toServer: false, isLost: true },
      { text: 'three', timeNs, toServer: false, isLost: false },
    ]);
  }));
