import * as http2 from 'node:http2';
import type { TLSSocket } from 'node:tls';
import { ConnectionFailure, closedFailure, failureOf } from './failure.ts';
import { answerOfHttp1 } from './http1.ts';
import { fieldsOf, type Making, requestFields } from './making.ts';
import { WINDOW_BYTES } from './transfer-http2.ts';

/**
 * Asks for a path over TLS, by the version of HTTP that was agreed on, and waits for the whole answer.
 * @returns what is to be done before the connection is closed
 */
export async function answerOver(
  socket: TLSSocket,
  making: Making,
  request: { path: string },
): Promise<() => Promise<void>> {
  const { alpn: offered = [] } = making.examination ?? {};
  // A server that picks nothing speaks HTTP/1.1.
  const agreed = socket.alpnProtocol || 'http/1.1';
  if (offered.length > 0 && !offered.includes(agreed)) {
    const { host, address } = making.asked;
    const at = {
      layer: 'tls',
      expected: `${offered.join(' or ')} of ${host} at ${address}`,
    } as const;
    throw new ConnectionFailure(
      failureOf(at, 'alpn', `an agreement on no protocol, which is ${agreed}`),
    );
  }
  waitForAnswer(making, request);
  if (socket.alpnProtocol === 'h2') return answerOfHttp2(socket, making, request);
  await answerOfHttp1(socket, making, request);
  return async () => {};
}

/** From here on it is an answer that is waited for. */
export function waitForAnswer(making: Making, { path }: { path: string }): void {
  const { host, address } = making.asked;
  making.stage = () => ({
    layer: 'http',
    expected: `an answer to GET ${path} of ${host} from ${address}`,
  });
}

async function answerOfHttp2(
  socket: TLSSocket,
  making: Making,
  { path }: { path: string },
): Promise<() => Promise<void>> {
  const { asked, instants, facts, examination } = making;
  const answered = Promise.withResolvers<void>();
  const session = http2.connect(`https://${asked.authority}`, {
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
    ':authority': asked.authority,
    ':path': path,
    ...requestFields(making),
  });
  let bytes = 0;
  stream.on('response', (headers) => {
    const { ':status': status, 'alt-svc': altSvc } = headers;
    instants.firstByteMs = making.elapsedMs();
    facts.status = Number(status);
    facts.altSvc = altSvc?.toString() ?? null;
    examination?.headers.push(...fieldsOf(headers));
  });
  stream.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    making.take(chunk, stream).catch(answered.reject);
  });
  stream.on('error', answered.reject);
  stream.on('end', () => {
    // A stream also ends with its connection, in the middle of an answer.
    if (facts.status === null || stream.rstCode) return;
    instants.totalMs = making.elapsedMs();
    facts.bodyBytes = bytes;
    answered.resolve();
  });
  stream.on('close', () => answered.reject(new ConnectionFailure(closedFailure(making.stage()))));
  await answered.promise;
  return async () => {
    const closed = Promise.withResolvers<void>();
    session.close(closed.resolve);
    await making.until(closed.promise).catch(() => {});
    socket.destroy();
  };
}
