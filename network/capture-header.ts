interface CaptureDescription {
  program: string;
  /** What the packets are, as a sentence or more. */
  comment: string;
  /** IPv4 address to the names that people know it by. */
  names: ReadonlyMap<string, readonly string[]>;
  /** Text of an NSS key log. */
  keyLog: string;
}

const SECTION = 0x0a0d0d0a;
const INTERFACE = 1;
const NAMES = 4;
const SECRETS = 10;

const COMMENT = 1;
const SECTION_PROGRAM = 4;
const INTERFACE_NAME = 2;
const TIME_RESOLUTION = 9;

const BYTE_ORDER = 0x1a2b3c4d;
const UNKNOWN_LENGTH = 0xffff_ffff;
const ETHERNET = 1;
const NANOSECONDS = 9;
const IPV4_NAMES = 1;
const TLS_KEY_LOG = 0x544c534b;

/**
 * The beginning of a pcapng file (draft-ietf-opsawg-pcapng): one interface with Ethernet frames and times in ns, the names of
 * addresses, and the secrets that open what follows. Packet blocks are appended to it.
 */
export function captureHeader({ program, comment, names, keyLog }: CaptureDescription): Buffer {
  const keys = Buffer.from(keyLog);
  return Buffer.concat([
    block(
      SECTION,
      u32(BYTE_ORDER),
      u16(1, 0),
      u32(UNKNOWN_LENGTH, UNKNOWN_LENGTH),
      options([SECTION_PROGRAM, Buffer.from(program)], [COMMENT, Buffer.from(comment)]),
    ),
    block(
      INTERFACE,
      u16(ETHERNET, 0),
      u32(0),
      options(
        [INTERFACE_NAME, Buffer.from("the client's end of the path")],
        [TIME_RESOLUTION, Buffer.of(NANOSECONDS)],
      ),
    ),
    ...(keys.length === 0 ? [] : [block(SECRETS, u32(TLS_KEY_LOG, keys.length), padded(keys))]),
    block(NAMES, ...[...names].map(([address, known]) => nameRecord(address, known)), u16(0, 0)),
  ]);
}

function nameRecord(address: string, names: readonly string[]): Buffer {
  const text = names.map((name) => `${name}\0`).join('');
  return field(
    IPV4_NAMES,
    Buffer.concat([Buffer.from(address.split('.').map(Number)), Buffer.from(text)]),
  );
}

/** A block of pcapng, with its length at both ends. */
function block(type: number, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  const length = u32(12 + body.length);
  return Buffer.concat([u32(type), length, body, length]);
}

function options(...list: readonly (readonly [code: number, value: Buffer])[]): Buffer {
  return Buffer.concat([...list.map(([code, value]) => field(code, value)), u16(0, 0)]);
}

function field(code: number, value: Buffer): Buffer {
  return Buffer.concat([u16(code, value.length), padded(value)]);
}

/** Fills the last word of 32 bits with zeros. */
function padded(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, Buffer.alloc(-bytes.length & 3)]);
}

function u16(...numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(2 * numbers.length);
  for (const [index, number] of numbers.entries()) bytes.writeUInt16LE(number, 2 * index);
  return bytes;
}

function u32(...numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * numbers.length);
  for (const [index, number] of numbers.entries()) bytes.writeUInt32LE(number, 4 * index);
  return bytes;
}
