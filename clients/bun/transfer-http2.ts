import { once } from 'node:events';
import * as http2 from 'node:http2';
import type { Part } from '../transfer-parts.ts';
import type { Begun } from './transfer-http3.ts';
import { transferTls } from './transfer-tls.ts';
import {
  assertStatus,
  assertWhole,
  fieldsOf,
  piecesOf,
  TransferFailure,
  type Transferring,
} from './transferring.ts';

/** What a browser offers a connection, so that the window is not what limits unless it is asked to. */
export const WINDOW_BYTES = 15 * 1024 * 1024;

/** Transfers over the streams of one connection by TCP. */
export function transferByHttp2(transferring: Transferring): Begun {
  const { asked } = transferring;
  // One for stream and connection: Bun renews a stream's when half of the connection's has been read, and one that is smaller never.
  const window = asked.streamWindowBytes ?? WINDOW_BYTES;
  let session: http2.ClientHttp2Session | undefined;
  const transferAll = async () => {
    const socket = await transferTls(transferring, 'h2');
    session = http2.connect(`https://${asked.host}`, {
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
    const parts = asked.parts.map((part) => transferPart(opened, part, transferring));
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
  part: Part,
  transferring: Transferring,
): Promise<void> {
  const { host, path, durationMs } = transferring.asked;
  do {
    const request = session.request(
      { ':method': part.method, ':authority': host, ':path': path, ...fieldsOf(part) },
      { endStream: part.method === 'GET' },
    );
    let status = 0;
    let bytes = 0;
    request.on('response', (answer) => {
      status = Number(answer[':status']);
    });
    request.on('data', (piece: Buffer) => {
      bytes += piece.length;
      if (part.method === 'GET') transferring.took(piece.length);
    });
    const ended = once(request, 'end').catch((error: Error) => {
      throw new TransferFailure('cut-off', error.message);
    });
    if (part.method === 'POST') await handOver(request, part, transferring);
    await ended;
    assertStatus(status, part, path);
    if (part.method === 'GET') assertWhole(bytes, part, path);
  } while (durationMs !== null);
}

async function handOver(
  request: http2.ClientHttp2Stream,
  part: Part,
  transferring: Transferring,
): Promise<void> {
  for (const piece of piecesOf(part.bytes)) {
    const hasRoom = request.write(piece);
    transferring.took(piece.length);
    if (!hasRoom) await once(request, 'drain');
  }
  request.end();
}
