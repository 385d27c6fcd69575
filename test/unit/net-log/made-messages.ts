/** A number in this many bytes. */
export function bytesOf(number: number, count: number): Buffer {
  const buffer = Buffer.alloc(count);
  buffer.writeUIntBE(number, 0, count);
  return buffer;
}

function withLength(lengthBytes: number, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([bytesOf(body.length, lengthBytes), body]);
}

/** A handshake message of TLS with its head. */
export function message(type: number, ...parts: Buffer[]): Buffer {
  return Buffer.concat([bytesOf(type, 1), withLength(3, ...parts)]);
}

function extensions(numbers: number[]): Buffer {
  const each = numbers.map((number) =>
    Buffer.concat([bytesOf(number, 2), withLength(2, Buffer.alloc(number % 5))]),
  );
  return withLength(2, ...each);
}

const START = Buffer.alloc(34, 3);
const SESSION_ID = withLength(1, Buffer.alloc(32, 9));

/** A client hello that has these extensions. */
export function clientHello(numbers: number[]): Buffer {
  const suites = withLength(2, bytesOf(0x1301, 2), bytesOf(0x1302, 2));
  return message(1, START, SESSION_ID, suites, withLength(1, bytesOf(0, 1)), extensions(numbers));
}

/** A server hello that chose a suite and has these extensions. */
export function serverHello(suite: number, numbers: number[]): Buffer {
  return message(2, START, SESSION_ID, bytesOf(suite, 2), bytesOf(0, 1), extensions(numbers));
}

/** Encrypted extensions with these ones. */
export function encryptedExtensions(numbers: number[]): Buffer {
  return message(8, extensions(numbers));
}
