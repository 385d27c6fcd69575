import { once } from 'node:events';
import type { TLSSocket } from 'node:tls';
import type { TransferPart } from '../transfer-parts.ts';
import { MAX_HEAD_BYTES } from './http1-response-reader.ts';
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

const HEAD_END = '\r\n\r\n';

/** Transfers each part over its own TCP connection. */
export function transferByHttp1(pending: PendingTransfer): StartedTransfer {
  const sockets: TLSSocket[] = [];
  const transferPart = async (part: TransferPart) => {
    const socket = await transferTls(pending, 'http/1.1');
    sockets.push(socket);
    do await requestOver(socket, part, pending);
    while (pending.request.durationMs !== null);
  };
  return {
    done: Promise.all(pending.request.parts.map(transferPart)).then(() => {}),
    async close() {
      for (const socket of sockets) socket.destroy();
    },
  };
}

async function requestOver(
  socket: TLSSocket,
  part: TransferPart,
  pending: PendingTransfer,
): Promise<void> {
  const { host, path } = pending.request;
  const fields = Object.entries({ host, ...fieldsOf(part) }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  const answered = Promise.withResolvers<void>();
  let head = '';
  let expected: number | null = null;
  let bytes = 0;
  const end = (error: unknown = null) => {
    try {
      if (error !== null) throw error;
      assertStatus(Number(/^HTTP\/1\.[01] (\d{3})/.exec(head)?.[1]), part, path);
      if (part.method === 'GET') assertComplete(bytes, part, path);
      answered.resolve();
    } catch (thrown) {
      answered.reject(thrown);
    }
  };
  const take = (chunk: Buffer) => {
    let body = chunk;
    if (expected === null) {
      const before = Buffer.byteLength(head, 'latin1');
      head += chunk.toString('latin1');
      const headEnd = head.indexOf(HEAD_END);
      if (headEnd < 0) {
        if (head.length > MAX_HEAD_BYTES) {
          end(
            new TransferFailure(
              'http-error',
              `The response headers have more than ${MAX_HEAD_BYTES} bytes.`,
            ),
          );
        }
        return;
      }
      body = chunk.subarray(headEnd + HEAD_END.length - before);
      head = head.slice(0, headEnd);
      expected = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
      pending.noteServerTiming(/\r\nserver-timing: *([^\r]*)/i.exec(head)?.[1]);
    }
    bytes += body.length;
    if (part.method === 'GET') pending.countBytes(body.length);
    if (bytes >= expected) end();
  };
  const cut = (error: Error | boolean) =>
    end(
      new TransferFailure(
        'cut-off',
        error instanceof Error ? error.message : `The connection was closed after ${bytes} bytes.`,
      ),
    );
  socket.on('data', take).once('error', cut).once('close', cut);
  try {
    socket.write(`${part.method} ${path} HTTP/1.1\r\n${fields.join('\r\n')}${HEAD_END}`);
    if (part.method === 'POST') {
      for (const piece of piecesOf(part.bytes)) {
        const hasRoom = socket.write(piece);
        pending.countBytes(piece.length);
        if (!hasRoom) await Promise.race([once(socket, 'drain'), answered.promise]);
      }
    }
    await answered.promise;
  } finally {
    socket.off('data', take).off('error', cut).off('close', cut);
  }
}
