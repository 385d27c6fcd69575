import { KEY_EXCHANGE_GROUPS } from '../../ground/records/key-exchange.ts';
import type { Protocol } from '../../ground/records/protocol.ts';
import type { Program, TransportSettings } from './contract.ts';
import type { Body } from './recorded-site.ts';
import { discardBody } from './request-body.ts';

// The longest that Bun allows, in seconds: connections stay open as long as the browser wants.
const IDLE_TIMEOUT_S = 255;

// Bun's own is 128 MB; what is uploaded is thrown away as it comes.
const MOST_REQUEST_BYTES = Number.MAX_SAFE_INTEGER;

/** The program of Bun's own server over TCP, in one version of HTTP. */
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
        idleTimeout: IDLE_TIMEOUT_S,
        maxRequestBodySize: MOST_REQUEST_BYTES,
        // Else Bun answers what went wrong with a page that shows this program and where it lies.
        development: false,
        error(error) {
          console.error(`${protocol}: ${error.message}`);
          return new Response(null, { status: 500 });
        },
        async fetch(request) {
          const received = await discardBody(request.body);
          const url = new URL(request.url);
          const asked = {
            method: request.method,
            host: url.host,
            path: `${url.pathname}${url.search}`,
            header: (name: string) => request.headers.get(name) ?? undefined,
            received,
          };
          const { status, headers, body } = await answer(asked, () => request.signal.aborted);
          const untyped = !headers['content-type'] && body;
          return new Response(untyped ? await asStream(body) : (body as BodyInit | null), {
            status,
            headers: Object.entries(headers).flatMap(([name, value]): [string, string][] =>
              typeof value === 'string' ? [[name, value]] : value.map((each) => [name, each]),
            ),
          });
        },
      });
      return server.port;
    },
  };
}

/**
 * Bun makes a content type up for bytes and files that have none, or an empty one, but not for a stream. One that holds no more than fits
 * is sent with its length like bytes.
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
