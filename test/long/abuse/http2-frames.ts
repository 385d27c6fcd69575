/** Types of HTTP/2 frames (RFC 9113, section 6). */
export const FRAME = {
  data: 0,
  headers: 1,
  priority: 2,
  reset: 3,
  settings: 4,
  pushPromise: 5,
  ping: 6,
  goAway: 7,
  windowUpdate: 8,
  continuation: 9,
} as const;

export const FLAG = {
  endStream: 1,
  acknowledged: 1,
  endHeaders: 4,
  padded: 8,
  priority: 32,
} as const;

export const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');

/** A frame; `length` is its declared, possibly wrong length. */
export function frame(
  type: number,
  flags: number,
  stream: number,
  payload: Uint8Array = Buffer.alloc(0),
  length = payload.length,
): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream >>> 0, 5);
  return Buffer.concat([head, payload]);
}

/** The payload of a SETTINGS frame. */
export function settings(...pairs: (readonly [id: number, value: number])[]): Buffer {
  const payload = Buffer.alloc(pairs.length * 6);
  for (const [index, [id, value]] of pairs.entries()) {
    payload.writeUInt16BE(id, index * 6);
    payload.writeUInt32BE(value >>> 0, index * 6 + 2);
  }
  return payload;
}

export const SETTING = { tableSize: 1, push: 2, streams: 3, window: 4, frameSize: 5 } as const;

/** Four bytes of a number, for WINDOW_UPDATE and RST_STREAM. */
export function word(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value >>> 0);
  return bytes;
}

/** Header fields in HPACK without compression (RFC 7541, section 6.2.2). */
export function fieldBlock(fields: readonly (readonly [name: string, value: string])[]): Buffer {
  return Buffer.concat(
    fields.flatMap(([name, value]) => [Buffer.from([0]), text(name), text(value)]),
  );
}

/** A field for the receiver's table, to be referenced again by one byte. */
export function keptField(name: string, value: string): Buffer {
  return Buffer.concat([Buffer.from([0x40]), text(name), text(value)]);
}

/** The newest field of the receiver's table, once more. */
export const NEWEST_KEPT_FIELD = 0x80 | 62;

/** The fields that every request has. */
export function requestFields(
  host: string,
  path: string,
  method = 'GET',
): [name: string, value: string][] {
  return [
    [':method', method],
    [':scheme', 'https'],
    [':authority', host],
    [':path', path],
  ];
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value, 'latin1');
  return Buffer.concat([number(bytes.length), bytes]);
}

/** A number with a prefix of 7 bits (RFC 7541, section 5.1). */
function number(value: number): Buffer {
  if (value < 127) return Buffer.from([value]);
  const bytes = [127];
  let rest = value - 127;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return Buffer.from([...bytes, rest]);
}
