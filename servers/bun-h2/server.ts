import { serve } from '../bun/contract.ts';

// The longest that Bun allows, in seconds: connections stay open as long as the browser wants.
const IDLE_TIMEOUT_S = 255;

// By itself it takes X25519MLKEM768, which the other stacks do not offer: a kilobyte more each way in every handshake.
const KEY_EXCHANGE = 'X25519';

await serve({
  stack: 'bun-h2',
  protocol: 'h2',
  async details() {
    return { program: `Bun ${Bun.version}`, language: 'TypeScript', library: 'Bun.serve' };
  },
  async listen({ ip, port, certificate, key }, answer) {
    const server = Bun.serve({
      hostname: ip,
      port,
      http1: false,
      http2: true,
      tls: { key, cert: certificate, ecdhCurve: KEY_EXCHANGE },
      idleTimeout: IDLE_TIMEOUT_S,
      async fetch(request) {
        const url = new URL(request.url);
        const { status, headers, body } = await answer(
          request.method,
          url.host,
          `${url.pathname}${url.search}`,
        );
        const untyped = body !== null && headers['content-type'] === undefined;
        return new Response(untyped ? streamOf(body) : (body as BodyInit | null), {
          status,
          headers: Object.entries(headers).flatMap(([name, value]): [string, string][] =>
            typeof value === 'string' ? [[name, value]] : value.map((each) => [name, each]),
          ),
        });
      },
    });
    return server.port;
  },
});

/** Bun invents a content type for bytes that have none; for a stream it does not. */
function streamOf(bytes: Uint8Array): ReadableStream {
  return new ReadableStream({
    start(controller) {
      controller.enqueue(bytes);
      controller.close();
    },
  });
}
