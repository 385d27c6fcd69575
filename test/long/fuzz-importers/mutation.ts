import type { Choices } from './random.ts';

/** The same bytes with some damage, or with an inserted token of one of the formats. */
export function mutated(choices: Choices, content: Buffer): Buffer {
  let bytes: Buffer = Buffer.from(content);
  const times = 1 + choices.number(4);
  for (let made = 0; made < times; made++) bytes = choices.pick(MUTATIONS)(choices, bytes);
  return bytes;
}

/** Half of the archives are sound in themselves, so that odd exchanges reach the importer. */
export function maybeMutated(choices: Choices, content: Buffer): Buffer {
  return choices.chance(50) ? mutated(choices, content) : content;
}

// biome-ignore format: a line for each says no more.
const TOKENS = [
  '\0', '\r\n', '\r\n\r\n', '\n\n', '"', '\\', '{', '}', '[', ']', ',', ':', 'null', '-1', '1e999',
  '99999999999', '../', '\x1f\x8b', 'PK\x03\x04', 'PK\x05\x06', 'WARC/1.0\r\n', 'HTTP/1.1 200 OK\r\n',
  'HTTP/1.1 100 Continue\r\n\r\n', 'Content-Length: 0\r\n', '\xff\xff\xff\xff\x0f', '\x80', '\x0b', '\xf0\x9f',
  '"__proto__":', '<urn:uuid:0>', '\ud800',
];

const MUTATIONS: readonly ((choices: Choices, bytes: Buffer) => Buffer)[] = [
  // One byte, one bit.
  (choices, bytes) => changed(bytes, choices.number(bytes.length + 1), choices.number(256)),
  (choices, bytes) => {
    const at = choices.number(bytes.length + 1);
    return changed(bytes, at, (bytes[at] ?? 0) ^ (1 << choices.number(8)));
  },
  // Truncated.
  (choices, bytes) => bytes.subarray(0, choices.number(bytes.length + 1)),
  (choices, bytes) => bytes.subarray(choices.number(Math.min(64, bytes.length + 1))),
  // A part removed, or repeated once or many times.
  (choices, bytes) => {
    const { start, end } = part(choices, bytes);
    return Buffer.concat([bytes.subarray(0, start), bytes.subarray(end)]);
  },
  (choices, bytes) => {
    const { start, end } = part(choices, bytes);
    const times = choices.pick([2, 2, 20]);
    return Buffer.concat([
      bytes.subarray(0, start),
      ...Array.from({ length: times }, () => bytes.subarray(start, end)),
      bytes.subarray(end),
    ]);
  },
  // Something inserted.
  (choices, bytes) => inserted(choices, bytes, Buffer.from(choices.pick(TOKENS), 'latin1')),
  (choices, bytes) => inserted(choices, bytes, choices.bytes(1 + choices.number(16))),
  (choices, bytes) =>
    inserted(
      choices,
      bytes,
      Buffer.alloc(1 + choices.number(30_000), choices.pick([0, 32, 10, 13, 65, 91])),
    ),
];

function changed(bytes: Buffer, at: number, value: number): Buffer {
  const copy = Buffer.from(bytes);
  if (at < copy.length) copy[at] = value;
  return copy;
}

function inserted(choices: Choices, bytes: Buffer, more: Buffer): Buffer {
  const at = choices.number(bytes.length + 1);
  return Buffer.concat([bytes.subarray(0, at), more, bytes.subarray(at)]);
}

function part(choices: Choices, bytes: Buffer): { start: number; end: number } {
  const start = choices.number(bytes.length + 1);
  return {
    start,
    end: Math.min(bytes.length, start + choices.number(choices.pick([8, 200, 5_000]))),
  };
}
