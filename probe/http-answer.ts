import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:http2';
import type { TLSSocket } from 'node:tls';
import { Failure, failureOf, within } from './failure.ts';

/** What the answer to a request says. */
export interface HttpAnswer {
  status: number;
  altSvc: string | null;
}

/** What is asked for. */
export interface AskedResource {
  /** The host and its port, as URLs have them. */
  authority: string;
  /** Path and query. */
  path: string;
}

const USER_AGENT = 'quic-vs-https';

/**
 * Asks over a connection of its own, by the protocol that it was agreed to speak, and reads no more than the head of the answer.
 * @throws Failure when there is no answer
 */
export async function answerOver(
  socket: TLSSocket,
  asked: AskedResource,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<HttpAnswer> {
  const late = () => new Failure('http', 'timeout', `no answer within ${timeoutMs / 1000} s`);
  const ask = socket.alpnProtocol === 'h2' ? byHttp2 : byHttp1;
  try {
    return await within(ask(socket, asked), timeoutMs, signal, late);
  } catch (error) {
    signal.throwIfAborted();
    throw failureOf(error, 'http');
  }
}

async function byHttp2(socket: TLSSocket, { authority, path }: AskedResource): Promise<HttpAnswer> {
  const session = connect(`https://${authority}`, { createConnection: () => socket });
  const answer = Promise.withResolvers<HttpAnswer>();
  session.on('error', answer.reject);
  session.on('close', () => answer.reject(closed()));
  const stream = session.request({ ':path': path, 'user-agent': USER_AGENT });
  stream.on('error', answer.reject);
  stream.on('response', ({ ':status': status = 0, 'alt-svc': altSvc = null }) =>
    answer.resolve({ status, altSvc: textOf(altSvc) }),
  );
  try {
    return await answer.promise;
  } finally {
    session.destroy();
  }
}

async function byHttp1(socket: TLSSocket, { authority, path }: AskedResource): Promise<HttpAnswer> {
  const asked = request({
    createConnection: () => socket,
    path,
    headers: { host: authority, 'user-agent': USER_AGENT, connection: 'close' },
  });
  asked.end();
  const [{ statusCode = 0, headers }] = (await once(asked, 'response')) as [IncomingMessage];
  asked.on('error', () => {}); // The rest of the answer is not read.
  return { status: statusCode, altSvc: textOf(headers['alt-svc'] ?? null) };
}

function closed(): Failure {
  return new Failure('http', 'closed', 'the server closed the connection before it answered');
}

function textOf(header: string | readonly string[] | null): string | null {
  return typeof header === 'string' || header === null ? header : header.join(', ');
}
