import { dlopen } from 'bun:ffi';
import { once } from 'node:events';
import http2 from 'node:http2';
import type { AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { KEY_EXCHANGE_GROUPS } from '../../ground/records/key-exchange.ts';
import { type PendingBody, type Priority, priorityOf, scheduleBodies } from './body-schedule.ts';
import type { Answer, Program, TransportSettings } from './contract.ts';
import type { Body } from './recorded-site.ts';
import { readRequest } from './stream-request.ts';

/** Of a body, at a time: one frame. */
const PIECE_BYTES = 2 ** 14;
/** Of a file, at a time. */
const READ_BYTES = 2 ** 20;

/** As Bun.serve announces. */
const MOST_STREAMS = 256;

/** HTTP/2 by Bun's node:http2, with bodies in the selected order: Bun.serve has no say in the order. */
export function orderedHttp2({
  keyExchange,
  responseOrder,
}: Pick<TransportSettings, 'keyExchange' | 'responseOrder'>): Program {
  const prioritize = responseOrder === 'interleaved' ? () => IN_TURN : priorityOf;
  return {
    async details() {
      return { program: `Bun ${Bun.version}`, language: 'TypeScript', library: 'node:http2' };
    },
    async listen({ ip, port, certificate, key }, answer) {
      const server = http2.createSecureServer({
        key,
        cert: certificate,
        ecdhCurve: KEY_EXCHANGE_GROUPS[keyExchange],
        settings: { maxConcurrentStreams: MOST_STREAMS },
      });
      server.on('session', (session) => handleSession(session, { answer, prioritize }));
      server.listen(port, ip);
      await once(server, 'listening');
      limitUnsent(server);
      return (server.address() as AddressInfo).port;
    },
  };
}

/** Equal for all bodies, which take turns. */
const IN_TURN: Priority = { urgency: 3, isIncremental: true };

function handleSession(
  session: http2.ServerHttp2Session,
  { answer, prioritize }: { answer: Answer; prioritize: typeof priorityOf },
): void {
  const addBody = scheduleBodies();
  // A browser that closes resets its streams and sessions: not an error of the server.
  session.on('error', () => {});
  session.on('stream', async (stream, fields) => {
    stream.on('error', () => {});
    const request = await readRequest(fields, stream);
    const { status, headers, body, bytes } = await answer(request, () => stream.destroyed);
    if (stream.destroyed) return;
    const isEmpty = body === null || bytes === 0;
    stream.respond({ ':status': status, ...headers }, { endStream: isEmpty });
    if (isEmpty) return;
    const priority = prioritize(request.header('priority'));
    addBody({ priority, sendPiece: senderOf(stream, body, bytes) });
  });
}

function senderOf(
  stream: http2.ServerHttp2Stream,
  body: Body,
  bytes: number,
): PendingBody['sendPiece'] {
  const pieces = piecesOf(body, bytes);
  let sentBytes = 0;
  return async () => {
    const { value: piece, done } = await pieces.next();
    // The file has become shorter: a truncated body must not look complete.
    if (done) stream.close(http2.constants.NGHTTP2_INTERNAL_ERROR);
    if (done || stream.destroyed) return false;
    sentBytes += piece.length;
    const isLast = sentBytes === bytes;
    await new Promise<unknown>((resolve) => {
      if (isLast) stream.end(piece, () => resolve(null));
      else stream.write(piece, resolve);
    });
    // Until Bun's own callback ends, Bun takes pieces that the socket does not: up to 1 MB, in any order.
    await setImmediate();
    return !isLast;
  };
}

async function* piecesOf(body: Body, bytes: number): AsyncGenerator<Uint8Array, void> {
  for (let from = 0; from < bytes; from += READ_BYTES) {
    const part = await (body instanceof Blob
      ? body.slice(from, from + READ_BYTES).bytes()
      : body.subarray(from, from + READ_BYTES));
    for (let at = 0; at < part.length; at += PIECE_BYTES) yield part.subarray(at, at + PIECE_BYTES);
  }
}

/** Limits what the kernel holds unsent, as that is sent in any order. Accepted connections inherit it. */
function limitUnsent(server: http2.Http2SecureServer): void {
  const { fd } = (server as unknown as { _handle: { fd: number } })._handle;
  const { setsockopt } = dlopen('libc.so.6', {
    setsockopt: { args: ['i32', 'i32', 'i32', 'buffer', 'u32'], returns: 'i32' },
  }).symbols;
  const value = new Int32Array([PIECE_BYTES]);
  const failed = setsockopt(fd, IPPROTO_TCP, TCP_NOTSENT_LOWAT, value, value.byteLength);
  if (failed !== 0) throw new Error('TCP_NOTSENT_LOWAT cannot be set');
}

// Of Linux.
const IPPROTO_TCP = 6;
const TCP_NOTSENT_LOWAT = 25;
