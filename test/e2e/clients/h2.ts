import { createHash } from 'node:crypto';
import http2 from 'node:http2';
import { Readable } from 'node:stream';
import {
  bodyToSend,
  type ExchangeRequest,
  type ExchangeResponse,
  type HeaderLine,
  headerLines,
  piecesToSend,
} from './exchange.ts';

/** Sends requests to an HTTP/2 server, those of a host over one connection. */
export async function exchangeH2(
  origins: Readonly<Record<string, string>>,
  requests: readonly ExchangeRequest[],
): Promise<ExchangeResponse[]> {
  const sessions = new Map<string, http2.ClientHttp2Session>();
  const sessionOf = (host: string) => {
    const session =
      sessions.get(host) ??
      http2.connect(`https://${origins[host]}`, { servername: host, rejectUnauthorized: false });
    // Every request listens for errors of its shared connection.
    sessions.set(host, session.setMaxListeners(requests.length + 1));
    return session;
  };
  const send = (request: ExchangeRequest) =>
    new Promise<ExchangeResponse>((resolve, reject) => {
      const { host, method, path } = request;
      const session = sessionOf(host).on('error', reject);
      const stream = session.request(
        { ':method': method, ':authority': host, ':path': path, ...request.headers },
        // Without it no request but GET and HEAD could be made without a body being awaited.
        { endStream: bodyToSend(request) === undefined },
      );
      const hash = createHash('sha256');
      let bytes = 0;
      let lines: HeaderLine[] = [];
      let status = 0;
      // node's types lack the third argument.
      stream.on('response', ({ ':status': code }, _: number, raw?: string[]) => {
        status = code ?? 0;
        lines = headerLines(raw ?? []);
      });
      stream.on('data', (chunk: Buffer) => {
        hash.update(chunk);
        bytes += chunk.length;
      });
      stream.on('error', reject);
      stream.on('end', () =>
        resolve({
          status,
          lines,
          bytes,
          sha256: hash.digest('hex'),
        }),
      );
      const body = bodyToSend(request);
      if (body === undefined) return;
      if (request.times === undefined) stream.end(body);
      else Readable.from(piecesToSend(body, request.times)).pipe(stream);
    });
  try {
    return await Promise.all(requests.map(send));
  } finally {
    for (const session of sessions.values()) session.destroy();
  }
}
