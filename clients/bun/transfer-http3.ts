import type * as quic from 'node:quic';
import type { TransferPart } from '../transfer-parts.ts';
import {
  assertComplete,
  assertStatus,
  fieldsOf,
  type PendingTransfer,
  uploadPieces,
} from './pending-transfer.ts';
import { type StartedTransfer, transferByQuic } from './transfer-quic.ts';

/** Transfers all parts over the streams of one QUIC connection. */
export function transferByHttp3(pending: PendingTransfer): StartedTransfer {
  return transferByQuic(pending, 'h3', transferPart);
}

async function transferPart(
  session: quic.QuicSession,
  part: TransferPart,
  pending: PendingTransfer,
): Promise<void> {
  const { host, path, durationMs } = pending.request;
  // Earlier bytes would only wait in a buffer, and add the handshake's time.
  if (part.method === 'POST') await pending.untilConnected();
  do {
    let status = 0;
    const stream = await session.createBidirectionalStream({
      onheaders: (answer) => {
        status = Number(answer[':status']);
        pending.noteServerTiming(answer['server-timing']);
      },
    });
    const fields = {
      ':method': part.method,
      ':scheme': 'https',
      ':authority': host,
      ':path': path,
    };
    const isUpload = part.method === 'POST';
    stream.sendHeaders({ ...fields, ...fieldsOf(part) }, { terminal: !isUpload });
    if (isUpload) stream.setBody(uploadPieces(part, pending));
    stream.closed.catch(() => {}); // Reading fails with the same error.
    let bytes = 0;
    for await (const pieces of stream) {
      for (const piece of [pieces].flat()) {
        bytes += piece.length;
        if (part.method === 'GET') pending.countBytes(piece.length);
      }
    }
    assertStatus(status, part, path);
    if (part.method === 'GET') assertComplete(bytes, part, path);
  } while (durationMs !== null);
}
