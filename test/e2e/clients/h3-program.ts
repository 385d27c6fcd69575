// Run by Bun: sends requests to an HTTP/3 server. Reads origins and requests as JSON from stdin;
// prints the responses as JSON.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import * as quic from 'node:quic';
import {
  bodyToSend,
  type ExchangeRequest,
  type ExchangeResponse,
  type HeaderLine,
  piecesToSend,
} from './exchange.ts';

const { origins, requests } = JSON.parse(readFileSync(0, 'utf8')) as {
  origins: Record<string, string>;
  requests: ExchangeRequest[];
};

const sessions = new Map<string, Promise<quic.QuicSession>>();

function sessionOf(host: string): Promise<quic.QuicSession> {
  const session =
    sessions.get(host) ??
    quic.connect(origins[host] ?? '', { servername: host, alpn: 'h3', verifyPeer: 'manual' });
  sessions.set(host, session);
  return session;
}

async function request(request: ExchangeRequest): Promise<ExchangeResponse> {
  const { host, method, path } = request;
  const session = await sessionOf(host);
  await session.opened;
  const body = bodyToSend(request);
  const answered = Promise.withResolvers<Record<string, string | string[]>>();
  const headers = {
    ':method': method,
    ':scheme': 'https',
    ':authority': host,
    ':path': path,
    ...request.headers,
  };
  const pieces = request.times === undefined ? null : piecesToSend(body ?? '', request.times);
  const stream = await session.createBidirectionalStream({
    // A stream of pieces can only follow separately sent headers.
    ...(pieces ? {} : { headers }),
    body: body === undefined || pieces ? undefined : Buffer.from(body),
    onheaders: answered.resolve,
  });
  if (pieces) {
    stream.sendHeaders(headers);
    stream.setBody(pieces);
  }
  const { ':status': status, ...fields } = await answered.promise;
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of stream) {
    for (const part of [chunk].flat()) {
      hash.update(part);
      bytes += part.length;
    }
  }
  const lines = Object.entries(fields).flatMap(([name, values]) =>
    [values].flat().map((value): HeaderLine => [name, value]),
  );
  return {
    status: Number(status),
    lines,
    bytes,
    sha256: hash.digest('hex'),
  };
}

const responses = await Promise.all(requests.map(request));
// A server continues to send to a client that vanished silently, which may delay other clients.
for (const session of sessions.values()) await (await session).close();
process.stdout.write(JSON.stringify(responses), () => process.exit(0));
