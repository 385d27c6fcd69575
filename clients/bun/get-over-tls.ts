import * as http2 from 'node:http2';
import type { TLSSocket } from 'node:tls';
import { ConnectionFailure, closedFailure, failureOf } from './failure.ts';
import { getByHttp1 } from './get-by-http1.ts';
import { fieldsOf, type PendingConnection, requestFields } from './pending-connection.ts';
import { WINDOW_BYTES } from './transfer-http2.ts';

/**
 * Sends GET by the negotiated version of HTTP and waits for the whole response.
 * @returns cleanup to run before the connection closes
 */
export async function getOverTls(
  socket: TLSSocket,
  pending: PendingConnection,
  request: { path: string },
): Promise<() => Promise<void>> {
  const { alpn: offered = [] } = pending.examination ?? {};
  // Without ALPN the server speaks HTTP/1.1.
  const agreed = socket.alpnProtocol || 'http/1.1';
  if (offered.length > 0 && !offered.includes(agreed)) {
    const { host, address } = pending.target;
    const at = {
      layer: 'tls',
      expected: `${offered.join(' or ')} of ${host} at ${address}`,
    } as const;
    throw new ConnectionFailure(
      failureOf(at, 'alpn', `an agreement on no protocol, which is ${agreed}`),
    );
  }
  expectResponse(pending, request);
  if (socket.alpnProtocol === 'h2') return getByHttp2(socket, pending, request);
  await getByHttp1(socket, pending, request);
  return async () => {};
}

/** Sets the stage to waiting for the response. */
export function expectResponse(pending: PendingConnection, { path }: { path: string }): void {
  const { host, address } = pending.target;
  pending.stage = () => ({
    layer: 'http',
    expected: `an answer to GET ${path} of ${host} from ${address}`,
  });
}

async function getByHttp2(
  socket: TLSSocket,
  pending: PendingConnection,
  { path }: { path: string },
): Promise<() => Promise<void>> {
  const { target, times, facts, examination } = pending;
  const answered = Promise.withResolvers<void>();
  const session = http2.connect(`https://${target.authority}`, {
    createConnection: () => socket,
    ...(examination && { settings: { initialWindowSize: WINDOW_BYTES, enablePush: false } }),
  });
  if (examination) session.on('connect', () => session.setLocalWindowSize(WINDOW_BYTES));
  session.on('error', answered.reject);
  session.on('goaway', (code) => {
    if (code !== 0) answered.reject(new Error(`the session was closed with error code ${code}`));
  });
  const stream = session.request({
    ':method': 'GET',
    ':authority': target.authority,
    ':path': path,
    ...requestFields(pending),
  });
  let bytes = 0;
  stream.on('response', (headers) => {
    const { ':status': status, 'alt-svc': altSvc } = headers;
    times.firstByteMs = pending.elapsedMs();
    facts.status = Number(status);
    facts.altSvc = altSvc?.toString() ?? null;
    examination?.headers.push(...fieldsOf(headers));
  });
  stream.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    pending.take(chunk, stream).catch(answered.reject);
  });
  stream.on('error', answered.reject);
  stream.on('end', () => {
    // A stream also ends with its connection, during a response.
    if (facts.status === null || stream.rstCode) return;
    times.totalMs = pending.elapsedMs();
    facts.bodyBytes = bytes;
    answered.resolve();
  });
  stream.on('close', () => answered.reject(new ConnectionFailure(closedFailure(pending.stage()))));
  await answered.promise;
  return async () => {
    const closed = Promise.withResolvers<void>();
    session.close(closed.resolve);
    await pending.until(closed.promise).catch(() => {});
    socket.destroy();
  };
}
