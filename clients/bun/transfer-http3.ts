import * as quic from 'node:quic';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  sampleTransport,
  type TransportSamples,
} from '../../ground/records/quic-session-samples.ts';
import { SENDER_STEP_MS } from '../../ground/records/sender.ts';
import type { Part } from '../transfer-parts.ts';
import { authoritiesOf } from './authorities.ts';
import { groupsOf } from './groups.ts';
import {
  assertStatus,
  assertWhole,
  fieldsOf,
  piecesOf,
  TransferFailure,
  type Transferring,
} from './transferring.ts';

/** A transfer that was begun: its end, and what is to be done behind it. */
export interface Begun {
  done: Promise<void>;
  close(): Promise<void>;
  /** Of what it sends. Absent: the kernel tells that, or there is nothing. */
  transport?: TransportSamples;
}

const CLOSE_MS = 300;

/** Transfers over the streams of one connection by QUIC. */
export function transferByHttp3(transferring: Transferring): Begun {
  const { asked } = transferring;
  // Without an address of its own it would reach nothing but loopback.
  const endpoint = new quic.QuicEndpoint({ address: '0.0.0.0:0' });
  // What a server sends it tells itself.
  const transport =
    asked.direction === 'upload' ? sampleTransport('client', SENDER_STEP_MS) : undefined;
  let session: quic.QuicSession | undefined;
  const transferAll = async () => {
    session = await quic.connect(asked.address, {
      endpoint,
      servername: asked.host,
      alpn: 'h3',
      groups: groupsOf(asked),
      verifyPeer: 'manual',
      keylog: true,
      ca: authoritiesOf({ trust: null }).map((each) => Buffer.from(each)),
      ...(asked.congestionControl && { cc: asked.congestionControl }),
      transportParams: {
        ...(asked.streamWindowBytes && {
          initialMaxStreamDataBidiLocal: asked.streamWindowBytes,
        }),
        ...(asked.connectionWindowBytes && { initialMaxData: asked.connectionWindowBytes }),
      },
      onkeylog(line) {
        transferring.keep(line);
        if (line.startsWith('CLIENT_TRAFFIC_SECRET_0')) transferring.connected();
      },
    });
    transferring.from(endpoint.address?.port);
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
    const parts = asked.parts.map((part) => transferPart(opened, part, transferring));
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
  part: Part,
  transferring: Transferring,
): Promise<void> {
  const { host, path, durationMs } = transferring.asked;
  // Bytes that are handed over before go nowhere, and would seem to take as long as the handshake.
  if (part.method === 'POST') await transferring.untilConnected();
  do {
    let status = 0;
    const stream = await session.createBidirectionalStream({
      onheaders: (answer) => {
        status = Number(answer[':status']);
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
    if (isUpload) stream.setBody(handedOver(part, transferring));
    stream.closed.catch(() => {}); // Reading it ends in that error too.
    let bytes = 0;
    for await (const pieces of stream) {
      for (const piece of [pieces].flat()) {
        bytes += piece.length;
        if (part.method === 'GET') transferring.took(piece.length);
      }
    }
    assertStatus(status, part, path);
    if (part.method === 'GET') assertWhole(bytes, part, path);
  } while (durationMs !== null);
}

async function* handedOver(part: Part, transferring: Transferring): AsyncGenerator<Uint8Array> {
  for (const piece of piecesOf(part.bytes)) {
    transferring.took(piece.length);
    yield piece;
  }
}
