/** A whole number of so many bytes. */
export function number(value: number, bytes: number): Buffer {
  const written = Buffer.alloc(bytes);
  written.writeUIntBE(value, 0, bytes);
  return written;
}

/** Bytes behind a number of so many bytes that tells how many they are: what Reader.list reads. */
export function list(bytes: Buffer, lengthBytes: number): Buffer {
  return Buffer.concat([number(bytes.length, lengthBytes), bytes]);
}

export function varint(value: number): Buffer {
  return value < 64 ? number(value, 1) : number(0x4000 | value, 2);
}
