import { once } from 'node:events';
import * as http2 from 'node:http2';
import type { TransferPart } from '../transfer-parts.ts';
import {
  assertComplete,
  assertStatus,
  fieldsOf,
  type PendingTransfer,
  piecesOf,
  TransferFailure,
} from './pending-transfer.ts';
import type { StartedTransfer } from './transfer-quic.ts';
import { transferTls } from './transfer-tls.ts';

/** A browser's connection window, so that the window is not the limit by default. */
export const WINDOW_BYTES = 15 * 1024 * 1024;

/** Transfers all parts over the streams of one TCP connection. */
export function transferByHttp2(pending: PendingTransfer): StartedTransfer {
  const { request } = pending;
  // Stream and connection have the same window: Bun renews a stream's window after half of the connection's was read, so it
  // never renews a smaller one.
  const window = request.streamWindowBytes ?? WINDOW_BYTES;
  let session: http2.ClientHttp2Session | undefined;
  const transferAll = async () => {
    const socket = await transferTls(pending, 'h2');
    session = http2.connect(`https://${request.host}`, {
      createConnection: () => socket,
      settings: { initialWindowSize: window, enablePush: false },
    });
    const opened = session;
    opened.on('connect', () => opened.setLocalWindowSize(window));
    const broken = new Promise<never>((_, reject) => {
      opened.on('error', ({ message }) => reject(new TransferFailure('cut-off', message)));
      opened.on('close', () =>
        reject(new TransferFailure('cut-off', 'The connection was closed.')),
      );
    });
    broken.catch(() => {});
    const parts = request.parts.map((part) => transferPart(opened, part, pending));
    await Promise.race([Promise.all(parts), broken]);
  };
  return {
    done: transferAll(),
    async close() {
      session?.destroy();
    },
  };
}

async function transferPart(
  session: http2.ClientHttp2Session,
  part: TransferPart,
  pending: PendingTransfer,
): Promise<void> {
  const { host, path, durationMs } = pending.request;
  do {
    const request = session.request(
      { ':method': part.method, ':authority': host, ':path': path, ...fieldsOf(part) },
      { endStream: part.method === 'GET' },
    );
    let status = 0;
    let bytes = 0;
    request.on('response', (answer) => {
      status = Number(answer[':status']);
      pending.noteServerTiming(answer['server-timing']);
    });
    request.on('data', (piece: Buffer) => {
      bytes += piece.length;
      if (part.method === 'GET') pending.countBytes(piece.length);
    });
    const ended = once(request, 'end').catch((error: Error) => {
      throw new TransferFailure('cut-off', error.message);
    });
    if (part.method === 'POST') await writePieces(request, part, pending);
    await ended;
    assertStatus(status, part, path);
    if (part.method === 'GET') assertComplete(bytes, part, path);
  } while (durationMs !== null);
}

async function writePieces(
  request: http2.ClientHttp2Stream,
  part: TransferPart,
  pending: PendingTransfer,
): Promise<void> {
  for (const piece of piecesOf(part.bytes)) {
    const hasRoom = request.write(piece);
    pending.countBytes(piece.length);
    if (!hasRoom) await once(request, 'drain');
  }
  request.end();
}
