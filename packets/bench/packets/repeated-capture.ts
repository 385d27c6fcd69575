import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';

const INTERFACE_BLOCK = 1;
const PACKET_BLOCK = 6;
const ETHERNET = 1;
const ETHERNET_BYTES = 14;
/** First parts of addresses that repetitions take turns with. */
const NETWORKS = 220;

/**
 * Writes the packets of a pcapng file of IPv4 again and again, each time later and between other addresses, so that connections are new.
 * @returns how many packets were written
 * @throws Error when the file is no pcapng, or has no packets
 */
export async function writeRepeated(from: string, to: string, mostBytes: number): Promise<number> {
  const blocks = blocksOf(await readFile(from));
  const packets = blocks.filter((block) => block.readUInt32LE(0) === PACKET_BLOCK);
  const [first, last] = [packets[0], packets.at(-1)];
  if (!first || !last) throw new Error(`${from}: expected a pcapng file with packets`);
  const link = blocks.find((block) => block.readUInt32LE(0) === INTERFACE_BLOCK)?.readUInt16LE(8);
  const ipAt = 28 + (link === ETHERNET ? ETHERNET_BYTES : 0);
  const turn = timeOf(last) - timeOf(first) + 1n;
  const file = createWriteStream(to);
  const write = async (bytes: Buffer) => {
    if (!file.write(bytes)) await once(file, 'drain');
  };
  await write(Buffer.concat(blocks.slice(0, blocks.indexOf(first))));
  let written = 0;
  for (let round = 0; file.bytesWritten < mostBytes; round++) {
    await write(Buffer.concat(packets.map((each) => later(each, round, turn, ipAt))));
    written += packets.length;
  }
  file.end();
  await once(file, 'close');
  return written;
}

function blocksOf(file: Buffer): Buffer[] {
  const blocks: Buffer[] = [];
  for (let at = 0; at + 12 <= file.length; ) {
    const end = at + Math.max(12, file.readUInt32LE(at + 4));
    blocks.push(file.subarray(at, end));
    at = end;
  }
  return blocks;
}

function timeOf(packet: Buffer): bigint {
  return (BigInt(packet.readUInt32LE(12)) << 32n) | BigInt(packet.readUInt32LE(16));
}

function later(packet: Buffer, round: number, turn: bigint, ipAt: number): Buffer {
  const copy = Buffer.from(packet);
  const time = timeOf(packet) + BigInt(round) * turn;
  copy.writeUInt32LE(Number(time >> 32n), 12);
  copy.writeUInt32LE(Number(time & 0xffff_ffffn), 16);
  for (const at of [ipAt + 12, ipAt + 16]) {
    copy[at] = 1 + (round % NETWORKS);
    copy[at + 1] = ((copy[at + 1] as number) + Math.floor(round / NETWORKS)) & 0xff;
  }
  return copy;
}
