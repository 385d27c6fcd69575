import * as quic from 'node:quic';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Attack, type AttackContext, again, hasTime, timeLeft } from '../attack.ts';
import { hostileFieldPath, METHODS } from '../paths.ts';

const ANSWER_MS = 1000;
const SLOW_CLIENTS = 30;

/** Attacks on an HTTP/3 server by an HTTP/3 client. */
export const HTTP3_ATTACKS: readonly Attack[] = [
  {
    name: 'paths out of the folder',
    run: (context) =>
      sessions(context, 2, async (session) => {
        const { choices, target } = context;
        const method = () => choices.pick(METHODS);
        const requests = Array.from({ length: 40 }, () => {
          const path = hostileFieldPath(choices, target.secretFiles, target.host);
          return sendRequest(context, session, {
            ...fields(context),
            ':method': method(),
            ':path': path,
          });
        });
        await within(Promise.all(requests), ANSWER_MS);
      }),
  },
  {
    name: 'malformed requests',
    run: (context) =>
      sessions(context, 2, async (session) => {
        const { choices } = context;
        const requests = Array.from({ length: 10 }, () =>
          sendRequest(context, session, choices.pick(malformed(fields(context)))),
        );
        await within(Promise.all(requests), ANSWER_MS);
      }),
  },
  {
    name: 'header floods and huge headers',
    run: (context) =>
      sessions(context, 2, async (session) => {
        const { choices } = context;
        const many = Array.from({ length: 2000 }, (_, index) => [`x-${index}`, 'y'.repeat(20)]);
        const large = { 'x-large': 'x'.repeat(choices.pick([10_000, 60_000, 1_000_000])) };
        const more = choices.pick([Object.fromEntries(many), large]);
        await within(sendRequest(context, session, { ...fields(context), ...more }), ANSWER_MS);
      }),
  },
  {
    name: 'stream floods',
    run: (context) =>
      sessions(context, 2, async (session) => {
        const path = context.target.paths.large;
        const requests = Array.from({ length: 300 }, () =>
          sendRequest(context, session, { ...fields(context), ':path': path }),
        );
        await within(Promise.all(requests), ANSWER_MS);
      }),
  },
  {
    name: 'requests given up at once',
    run: (context) =>
      sessions(context, 2, async (session) => {
        const path = context.target.paths.large;
        for (let streams = 0; streams < 100 && hasTime(context); streams++) {
          const stream = await open(context, session, { ...fields(context), ':path': path });
          stream?.destroy?.();
        }
      }),
  },
  {
    name: 'sessions opened and dropped',
    run: (context) => sessions(context, 4, async () => context.sent()),
  },
  {
    name: 'sessions with requests, dropped before the answer',
    run: (context) =>
      sessions(context, 4, async (session) => {
        const path = context.target.paths.large;
        for (let streams = 0; streams < 10; streams++) {
          await open(context, session, { ...fields(context), ':path': path });
        }
      }),
  },
  {
    name: 'huge bodies',
    run: (context) =>
      sessions(context, 2, async (session) => {
        const body = Buffer.alloc(context.choices.pick([1, 8, 32]) << 20, 'b');
        const head = { ...fields(context), ':method': 'POST' };
        await within(sendRequest(context, session, head, body), 3 * ANSWER_MS);
      }),
  },
  {
    name: 'slow readers',
    run: (context) =>
      sessions(context, SLOW_CLIENTS, async (session) => {
        const path = context.target.paths.large;
        // Opened and never read.
        for (let streams = 0; streams < 20; streams++) {
          await open(context, session, { ...fields(context), ':path': path });
        }
        await timeLeft(context);
      }),
  },
];

type Fields = Record<string, string>;
type Stream = AsyncIterable<Uint8Array | Uint8Array[]> & { destroy?: () => void };

function fields({ target }: AttackContext): Fields {
  return {
    ':method': 'GET',
    ':scheme': 'https',
    ':authority': target.host,
    ':path': target.paths.small,
  };
}

function malformed(good: Fields): Fields[] {
  const without = (name: string) =>
    Object.fromEntries(Object.entries(good).filter(([each]) => each !== name));
  return [
    ...Object.keys(good).map(without),
    { ...good, ':status': '200' },
    { ...good, ':unknown': 'x' },
    { ...good, connection: 'keep-alive' },
    { ...good, 'transfer-encoding': 'chunked' },
    { ...good, 'content-length': '100' },
    { ...good, x: 'a\r\nb: c' },
    { ...good, x: 'a\0b' },
    { ...good, Upper: 'case' },
    { ...good, host: 'another.test' },
    { ...good, ':authority': '' },
    { ...good, ':authority': '[::1' },
    { ...good, ':authority': '../../' },
    { ...good, ':path': '' },
    { ...good, ':path': 'no-slash' },
    { ...good, ':path': '*', ':method': 'OPTIONS' },
    { ...good, ':method': '' },
    { ...good, ':method': 'CONNECT' },
    { ...good, ':method': 'G T' },
    { ...good, range: 'bytes=0-0,0-0,5-1,99999999999999999999-' },
    { ...good, 'if-modified-since': 'Sun, 99 Foo 99999 99:99:99 GMT' },
    { ...good, ':method': 'OPTIONS', origin: '\xff', 'access-control-request-method': 'GET' },
  ];
}

/** One session after the other, this number at the same time, each dropped after use. */
function sessions(
  context: AttackContext,
  atOnce: number,
  use: (session: quic.QuicSession) => Promise<void>,
): Promise<void> {
  const { ip, port, host } = context.target;
  return again(context, atOnce, async () => {
    const options = { servername: host, alpn: 'h3', verifyPeer: 'manual' } as const;
    const session = await quic.connect(`${ip}:${port}`, options).catch(() => null);
    if (session === null) return;
    session.closed.catch(() => {});
    try {
      await within(session.opened, ANSWER_MS);
      await use(session);
    } catch {
      // The server has ended it, as it may.
    }
    void session.close().catch(() => {});
    (session as { destroy?: () => void }).destroy?.();
  });
}

async function open(
  context: AttackContext,
  session: quic.QuicSession,
  headers: Fields,
  body?: Uint8Array,
  onheaders: (headers: Record<string, string | string[]>) => void = () => {},
): Promise<Stream | null> {
  context.sent();
  const opening = session.createBidirectionalStream({ headers, body, onheaders });
  const stream = await opening.catch(() => null);
  (stream as { closed?: Promise<void> } | null)?.closed?.catch(() => {});
  return stream;
}

/** Sends a request and reads the response. */
async function sendRequest(
  context: AttackContext,
  session: quic.QuicSession,
  headers: Fields,
  body?: Uint8Array,
): Promise<void> {
  const watch = context.newWatch();
  const see = (received: Record<string, unknown>) => watch(Buffer.from(JSON.stringify(received)));
  try {
    const stream = await open(context, session, headers, body, see);
    for await (const chunk of stream ?? []) for (const part of [chunk].flat()) watch(part);
  } catch {
    // Reset, as it may be.
  }
}

async function within(work: Promise<unknown>, limitMs: number): Promise<void> {
  work.catch(() => {});
  await Promise.race([work, sleep(limitMs)]);
}
