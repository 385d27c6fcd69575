import { finished } from 'node:stream/promises';
import { BoundedBuffer } from './bounded-buffer.ts';

/**
 * Reads a stream to its end.
 * @param what name in messages
 * @throws TooLargeError when it has more bytes, after destroying the stream
 */
export async function boundedBody(
  source: AsyncIterable<Uint8Array>,
  maxBytes: number,
  what: string,
): Promise<Buffer> {
  const body = new BoundedBuffer(maxBytes, what);
  for await (const piece of source) body.add(piece);
  return body.take();
}

/** Maximum output of a program. */
export const OUTPUT_BYTES = 16_000_000;

/** Reads stderr of a program to its end and keeps its tail. */
export async function readErrorTail(source: NodeJS.ReadableStream | null): Promise<string> {
  const tail = collectTail(source);
  if (source !== null) await finished(source).catch(() => {});
  return tail();
}

const COMPLAINT_CHARACTERS = 4000;

/** Returns the tail of the output so far. */
export function collectTail(
  source: NodeJS.ReadableStream | null,
  characters = COMPLAINT_CHARACTERS,
): () => string {
  let tail = '';
  source?.on('data', (piece) => {
    tail += piece;
    // Rarely, since each time copies it.
    if (tail.length > 2 * characters) tail = tail.slice(-characters);
  });
  return () => tail.slice(-characters);
}
