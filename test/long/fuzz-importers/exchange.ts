import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { Choices } from './random.ts';

/**
 * A request and a response that a hostile program might have recorded: nothing in it need be valid.
 */
export interface FuzzExchange {
  method: string;
  url: string;
  status: string;
  headers: [name: string, value: string][];
  requestHeaders: [name: string, value: string][];
  body: Buffer;
}

/** Stands in a file outside of the archive: an importer that reads it has left the archive. */
export const CANARY = 'the contents of a file outside of the archive';

/** Some requests with their responses, most of them odd in one respect. */
export function exchangesOf(choices: Choices): FuzzExchange[] {
  const sound = (): FuzzExchange[] => SOUND.map((exchange) => ({ ...exchange }));
  const exchanges = choices.chance(80) ? sound() : [];
  const more = choices.number(4);
  for (let made = 0; made < more; made++) {
    const exchange = oddExchange(choices);
    exchanges.splice(choices.number(exchanges.length + 1), 0, exchange);
  }
  if (choices.chance(20)) exchanges.reverse();
  return exchanges;
}

const HTML = Buffer.from(
  '<!doctype html><title>A page</title><img src="/a.gif"><script src="https://cdn.a.test/a.js"></script>',
);
const GIF = Buffer.from('R0lGODlhAQABAIAAAP///wAAACwAAAAAAQABAAACAkQBADs=', 'base64');

/** A page that every format can hold. */
const SOUND: readonly FuzzExchange[] = [
  {
    method: 'GET',
    url: 'https://www.a.test/',
    status: '200',
    headers: [
      ['content-type', 'text/html; charset=utf-8'],
      ['set-cookie', 'a=1'],
      ['set-cookie', 'b=2'],
      ['content-encoding', 'gzip'],
    ],
    requestHeaders: [['sec-fetch-dest', 'document']],
    body: gzipSync(HTML),
  },
  {
    method: 'GET',
    url: 'https://cdn.a.test/a.js',
    status: '200',
    headers: [['content-type', 'text/javascript']],
    requestHeaders: [['referer', 'https://www.a.test/']],
    body: Buffer.from('document.title = "A page";'),
  },
  {
    method: 'GET',
    url: 'https://www.a.test/a.gif',
    status: '200',
    headers: [['content-type', 'image/gif']],
    requestHeaders: [['referer', 'https://www.a.test/']],
    body: GIF,
  },
];

function oddExchange(choices: Choices): FuzzExchange {
  const exchange = { ...choices.pick(SOUND) };
  if (choices.chance(40)) exchange.url = choices.pick(URLS)();
  if (choices.chance(20)) exchange.method = choices.pick(METHODS);
  if (choices.chance(30)) exchange.status = choices.pick(STATUSES);
  if (choices.chance(40)) exchange.body = choices.pick(BODIES)();
  if (choices.chance(60)) {
    const headers = Array.from({ length: 1 + choices.number(3) }, () => oddHeader(choices));
    exchange.headers = choices.chance(50) ? [...exchange.headers, ...headers] : headers;
  }
  if (choices.chance(20)) exchange.requestHeaders = [oddHeader(choices)];
  return exchange;
}

function oddHeader(choices: Choices): [name: string, value: string] {
  if (choices.chance(60)) return choices.pick(HEADERS)();
  return [choices.pick(NAMES), choices.pick(VALUES)()];
}

const METHODS = ['POST', 'HEAD', 'CONNECT', 'get', '', 'GET GET', 'G\r\nET', '__proto__'];
const STATUSES = [
  '204',
  '206',
  '301',
  '304',
  '404',
  '500',
  '100',
  '0',
  '999',
  '-1',
  '1e9',
  '2x0',
  '',
];

/** Made on demand: some are long. */
const URLS: readonly (() => string)[] = [
  () => 'https://www.a.test/',
  () => 'http://www.a.test/',
  () => 'https://www.a.test:8443/b?c#d',
  () => 'https://user:secret@www.a.test/',
  () => 'https://www.a.test/../../../etc/passwd',
  () => 'https://www.a.test/%2e%2e/%2e%2e/outside.txt',
  () => 'https://www.a.test/..%5c..%5coutside.txt',
  () => 'https://www.a.test/a%00b',
  () => 'https://www.a.test/\u0000\u001b[31m',
  () => 'https://www.a.test/CON',
  () => 'https://www.a.test/nul.txt.',
  () => `https://www.a.test/${'a/'.repeat(2_000)}`,
  () => `https://www.a.test/${'b'.repeat(300)}`,
  () => `https://www.a.test/?${'q'.repeat(40_000)}`,
  () => `https://${'c'.repeat(300)}.test/`,
  () => 'https://../',
  () => 'https://./',
  () => 'https://-/',
  () => 'https://[::1]/',
  () => 'https://127.1/',
  () => 'https://xn--a/',
  () => 'https://b\u00fccher.test/\u00e4?\u00f6=\u{1f6b2}',
  () => 'https://www.a.test/\ud800',
  () => '//www.a.test/a.gif',
  () => '/a.gif',
  () => '',
  () => 'data:text/html,a',
  () => 'file:///etc/passwd',
  () => 'blob:https://www.a.test/1',
  () => 'javascript:alert(1)',
  () => 'urn:pageinfo:https://www.a.test/',
  () => '__proto__',
  () => 'https://__proto__/constructor',
];

const NAMES = [
  'x-a',
  '',
  ' ',
  'x a',
  'x\u00e9',
  ':status',
  '__proto__',
  'X-A\r\nX-B',
  'x'.repeat(70_000),
];
const VALUES: readonly (() => string)[] = [
  () => '',
  () => ' a ',
  () => 'a\r\nset-cookie: stolen=1',
  () => 'a\nb',
  () => 'a\u0000b',
  () => 'caf\u00e9',
  () => '\u001b]0;title\u0007',
  () => '\u4e2d\u6587',
  () => `a${' '.repeat(60_000)}b`,
  () => '\t'.repeat(60_000),
  () => 'a\r\n '.repeat(10_000),
  () => 'v'.repeat(300_000),
];

const HEADERS: readonly (() => [name: string, value: string])[] = [
  () => ['content-encoding', 'gzip'],
  () => ['content-encoding', 'gzip, br'],
  () => ['content-encoding', 'x-unheard-of'],
  () => ['content-encoding', 'br'],
  () => ['transfer-encoding', 'chunked'],
  () => ['transfer-encoding', 'gzip, chunked'],
  () => ['content-length', '5'],
  () => ['content-length', '-1'],
  () => ['content-length', '99999999999999999999'],
  () => ['content-range', 'bytes 0-4/5'],
  () => ['content-type', 'text/html'],
  () => ['content-type', 'image/gif; charset=\u00e9'],
  () => ['location', 'https://www.a.test/'],
  () => ['location', '/next'],
  () => ['location', 'http://['],
  () => ['connection', 'content-type, x-a'],
  () => ['date', 'yesterday'],
  () => ['date', 'Sat, 01 Jan 275760 00:00:00 GMT'],
  () => ['x-original-url', 'https://other.test/'],
  () => ['x-orig-content-encoding', 'br'],
  () => ['sec-fetch-dest', 'constructor'],
  () => ['host', '../..'],
];

/**
 * A megabyte of zeros: a kilobyte on the disk. If it is too much, the limits of the attempt are
 * tight.
 */
const BOMB = gzipSync(Buffer.alloc(1_000_000));

const BODIES: readonly (() => Buffer)[] = [
  () => Buffer.alloc(0),
  () => HTML,
  () => gzipSync(HTML).subarray(0, 30),
  () => BOMB,
  () => brotliCompressSync(HTML),
  () => Buffer.from('5\r\nhello\r\n0\r\n\r\n'),
  () => Buffer.from('ffffffffff\r\nhello\r\n0\r\n\r\n'),
  () => Buffer.from('5\r\nhello'),
  () => Buffer.from('1\r\na\r\n'.repeat(5_000)),
  () => Buffer.from('HTTP/1.1 200 OK\r\n\r\n'),
  () => Buffer.from('HTTP/1.1 100 Continue\r\n\r\n'.repeat(2_000)),
  () => Buffer.from('WARC/1.0\r\nWARC-Type: response\r\n\r\n'),
  () => Buffer.from('\r'.repeat(20_000)),
  () => Buffer.from(`<link rel=icon ${'<link '.repeat(5_000)}`),
  () => Buffer.from('<iframe src=/><frame src=https://www.a.test/>'),
  () => Buffer.from(`<iframe src${' '.repeat(10_000)}${'<iframe src= '.repeat(2_000)}`),
  () => Buffer.alloc(3_000, 0xff),
];
