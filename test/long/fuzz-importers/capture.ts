import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { type FuzzInput, oneFile } from './input.ts';
import { maybeMutated, mutated } from './mutation.ts';
import type { Choices } from './random.ts';
import { seedsIn } from './seeds.ts';

const CAPTURES = path.join(import.meta.dirname, '..', '..', 'fixtures', 'captures');
const SEEDS = [...seedsIn(CAPTURES, '*.pcap{,ng}').values()];
const KEYS = [...seedsIn(CAPTURES, '*.keys').values()];

/** Next to a capture, in half of the cases. */
export const KEYS_FILE = 'a/keys';

/**
 * A capture with packets lost, repeated, truncated, damaged or reordered, written by another
 * program, or damaged as a file.
 */
export function capture(choices: Choices): FuzzInput {
  const seed = choices.pick(SEEDS);
  const pieces = isPcap(seed) ? packetsOf(seed) : blocksOf(seed);
  const [head, ...packets] = pieces;
  let content: Buffer = Buffer.concat([head as Buffer, ...changed(choices, packets)]);
  if (isPcap(seed) && choices.chance(30)) content = otherHead(choices, content);
  if (choices.chance(30)) content = mutated(choices, content);
  if (choices.chance(20)) content = maybeMutated(choices, gzipSync(content));
  const input = oneFile('a/a.pcapng', content);
  if (choices.chance(50)) {
    input.files.set(KEYS_FILE, maybeMutated(choices, choices.pick(KEYS)));
  }
  return input;
}

function changed(choices: Choices, packets: Buffer[]): Buffer[] {
  const out = [...packets];
  for (let times = choices.number(4); times > 0 && out.length > 0; times--) {
    const at = choices.number(out.length);
    const packet = out[at] as Buffer;
    switch (choices.number(5)) {
      case 0:
        out.splice(at, 1 + choices.number(5));
        break;
      case 1:
        out.splice(choices.number(out.length), 0, packet);
        break;
      case 2:
        out.splice(at, 1);
        out.splice(choices.number(out.length + 1), 0, packet);
        break;
      case 3:
        out.splice(0, out.length, ...out.flatMap((each) => [each, each]));
        break;
      default:
        out[at] = damaged(choices, packet);
    }
  }
  return out;
}

/** The bytes before the frame stay, or the rest of the file would be lost with it. */
const FRAME_AT = 28;

function damaged(choices: Choices, packet: Buffer): Buffer {
  const copy = Buffer.from(packet);
  for (let times = 1 + choices.number(8); times > 0 && copy.length > FRAME_AT + 4; times--) {
    // Most decisions of programs depend on the first headers.
    const most = choices.chance(70) ? Math.min(copy.length - 4, FRAME_AT + 80) : copy.length - 4;
    copy[FRAME_AT + choices.number(most - FRAME_AT)] = choices.pick([0, 255, choices.number(256)]);
  }
  return copy;
}

function isPcap(file: Buffer): boolean {
  return file.readUInt32LE(0) === 0xa1b2c3d4;
}

/**
 * Kinds of first headers: Ethernet, raw IP, null, SLL, SLL2, PPP, Wi-Fi, USB; and invalid numbers.
 */
const LINK_TYPES = [1, 101, 0, 113, 276, 9, 105, 189, 65_535];

function otherHead(choices: Choices, file: Buffer): Buffer {
  const copy = Buffer.from(file);
  copy.writeUInt32LE(choices.pick([0xa1b2c3d4, 0xa1b23c4d, 0xd4c3b2a1]), 0);
  copy.writeUInt32LE(choices.pick([0, 1, 60, 65_535, 0xffffffff]), 16);
  copy.writeUInt32LE(choices.pick(LINK_TYPES), 20);
  return copy;
}

function packetsOf(file: Buffer): Buffer[] {
  const pieces = [file.subarray(0, 24)];
  for (let at = 24; at < file.length; ) {
    const end = at + 16 + file.readUInt32LE(at + 8);
    pieces.push(file.subarray(at, end));
    at = end;
  }
  return pieces;
}

function blocksOf(file: Buffer): Buffer[] {
  const pieces: Buffer[] = [];
  for (let at = 0; at < file.length; ) {
    const end = at + file.readUInt32LE(at + 4);
    pieces.push(file.subarray(at, end));
    at = end;
  }
  return pieces;
}
