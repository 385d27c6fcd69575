import { createReadStream } from 'node:fs';
import { byteReader } from '../../../ground/system/byte-reader.ts';

/** An IP packet of a capture of the client's end. */
export interface CapturedPacket {
  /** Since 1970. */
  timeNs: bigint;
  toServer: boolean;
  /** Whether the path lost it. */
  isLost: boolean;
  bytes: Buffer;
}

/** Enhanced packet block of pcapng (draft-ietf-opsawg-pcapng, section 4.3), and its options. */
const PACKET_BLOCK = 6;
const BLOCK_HEAD_BYTES = 8;
const PACKET_HEAD_BYTES = 20;
const COMMENT = 1;
const FLAGS = 2;
const OUTBOUND = 2;
const ETHERNET_BYTES = 14;

/** Packets of a file to which Path.writeCapture() appended. */
export async function* readCapturedPackets(file: string): AsyncGenerator<CapturedPacket> {
  const reader = byteReader(createReadStream(file)[Symbol.asyncIterator]());
  for (;;) {
    const head = await reader.bytes(BLOCK_HEAD_BYTES);
    if (head.length < BLOCK_HEAD_BYTES) return;
    const block = await reader.bytes(head.readUInt32LE(4) - BLOCK_HEAD_BYTES);
    if (head.readUInt32LE(0) !== PACKET_BLOCK) continue;
    const bytes = block.readUInt32LE(12);
    const { flags, comments } = optionsOf(
      block.subarray(PACKET_HEAD_BYTES + bytes + (-bytes & 3), -4),
    );
    yield {
      timeNs: (BigInt(block.readUInt32LE(4)) << 32n) + BigInt(block.readUInt32LE(8)),
      toServer: (flags & 3) === OUTBOUND,
      isLost: comments.some((comment) => /^(lost|dropped)\b/.test(comment)),
      bytes: block.subarray(PACKET_HEAD_BYTES + ETHERNET_BYTES, PACKET_HEAD_BYTES + bytes),
    };
  }
}

function optionsOf(bytes: Buffer): { flags: number; comments: string[] } {
  const comments: string[] = [];
  let flags = 0;
  for (let at = 0; at + 4 <= bytes.length; ) {
    const [code, length] = [bytes.readUInt16LE(at), bytes.readUInt16LE(at + 2)];
    if (code === FLAGS) flags = bytes.readUInt32LE(at + 4);
    if (code === COMMENT) comments.push(bytes.toString('utf8', at + 4, at + 4 + length));
    at += 4 + length + (-length & 3);
  }
  return { flags, comments };
}
