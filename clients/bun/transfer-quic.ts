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
import { type PendingTransfer, TransferFailure } from './pending-transfer.ts';

/** A started transfer: its end, and its cleanup. */
export interface StartedTransfer {
  done: Promise<void>;
  close(): Promise<void>;
  /** Sender samples. Absent: the kernel has them, or the server sends. */
  transport?: TransportSampler;
}

const CLOSE_MS = 300;

/** Transfers a part over a stream of its own. */
type TransferPartBy = (
  session: quic.QuicSession,
  part: TransferPart,
  pending: PendingTransfer,
) => Promise<void>;

/** Transfers all parts over the streams of one QUIC connection. */
export function transferByQuic(
  pending: PendingTransfer,
  alpn: string,
  transferPart: TransferPartBy,
): StartedTransfer {
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
      alpn,
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
