import { createHash } from 'node:crypto';
import https from 'node:https';
import { Readable } from 'node:stream';
import {
  bodyToSend,
  type ExchangeRequest,
  type ExchangeResponse,
  headerLines,
  piecesToSend,
} from './exchange.ts';

/** Sends requests to an HTTP/1.1 server, all over kept-alive connections. */
export async function exchangeH1(
  origins: Readonly<Record<string, string>>,
  requests: readonly ExchangeRequest[],
): Promise<ExchangeResponse[]> {
  const agent = new https.Agent({ keepAlive: true, rejectUnauthorized: false, maxSockets: 6 });
  const send = (exchange: ExchangeRequest) =>
    new Promise<ExchangeResponse>((resolve, reject) => {
      const { host, method, path, headers = {} } = exchange;
      const [ip, port] = (origins[host] ?? '').split(':');
      const options = { agent, host: ip, port, servername: host, method, path };
      const request = https.request({ ...options, headers: { host, ...headers } }, (response) => {
        const hash = createHash('sha256');
        let bytes = 0;
        response.on('data', (chunk: Buffer) => {
          hash.update(chunk);
          bytes += chunk.length;
        });
        response.on('error', reject);
        response.on('end', () => {
          resolve({
            status: response.statusCode ?? 0,
            lines: headerLines(response.rawHeaders),
            bytes,
            sha256: hash.digest('hex'),
          });
        });
      });
      request.on('error', reject);
      const body = bodyToSend(exchange);
      if (exchange.times === undefined) request.end(body);
      else Readable.from(piecesToSend(body ?? '', exchange.times)).pipe(request);
    });
  try {
    return await Promise.all(requests.map(send));
  } finally {
    agent.destroy();
  }
}
