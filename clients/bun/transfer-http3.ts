import * as quic from 'node:quic';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  sampleTransport,
  type TransportSampler,
} from '../../ground/records/quic-session-samples.ts';
import { SENDER_SAMPLE_MS } from '../../ground/records/sender.ts';
import type { TransferPart } from '../transfer-parts.ts';
import { authoritiesOf } from './authorities.ts';
import { groupsOf } from './groups.ts';
import {
  assertComplete,
  assertStatus,
  fieldsOf,
  type PendingTransfer,
  piecesOf,
  TransferFailure,
} from './pending-transfer.ts';

/** A started transfer: its end, and its cleanup. */
export interface StartedTransfer {
  done: Promise<void>;
  close(): Promise<void>;
  /** Sender samples. Absent: the kernel has them, or the server sends. */
  transport?: TransportSampler;
}

const CLOSE_MS = 300;

/** Transfers all parts over the streams of one QUIC connection. */
export function transferByHttp3(pending: PendingTransfer): StartedTransfer {
  const { request } = pending;
  // Without this address it would reach only loopback.
  const endpoint = new quic.QuicEndpoint({ address: '0.0.0.0:0' });
  // For downloads the server samples its own sending.
  const transport =
    request.direction === 'upload' ? sampleTransport('client', SENDER_SAMPLE_MS) : undefined;
  let session: quic.QuicSession | undefined;
  const transferAll = async () => {
    session = await quic.connect(request.address, {
      endpoint,
      servername: request.host,
      alpn: 'h3',
      groups: groupsOf(request),
      verifyPeer: 'manual',
      keylog: true,
      ca: authoritiesOf({ trust: null }).map((each) => Buffer.from(each)),
      ...(request.congestionControl && { cc: request.congestionControl }),
      transportParams: {
        ...(request.streamWindowBytes && {
          initialMaxStreamDataBidiLocal: request.streamWindowBytes,
        }),
        ...(request.connectionWindowBytes && { initialMaxData: request.connectionWindowBytes }),
      },
      onkeylog(line) {
        pending.addKeyLogLine(line);
        if (line.startsWith('CLIENT_TRAFFIC_SECRET_0')) pending.noteConnected();
      },
    });
    pending.addClientPort(endpoint.address?.port);
    transport?.sees(session);
    const opened = session;
    const broken = opened.closed.then(
      () => Promise.reject(new TransferFailure('cut-off', 'The connection was closed.')),
      (error: Error) => Promise.reject(new TransferFailure('cut-off', error.message)),
    );
    broken.catch(() => {});
    const unopened = (error: Error) =>
      Promise.reject(new TransferFailure('connect-failed', error.message));
    opened.opened.catch(() => {});
    const parts = request.parts.map((part) => transferPart(opened, part, pending));
    await Promise.race([Promise.all(parts), broken, opened.opened.then(() => broken, unopened)]);
  };
  return {
    done: transferAll(),
    async close() {
      const closing = session?.close().catch(() => {});
      await Promise.race([closing, sleep(CLOSE_MS)]);
      session?.destroy();
      await Promise.race([endpoint.close().catch(() => {}), sleep(CLOSE_MS)]);
      endpoint.destroy();
    },
    transport,
  };
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

async function* uploadPieces(
  part: TransferPart,
  pending: PendingTransfer,
): AsyncGenerator<Uint8Array> {
  for (const piece of piecesOf(part.bytes)) {
    pending.countBytes(piece.length);
    yield piece;
  }
}
