import { setTimeout as sleep } from 'node:timers/promises';
import { mutated } from '../../fuzz-importers/mutation.ts';
import { type Attack, type AttackContext, hasTime } from '../attack.ts';
import { connections, type Dial, oneEach, SHORT_MS, slow } from '../connections.ts';
import { hostilePath, METHODS } from '../paths.ts';
import { dialTls } from '../wire.ts';

const MEGABYTE = 1 << 20;
const dial: Dial = (context) => dialTls(context, 'http/1.1');

/** Attacks on an HTTP/1.1 server. */
export const HTTP1_ATTACKS: readonly Attack[] = [
  {
    name: 'paths out of the folder',
    run: (context) =>
      connections(context, 4, dial, async (wire) => {
        const { choices, target } = context;
        for (let sent = 0; sent < 20 && !wire.closed; sent++) {
          const method = choices.pick(METHODS);
          const path = hostilePath(choices, target.secretFiles, target.host);
          await wire.write(
            `${method} ${path} HTTP/1.1\r\nHost: ${target.host}\r\nContent-Length: 0\r\n\r\n`,
          );
          context.sent();
          // A refusal may end the connection: a client that continues to write does not receive it.
          await sleep(5);
        }
        await wire.ended(SHORT_MS);
      }),
  },
  {
    name: 'malformed request lines and headers',
    run: (context) =>
      oneEach(context, 8, dial, ({ choices, target: { host } }) => {
        const text = choices.pick(MALFORMED).replaceAll('HOST', host).replaceAll('\n', '\r\n');
        return Buffer.from(text, 'latin1');
      }),
  },
  {
    name: 'damaged requests',
    run: (context) =>
      oneEach(context, 8, dial, ({ choices, target }) =>
        mutated(
          choices,
          Buffer.from(
            `POST ${target.paths.small} HTTP/1.1\r\nHost: ${target.host}\r\nAccept: */*\r\nRange: bytes=0-5\r\n` +
              `Cookie: a=b; c=d\r\nIf-None-Match: "x", W/"y"\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n`,
          ),
        ),
      ),
  },
  {
    name: 'header floods',
    run: (context) =>
      flood(
        context,
        ({ target }) => `GET / HTTP/1.1\r\nHost: ${target.host}\r\n`,
        ({ choices }) => `x-${choices.number(1e6)}: ${choices.number(1e9)}\r\n`.repeat(500),
      ),
  },
  {
    name: 'huge headers',
    run: (context) =>
      flood(
        context,
        ({ target, choices }) =>
          choices.pick(['GET /', `GET / HTTP/1.1\r\nHost: ${target.host}\r\nCookie: `, 'x-']),
        () => 'a'.repeat(65_536),
      ),
  },
  {
    name: 'huge bodies',
    run: (context) =>
      flood(
        context,
        ({ target, choices }) =>
          `POST ${target.paths.small} HTTP/1.1\r\nHost: ${target.host}\r\nContent-Length: ${choices.pick([64, 1024, 1e6]) * MEGABYTE}\r\n\r\n`,
        () => 'b'.repeat(65_536),
      ),
  },
  {
    name: 'huge chunked bodies',
    run: (context) =>
      flood(
        context,
        ({ target }) =>
          `POST ${target.paths.small} HTTP/1.1\r\nHost: ${target.host}\r\nTransfer-Encoding: chunked\r\n\r\n`,
        ({ choices }) =>
          choices.pick([
            `10000\r\n${'c'.repeat(65_536)}\r\n`,
            '1\r\nc\r\n'.repeat(5000),
            `1;${'x'.repeat(20_000)}\r\nc\r\n`,
          ]),
      ),
  },
  {
    name: 'thousands of requests without reading',
    run: (context) =>
      connections(context, 4, dial, async (wire) => {
        const { target } = context;
        wire.socket.pause();
        const request = `GET ${target.paths.large} HTTP/1.1\r\nHost: ${target.host}\r\n\r\n`;
        for (let sent = 0; sent < 20 && (await wire.write(request.repeat(100))); sent++) {
          context.sent(100);
        }
        await wire.ended(1000);
      }),
  },
  {
    name: 'slow senders, more than threads',
    run: (context) =>
      slow(context, dial, async (wire, { target, choices }) => {
        const request = `POST / HTTP/1.1\r\nHost: ${target.host}\r\nContent-Length: 1000\r\n\r\n`;
        if (!(await wire.write(request.slice(0, 1 + choices.number(request.length))))) return;
        while (hasTime(context) && !wire.closed) {
          await sleep(500);
          await wire.write('x');
        }
      }),
  },
  {
    name: 'slow readers, more than threads',
    run: (context) =>
      slow(context, dial, async (wire, { target }) => {
        wire.socket.pause();
        await wire.write(`GET ${target.paths.large} HTTP/1.1\r\nHost: ${target.host}\r\n\r\n`);
      }),
  },
];

/** `\n` becomes CRLF. */
const MALFORMED = [
  '\n\n',
  'GET\n\n',
  'GET /\n\n',
  'GET / HTTP/9.9\nHost: HOST\n\n',
  'GET / HTTP/1.1\n\n',
  ' / HTTP/1.1\nHost: HOST\n\n',
  'GET / HTTP/1.1\nHost: HOST\nHost: other\n\n',
  'GET  /  HTTP/1.1\nHost: HOST\n\n',
  'G\0T / HTTP/1.1\nHost: HOST\n\n',
  'GET /\0 HTTP/1.1\nHost: HOST\n\n',
  'GET /\u00ff\u00fe HTTP/1.1\nHost: HOST\n\n',
  'GET / HTTP/1.1\nHost : HOST\n\n',
  'GET / HTTP/1.1\n Host: HOST\n\n',
  'GET / HTTP/1.1\nHost: HOST\n: empty\n\n',
  'GET / HTTP/1.1\nHost: HOST\nx\n\n',
  'GET / HTTP/1.1\nHost: HOST\nx: a\0b\n\n',
  'GET / HTTP/1.1\nHost: HOST\nx: a\n b\n\tc\n\n',
  'GET / HTTP/1.1\nHost: \n\n',
  'GET / HTTP/1.1\nHost: ../../canary.txt\n\n',
  'GET / HTTP/1.1\nHost: [::1\n\n',
  'GET / HTTP/1.1\nHost: a b:c:d@e\n\n',
  'GET https://HOST/ HTTP/1.1\nHost: HOST\n\n',
  'GET file:///etc/passwd HTTP/1.1\nHost: HOST\n\n',
  'GET http://[ HTTP/1.1\nHost: HOST\n\n',
  'CONNECT HOST:443 HTTP/1.1\nHost: HOST\n\n',
  'TRACE / HTTP/1.1\nHost: HOST\n\n',
  'OPTIONS * HTTP/1.1\nHost: HOST\n\n',
  'PRI * HTTP/2.0\n\nSM\n\n',
  'GET / HTTP/1.1\nHost: HOST\nUpgrade: h2c\nConnection: Upgrade, HTTP2-Settings\nHTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA\n\n',
  'GET / HTTP/1.1\nHost: HOST\nUpgrade: websocket\nConnection: Upgrade\nSec-WebSocket-Version: 13\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\n\n',
  'POST / HTTP/1.1\nHost: HOST\nContent-Length: -1\n\n',
  'POST / HTTP/1.1\nHost: HOST\nContent-Length: 99999999999999999999\n\n',
  'POST / HTTP/1.1\nHost: HOST\nContent-Length: 0x10\n\n0123456789abcdef',
  'POST / HTTP/1.1\nHost: HOST\nContent-Length: 5\nContent-Length: 6\n\n123456',
  'POST / HTTP/1.1\nHost: HOST\nContent-Length: 5\nTransfer-Encoding: chunked\n\n0\n\nGET /x HTTP/1.1\nHost: HOST\n\n',
  'POST / HTTP/1.1\nHost: HOST\nTransfer-Encoding: chunked, identity\n\n0\n\n',
  'POST / HTTP/1.1\nHost: HOST\nTransfer-Encoding: chunked\n\nffffffffffffffff\nx',
  'POST / HTTP/1.1\nHost: HOST\nTransfer-Encoding: chunked\n\n-1\nx',
  'POST / HTTP/1.1\nHost: HOST\nTransfer-Encoding: chunked\n\nzz\nx',
  'POST / HTTP/1.1\nHost: HOST\nExpect: 100-continue\nContent-Length: 10\n\n',
  'GET / HTTP/1.1\nHost: HOST\nRange: bytes=0-0,0-0,0-0,-1,5-2,99999999999999999999-\n\n',
  'GET / HTTP/1.1\nHost: HOST\nIf-Modified-Since: Sun, 99 Foo 99999 99:99:99 GMT\n\n',
  'OPTIONS / HTTP/1.1\nHost: HOST\nOrigin: \u00ff\nAccess-Control-Request-Method: GET\nAccess-Control-Request-Headers: \u00ff\u00fe\n\n',
  'OPTIONS / HTTP/1.1\nHost: HOST\nOrigin: x\nAccess-Control-Request-Method: G E T\n\n',
];

/**
 * A beginning, and then repeated pieces until the server rejects them or this number is reached.
 */
function flood(
  context: AttackContext,
  begin: (context: AttackContext) => string,
  more: (context: AttackContext) => string,
): Promise<void> {
  return connections(context, 4, dial, async (wire) => {
    if (!(await wire.write(begin(context)))) return;
    for (let pieces = 0; pieces < 1000; pieces++) {
      if (!(await wire.write(more(context)))) break;
    }
    context.sent();
  });
}
