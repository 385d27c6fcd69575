import { serve } from '../bun/contract.ts';
import { readToItsEnd } from '../bun/request-body.ts';

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
      // Else Bun answers what went wrong with a page that shows this program and where it lies.
      development: false,
      error(error) {
        console.error(`bun-h2: ${error.message}`);
        return new Response(null, { status: 500 });
      },
      async fetch(request) {
        await readToItsEnd(request.body);
        const url = new URL(request.url);
        const asked = {
          method: request.method,
          host: url.host,
          path: `${url.pathname}${url.search}`,
          header: (name: string) => request.headers.get(name) ?? undefined,
        };
        const { status, headers, body } = await answer(asked, () => request.signal.aborted);
        return new Response(body as BodyInit | null, {
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
