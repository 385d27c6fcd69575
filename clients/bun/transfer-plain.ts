import { once } from 'node:events';
import type { Socket } from 'node:net';
import type * as quic from 'node:quic';
import { plainRequestLine } from '../../ground/records/plain-request.ts';
import { MESSAGE_ALPN } from '../../ground/records/protocol.ts';
import type { TransferPart } from '../transfer-parts.ts';
import {
  assertComplete,
  type PendingTransfer,
  TransferFailure,
  uploadPieces,
} from './pending-transfer.ts';
import { type StartedTransfer, transferByQuic } from './transfer-quic.ts';
import { transferTcp, transferTls } from './transfer-tls.ts';

/** Transfers all parts over the streams of one QUIC connection, without HTTP. */
export function transferByStreams(pending: PendingTransfer): StartedTransfer {
  return transferByQuic(pending, MESSAGE_ALPN, overStream);
}

async function overStream(
  session: quic.QuicSession,
  part: TransferPart,
  pending: PendingTransfer,
): Promise<void> {
  if (part.method === 'POST') await pending.untilConnected();
  const stream = await session.createBidirectionalStream({});
  stream.setBody(requestOf(part, pending));
  stream.closed.catch(() => {}); // Reading fails with the same error.
  const response = takeResponse(part, pending);
  for await (const pieces of stream) {
    for (const piece of [pieces].flat()) response.take(piece);
  }
  response.end();
}

async function* requestOf(
  part: TransferPart,
  pending: PendingTransfer,
): AsyncGenerator<Uint8Array> {
  const { host, path } = pending.request;
  yield Buffer.from(plainRequestLine({ ...part, host, path }));
  if (part.method === 'POST') yield* uploadPieces(part, pending);
}

/** Transfers each part over its own TCP connection, without HTTP; with TLS unless the protocol is tcp. */
export function transferBySockets(pending: PendingTransfer): StartedTransfer {
  const sockets: Socket[] = [];
  const overSocket = async (part: TransferPart) => {
    const { protocol } = pending.request;
    const socket = await (protocol === 'tls'
      ? transferTls(pending, MESSAGE_ALPN)
      : transferTcp(pending));
    sockets.push(socket);
    const response = takeResponse(part, pending);
    const ended = Promise.withResolvers<void>();
    ended.promise.catch(() => {}); // Awaited below.
    socket.on('data', response.take);
    socket.once('end', ended.resolve);
    const cut = (error: Error | boolean) =>
      ended.reject(
        new TransferFailure('cut-off', error instanceof Error ? error.message : 'It was closed.'),
      );
    socket.once('error', cut).once('close', cut);
    for await (const piece of requestOf(part, pending)) {
      if (!socket.write(piece)) await Promise.race([once(socket, 'drain'), ended.promise]);
    }
    await ended.promise;
    response.end();
  };
  return {
    done: Promise.all(pending.request.parts.map(overSocket)).then(() => {}),
    async close() {
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** The response is the body of a download, or nothing, until its end. */
function takeResponse(part: TransferPart, pending: PendingTransfer) {
  const isDownload = part.method === 'GET';
  let bytes = 0;
  return {
    take(piece: Uint8Array): void {
      bytes += piece.length;
      if (isDownload) pending.countBytes(piece.length);
    },
    end(): void {
      assertComplete(bytes, isDownload ? part : { ...part, bytes: 0 }, pending.request.path);
    },
  };
}
