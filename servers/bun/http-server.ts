import { KEY_EXCHANGE_GROUPS } from '../../ground/records/key-exchange.ts';
import type { Protocol } from '../../ground/records/protocol.ts';
import type { Answer, Program, TransportSettings } from './contract.ts';
import type { Body } from './recorded-site.ts';
import { discardBody } from './request-body.ts';

// Bun's maximum, in seconds: connections stay open as long as the browser wants.
const IDLE_TIMEOUT_S = 255;

// Bun's own limit is 128 MB; uploads are discarded as they arrive.
const MOST_REQUEST_BYTES = Number.MAX_SAFE_INTEGER;

/** Bun's own server over TCP, in one version of HTTP. */
export function httpProgram(
  protocol: Extract<Protocol, 'h2' | 'http/1.1'>,
  { keyExchange }: Pick<TransportSettings, 'keyExchange'>,
): Program {
  return {
    async details() {
      return { program: `Bun ${Bun.version}`, language: 'TypeScript', library: 'Bun.serve' };
    },
    async listen({ ip, port, certificate, key }, answer) {
      const server = Bun.serve({
        hostname: ip,
        port,
        http1: protocol === 'http/1.1',
        http2: protocol === 'h2',
        tls: { key, cert: certificate, ecdhCurve: KEY_EXCHANGE_GROUPS[keyExchange] },
        ...handlers(protocol, answer),
      });
      return server.port;
    },
  };
}

/** Part of the options of Bun.serve that answers requests. */
export function handlers(name: string, answer: Answer) {
  return {
    idleTimeout: IDLE_TIMEOUT_S,
    maxRequestBodySize: MOST_REQUEST_BYTES,
    // In development mode Bun answers errors with a page about this program.
    development: false,
    error(error: Error) {
      console.error(`${name}: ${error.message}`);
      return new Response(null, { status: 500 });
    },
    async fetch(request: Request) {
      const received = await discardBody(request.body);
      const url = new URL(request.url);
      const replayRequest = {
        method: request.method,
        host: url.host,
        path: `${url.pathname}${url.search}`,
        header: (each: string) => request.headers.get(each) ?? undefined,
        received,
      };
      const { status, headers, body } = await answer(replayRequest, () => request.signal.aborted);
      const untyped = !headers['content-type'] && body;
      return new Response(untyped ? await asStream(body) : (body as BodyInit | null), {
        status,
        headers: Object.entries(headers).flatMap(([each, value]): [string, string][] =>
          typeof value === 'string' ? [[each, value]] : value.map((one) => [each, one]),
        ),
      });
    },
  };
}

/**
 * Bun adds a content type to bytes and files without one, but not to a stream. A stream of at most one chunk is sent with
 * its length, like bytes.
 */
async function asStream(unread: Body): Promise<ReadableStream<Uint8Array>> {
  const body = unread instanceof Blob ? await unread.bytes() : unread;
  return new ReadableStream(
    {
      start(controller) {
        controller.enqueue(body);
        controller.close();
      },
    },
    { highWaterMark: body.length + 1 },
  );
}
