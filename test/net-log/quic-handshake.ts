import { type HandshakeMessage, readHandshakeMessages } from './handshake-message.ts';

/**
 * Collects the handshake data of a QUIC server; it comes in frames that may be split, repeated or
 * out of order.
 */
export interface QuicHandshake {
  /** Adds the parameters of one QUIC_SESSION_CRYPTO_FRAME_RECEIVED. */
  add(params: Record<string, unknown>): void;
  /** The server's hello; null while it is incomplete. */
  serverHello(): HandshakeMessage | null;
}

export function createQuicHandshake(): QuicHandshake {
  const frames: { offset: number; bytes: Buffer }[] = [];
  return {
    add({ bytes, offset, encryption_level: level }) {
      // The hello alone is sent at this level; the levels after it count from zero again.
      if (level !== 'ENCRYPTION_INITIAL' || typeof bytes !== 'string') return;
      frames.push({ offset: Number(offset), bytes: Buffer.from(bytes, 'base64') });
    },
    serverHello() {
      const messages = readHandshakeMessages(joined(frames));
      // A HelloRetryRequest is a server hello too; the last one is the response.
      return messages.findLast(({ type }) => type === 'server hello') ?? null;
    },
  };
}

function joined(frames: readonly { offset: number; bytes: Buffer }[]): Buffer {
  let whole = Buffer.alloc(0);
  for (const { offset, bytes } of frames.toSorted((a, b) => a.offset - b.offset)) {
    if (offset > whole.length) break;
    whole = Buffer.concat([whole, bytes.subarray(whole.length - offset)]);
  }
  return whole;
}
