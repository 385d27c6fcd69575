import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:http2';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TLSSocket } from 'node:tls';
import { Failure, failureOf, within } from '../../clients/connection-failure.ts';
import type { TargetResource } from '../../clients/quic-connector.ts';

export interface HttpAnswer {
  status: number;
  altSvc: string | null;
  /** As sent. */
  location: string | null;
  /** Start of the body of a 4xx response; missing: other status. */
  errorText?: string;
}

const USER_AGENT = 'quic-vs-https';

/** Chromium's limit for header fields, over any version of HTTP. */
const CHROMIUM_HEADER_BYTES = 256 * 1024;

const ERROR_TEXT_BYTES = 2_000;
const ERROR_TEXT_LIMIT_MS = 500;

/**
 * Sends a request over a new connection by its negotiated protocol; reads the response headers, and the start of an error's body.
 * @throws Failure without a response
 */
export async function answerOver(
  socket: TLSSocket,
  target: TargetResource,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<HttpAnswer> {
  const late = () => new Failure('http', 'timeout', `no answer within ${timeoutMs / 1000} s`);
  const send = socket.alpnProtocol === 'h2' ? byHttp2 : byHttp1;
  try {
    return await within(send(socket, target), timeoutMs, signal, late);
  } catch (error) {
    signal.throwIfAborted();
    throw failureOf(error, 'http');
  }
}

async function byHttp2(
  socket: TLSSocket,
  { authority, path }: TargetResource,
): Promise<HttpAnswer> {
  const session = connect(`https://${authority}`, {
    createConnection: () => socket,
    settings: { maxHeaderListSize: CHROMIUM_HEADER_BYTES },
  });
  const answer = Promise.withResolvers<Omit<HttpAnswer, 'errorText'>>();
  session.on('error', answer.reject);
  session.on('close', () => answer.reject(closed()));
  const stream = session.request({ ':path': path, 'user-agent': USER_AGENT });
  stream.on('error', answer.reject);
  stream.on('response', ({ ':status': status = 0, 'alt-svc': altSvc = null, location = null }) =>
    answer.resolve({ status, altSvc: textOf(altSvc), location }),
  );
  try {
    const head = await answer.promise;
    return { ...head, ...(await errorTextOf(head.status, stream)) };
  } finally {
    session.destroy();
  }
}

async function byHttp1(
  socket: TLSSocket,
  { authority, path }: TargetResource,
): Promise<HttpAnswer> {
  const clientRequest = request({
    createConnection: () => socket,
    path,
    maxHeaderSize: CHROMIUM_HEADER_BYTES,
    headers: { host: authority, 'user-agent': USER_AGENT, connection: 'close' },
  });
  clientRequest.end();
  const [answer] = (await once(clientRequest, 'response')) as [IncomingMessage];
  clientRequest.on('error', () => {}); // The rest of the response is not read.
  const { statusCode: status = 0, headers } = answer;
  const { 'alt-svc': altSvc = null, location = null } = headers;
  const error = await errorTextOf(status, answer);
  return { status, altSvc: textOf(altSvc), location, ...error };
}

/** Start of the body: some servers state only there that they require a client certificate. */
async function errorTextOf(status: number, body: Readable): Promise<Pick<HttpAnswer, 'errorText'>> {
  if (status < 400 || status > 499) return {};
  let errorText = '';
  const read = async () => {
    for await (const chunk of body) {
      errorText += (chunk as Buffer).toString('latin1');
      if (errorText.length >= ERROR_TEXT_BYTES) return;
    }
  };
  const ended = read().catch(() => {}); // A partial body suffices.
  await Promise.race([ended, sleep(ERROR_TEXT_LIMIT_MS, undefined, { ref: false })]);
  return { errorText: errorText.slice(0, ERROR_TEXT_BYTES) };
}

function closed(): Failure {
  return new Failure('http', 'closed', 'the server closed the connection before it answered');
}

function textOf(header: string | readonly string[] | null): string | null {
  return typeof header === 'string' || header === null ? header : header.join(', ');
}
