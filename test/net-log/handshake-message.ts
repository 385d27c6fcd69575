/** Content of a hello or the encrypted extensions of TLS (RFC 8446, 4.1.2, 4.1.3 and 4.3.1). */
export interface HandshakeMessage {
  type: 'client hello' | 'server hello' | 'encrypted extensions';
  /** The number of the suite that the server chose; null in other messages. */
  cipherSuite: number | null;
  /** Numbers of the extensions, as IANA assigned them. */
  extensions: Set<number>;
}

/** In a server hello: a ticket of an earlier connection was accepted (RFC 8446, 4.2.11). */
export const PRE_SHARED_KEY = 41;

/**
 * In a client hello: early data follows; in the encrypted extensions: it was accepted (RFC 8446,
 * 4.2.10).
 */
export const EARLY_DATA = 42;

/**
 * Reads the complete messages of these three kinds, in order; anything after a truncated message is
 * omitted.
 * @param bytes whole messages one after the other, each with its head, as they are before
 * encryption.
 */
export function readHandshakeMessages(bytes: Uint8Array): HandshakeMessage[] {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const messages: HandshakeMessage[] = [];
  let at = 0;
  while (at + HEAD_BYTES <= buffer.length) {
    const end = at + HEAD_BYTES + buffer.readUIntBE(at + 1, 3);
    if (end > buffer.length) break;
    const message = readMessage(buffer[at] as number, buffer.subarray(at + HEAD_BYTES, end));
    if (message) messages.push(message);
    at = end;
  }
  return messages;
}

// A byte for the kind and three for the length.
const HEAD_BYTES = 4;
// The legacy version, and the random bytes.
const HELLO_START_BYTES = 34;

function readMessage(type: number, body: Buffer): HandshakeMessage | null {
  try {
    switch (type) {
      case 1:
        return readClientHello(body);
      case 2:
        return readServerHello(body);
      case 8:
        return {
          type: 'encrypted extensions',
          cipherSuite: null,
          extensions: readExtensions(body, 0),
        };
    }
  } catch (error) {
    // A length that exceeds the message: its content is not reliable.
    if (!(error instanceof RangeError)) throw error;
  }
  return null;
}

function readClientHello(body: Buffer): HandshakeMessage {
  const ciphersAt = HELLO_START_BYTES + 1 + body.readUInt8(HELLO_START_BYTES);
  const compressionsAt = ciphersAt + 2 + body.readUInt16BE(ciphersAt);
  const extensionsAt = compressionsAt + 1 + body.readUInt8(compressionsAt);
  const extensions = readExtensions(body, extensionsAt);
  return { type: 'client hello', cipherSuite: null, extensions };
}

function readServerHello(body: Buffer): HandshakeMessage {
  const cipherAt = HELLO_START_BYTES + 1 + body.readUInt8(HELLO_START_BYTES);
  return {
    type: 'server hello',
    cipherSuite: body.readUInt16BE(cipherAt),
    // After the cipher comes one byte for the compression, unused in TLS 1.3.
    extensions: readExtensions(body, cipherAt + 3),
  };
}

function readExtensions(body: Buffer, at: number): Set<number> {
  const found = new Set<number>();
  if (at === body.length) return found; // TLS 1.2 may omit the whole list.
  const end = at + 2 + body.readUInt16BE(at);
  let next = at + 2;
  while (next < end) {
    found.add(body.readUInt16BE(next));
    next += 4 + body.readUInt16BE(next + 2);
  }
  if (next !== body.length) throw new RangeError('extensions longer or shorter than their list');
  return found;
}
