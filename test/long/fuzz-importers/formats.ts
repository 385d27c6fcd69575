import { crc32, deflateRawSync, gzipSync } from 'node:zlib';
import protobuf from 'protobufjs/minimal.js';
import { dash } from './dash.ts';
import { CANARY, exchangesOf, type FuzzExchange } from './exchange.ts';
import { CANARY_FILE, type FuzzInput, oneFile } from './input.ts';
import { maybeMutated, mutated } from './mutation.ts';
import type { Choices } from './random.ts';
import { READERS } from './readers.ts';
import { SEEDS } from './seeds.ts';

/** How each format's archives are made: exchanges written as it writes them, with its own oddities. */
export const FORMATS: Record<string, (choices: Choices) => FuzzInput> = {
  har: (choices) =>
    oneFile(
      'a/a.har',
      packedOrNot(
        choices,
        maybeMutated(
          choices,
          orSeed(choices, SEEDS.har, () => har(choices)),
        ),
      ),
    ),
  warc: (choices) =>
    oneFile(
      'a/a.warc',
      packedOrNot(
        choices,
        maybeMutated(
          choices,
          orSeed(choices, SEEDS.warc, () => Buffer.concat(warc(choices))),
        ),
      ),
    ),
  'warc-folder': warcFolder,
  wacz,
  'web-page-replay': (choices) =>
    oneFile(
      'a/a.wprgo',
      packedOrNot(
        choices,
        maybeMutated(
          choices,
          orSeed(choices, SEEDS.wprgo, () => wprgo(choices)),
        ),
      ),
    ),
  mahimahi,
  wget,
  dash,
  ...Object.fromEntries(Object.entries(READERS).map(([name, { make }]) => [name, make])),
};

/** What a program really wrote, in some of the archives; damage is done to either. */
function orSeed(choices: Choices, seeds: readonly Buffer[], make: () => Buffer): Buffer {
  return choices.chance(20) ? choices.pick(seeds) : make();
}

function packedOrNot(choices: Choices, content: Buffer): Buffer {
  if (choices.chance(50)) return content;
  const packed = gzipSync(content);
  return choices.chance(20) ? mutated(choices, packed) : packed;
}

function har(choices: Choices): Buffer {
  const pairs = (headers: [string, string][]) => headers.map(([name, value]) => ({ name, value }));
  const entries = exchangesOf(choices).map((exchange) => ({
    startedDateTime: '2026-01-01T00:00:00.000Z',
    _resourceType: choices.pick(['document', 'script', 'image', 'csp-violation-report', '']),
    ...choices.pick<object>([{}, {}, { _bytesIn: '1e9' }, { _objectSizeUncompressed: '900' }]),
    ...choices.pick<object>([{}, {}, { _objectSize: exchange.body.length, _is_base_page: true }]),
    request: {
      method: choices.chance(90) ? exchange.method : null,
      url: exchange.url,
      headers: pairs(exchange.requestHeaders),
    },
    response: {
      status: choices.chance(80)
        ? Number(exchange.status)
        : choices.pick([exchange.status, `${exchange.status} OK`]),
      headers: pairs(exchange.headers),
      content: harContent(choices, exchange),
      redirectURL: '',
      ...(choices.chance(10)
        ? { _error: choices.pick(['net::ERR_ABORTED', '\u001b[2J', '']) }
        : {}),
      bodySize: choices.pick([-1, 0, exchange.body.length, 1e300]),
    },
    timings: { wait: choices.pick([-1, 0, 12.5, 1e300, null]), connect: choices.pick([-1, 20]) },
    serverIPAddress: choices.pick(['192.0.2.1', '', '[::1]', 'a']),
    ...(choices.chance(30) ? { pageref: choices.pick(['page_1', 'page_2', '__proto__']) } : {}),
    ...(choices.chance(30)
      ? { _initiator: { url: choices.pick(['https://www.a.test/', exchange.url]) } }
      : {}),
  }));
  const title = choices.pick([
    'https://www.a.test/',
    'Run 1 for https://www.a.test/x',
    '\u001b[2J',
  ]);
  const pages = [
    { id: 'page_1', title, startedDateTime: '2026-01-01T00:00:00Z', pageTimings: {} },
    ...(choices.chance(30) ? [{ id: 'page_2', _URL: choices.pick<unknown>([title, 5]) }] : []),
  ];
  const log = {
    version: '1.2',
    creator: { name: choices.pick(['a', '\u001b[2J', '']), version: '1' },
    pages: choices.chance(70) ? pages : choices.pick<unknown>([[], null, {}, 'a']),
    entries: choices.chance(97) ? entries : choices.pick<unknown>([{}, null, [null], [[]], 5]),
  };
  return Buffer.from(JSON.stringify({ log }));
}

function harContent(choices: Choices, { body }: FuzzExchange): unknown {
  const size = choices.pick([body.length, 0, -1, 1e18]);
  switch (choices.number(10)) {
    case 0:
      return { size, compression: choices.pick([-5, 0, 1e18]), text: body.toString('utf8') };
    case 1:
      return { size, text: `${body.toString('base64')}!*`, encoding: 'base64' };
    case 2:
      return {
        size,
        _file: choices.pick([`../${CANARY_FILE}`, CANARY_FILE, '/etc/passwd', 'a\0b']),
      };
    case 3:
      return choices.pick<unknown>([null, {}, [], 'a', { text: 5 }]);
    // Base64 that nothing announces, a character for each byte, and a plain text that is called base64.
    case 5:
      return { size, text: body.toString('base64') };
    case 6:
      return { size, text: body.toString('latin1') };
    case 7:
      return { size, text: new TextDecoder('windows-1252').decode(body) };
    case 8:
      return {
        size,
        text: choices.pick([body.toString('utf8'), 'true', 'data:image/png;base64,AAAA', '==']),
        encoding: 'base64',
      };
    case 4:
      return { size: body.length, _bodyAsSent: body.toString('base64') };
    default:
      return { size: body.length, text: body.toString('base64'), encoding: 'base64' };
  }
}

function httpMessage(firstLine: string, headers: [string, string][], body: Buffer): Buffer {
  const lines = [firstLine, ...headers.map(([name, value]) => `${name}: ${value}`), '', ''];
  return Buffer.concat([Buffer.from(lines.join('\r\n'), 'latin1'), body]);
}

function response({ status, headers, body }: FuzzExchange): Buffer {
  return httpMessage(`HTTP/1.1 ${status} OK`, headers, body);
}

function request({ method, url, requestHeaders }: FuzzExchange): Buffer {
  const { host, target } = partsOf(url);
  return httpMessage(
    `${method} ${target} HTTP/1.1`,
    [['Host', host], ...requestHeaders],
    Buffer.alloc(0),
  );
}

function partsOf(url: string): { host: string; target: string } {
  const [, host = '', target = ''] = /^[a-z]+:\/\/([^/?#]*)(.*)$/s.exec(url) ?? [];
  return { host, target: target === '' ? '/' : target };
}

/** Records, each to be packed alone or with the others. */
function warc(choices: Choices): Buffer[] {
  const records = [warcRecord(choices, [['WARC-Type', 'warcinfo']], warcInfo(choices))];
  for (const [index, exchange] of exchangesOf(choices).entries()) {
    const id: [string, string] = ['WARC-Record-ID', `<urn:uuid:${index}>`];
    const of: [string, string] = ['WARC-Concurrent-To', `<urn:uuid:${index}>`];
    const type = choices.chance(70) ? 'response' : choices.pick(WARC_TYPES);
    const about: [string, string][] = [
      ['WARC-Type', type],
      ['WARC-Target-URI', choices.chance(90) ? exchange.url : `<${exchange.url}>`],
      ['WARC-Date', choices.pick(['2026-01-01T00:00:00Z', 'never', ''])],
      ['WARC-Payload-Digest', choices.pick(WARC_DIGESTS)],
      id,
    ];
    const more = type === 'revisit' || choices.chance(5) ? [choices.pick(WARC_HEADERS)] : [];
    const block =
      type === 'resource'
        ? exchange.body
        : type === 'metadata'
          ? Buffer.from(`via: ${choices.pick(['https://www.a.test/', '', exchange.url])}\r\n`)
          : response(exchange);
    records.push(warcRecord(choices, [...about, ...more], block));
    records.push(warcRecord(choices, [['WARC-Type', 'request'], of], request(exchange)));
  }
  if (choices.chance(20)) {
    const url = `urn:pageinfo:${choices.pick(['https://www.a.test/', '', 'https://cdn.a.test/a.js'])}`;
    const about: [string, string][] = [
      ['WARC-Type', 'resource'],
      ['WARC-Target-URI', url],
    ];
    records.push(warcRecord(choices, about, Buffer.from('{}')));
  }
  if (choices.chance(5)) records.push(Buffer.alloc(choices.pick([1, 512, 40_000])));
  return records;
}

const WARC_TYPES = [
  'resource',
  'revisit',
  'revisit',
  'metadata',
  'continuation',
  'conversion',
  '',
  'constructor',
];

const WARC_DIGESTS = [
  'sha1:A',
  'sha1:B',
  'sha-1:da39a3ee5e6b4b0d3255bfef95601890afd80709',
  'sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ',
  `sha256:${'!'.repeat(52)}`,
  ':',
  '',
];

const WARC_HEADERS: [name: string, value: string][] = [
  ['WARC-Truncated', 'length'],
  ['WARC-Segment-Number', '1'],
  ['WARC-IP-Address', '\u0000'],
  ['WARC-Refers-To', '<urn:uuid:1>'],
  ['WARC-Refers-To-Target-URI', 'https://www.a.test/a.gif'],
  ['WARC-Profile', 'http://netpreserve.org/warc/1.1/revisit/server-not-modified'],
];

function warcRecord(choices: Choices, headers: [string, string][], block: Buffer): Buffer {
  const length = choices.chance(97)
    ? String(block.length)
    : choices.pick(['-1', '', '5', '999999999', '1e3', String(block.length + 1)]);
  const lines = [
    choices.chance(98) ? 'WARC/1.0' : choices.pick(['WARC/1.1', 'WARX/1.0', '', 'filedesc://a']),
    ...headers.map(([name, value]) => `${name}: ${value}`),
    `Content-Length: ${length}`,
  ];
  const lineEnd = choices.chance(90) ? '\r\n' : '\n';
  const end = choices.chance(90)
    ? '\r\n\r\n'
    : choices.pick(['', '\n', '\r\n', '\n \n', 'x\r\n', '\r\n\r\n\r\n']);
  const top = `${lines.join(lineEnd)}${lineEnd}${lineEnd}`;
  return Buffer.concat([Buffer.from(top), block, Buffer.from(end)]);
}

/** As wget, wpull and Webrecorder write it, and not. */
function warcInfo(choices: Choices): Buffer {
  const fields = [
    'software: \u001b[1ma',
    'wget-arguments: "--page-requisites" "https://www.a.test/" "cdn.a.test/a.js"',
    'wpull-argv: ["https://www.a.test/", "--page-requisites", "\\"]',
    'json-metadata: {"pages": [{"url": "https://www.a.test/", "title": "\\u001b[2J"}, null, 5]}',
    'json-metadata: {"pages": {"length": 5}}',
    'json-metadata: [',
  ];
  return Buffer.from(`${choices.pick(fields)}\r\n${choices.pick(fields)}\r\n`);
}

/** Some WARCs of one crawl, perhaps with the lists of an unpacked WACZ. */
function warcFolder(choices: Choices): FuzzInput {
  const records = warc(choices);
  const cut = choices.number(records.length + 1);
  const parts = [records.slice(0, cut), records.slice(cut)];
  const files: FuzzInput['files'] = new Map([[CANARY_FILE, Buffer.from(CANARY)]]);
  for (const [index, part] of parts.entries()) {
    const bytes = Buffer.concat(part);
    const content = packedOrNot(choices, index === 0 ? bytes : maybeMutated(choices, bytes));
    files.set(`a/${choices.pick(['', 'archive/'])}${index}.warc.gz`, content);
  }
  for (const [name, content] of pageLists(choices)) files.set(`a/${name}`, content);
  if (choices.chance(10)) files.set('a/2.warc', { link: `../${CANARY_FILE}` });
  return { archive: 'a', files };
}

/** What a WACZ says of its pages. */
function pageLists(choices: Choices): [name: string, content: Buffer][] {
  const mainPageUrl = choices.pick(['https://www.a.test/', '', 5, 'https://missing.test/']);
  const name = choices.pick(['mainPageUrl', 'mainPageURL']);
  const pages = choices.pick([
    '{"format":"json-pages-1.0"}\n{"url":"https://www.a.test/","title":"\\u001b[2J"}\n',
    '{',
    'null\n5\n',
    '',
  ]);
  return [
    ['datapackage.json', Buffer.from(JSON.stringify({ [name]: mainPageUrl }))],
    ['pages/pages.jsonl', Buffer.from(pages)],
  ];
}

function wacz(choices: Choices): FuzzInput {
  const records = warc(choices);
  const packed = choices.chance(50);
  const content = packed
    ? Buffer.concat(records.map((record) => gzipSync(record)))
    : maybeMutated(choices, Buffer.concat(records));
  const files: [string, Buffer][] = [
    [packed ? 'archive/data.warc.gz' : 'archive/data.warc', content],
    ...pageLists(choices),
  ];
  if (choices.chance(10))
    files.push([
      choices.pick([
        '../outside.warc',
        '/a.warc',
        'a\\..\\b.warc',
        'a\0.warc',
        'archive/data.warc',
      ]),
      content,
    ]);
  if (choices.chance(30)) files.splice(choices.number(files.length), 1);
  const zip = zipOf(files, choices);
  return oneFile('a/a.wacz', choices.chance(30) ? mutated(choices, zip) : zip);
}

/** A zip of files, each stored or deflated; the sizes it gives are not always true. */
function zipOf(files: [name: string, content: Buffer][], choices: Choices): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of files) {
    const isDeflated = choices.chance(50);
    const data = isDeflated ? deflateRawSync(content) : content;
    const size = choices.chance(97)
      ? content.length
      : choices.pick([0, 0xffffffff, content.length + 1]);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(isDeflated ? 8 : 0, 4);
    fields.writeUInt32LE(crc32(content), 10);
    fields.writeUInt32LE(data.length, 14);
    fields.writeUInt32LE(size, 18);
    fields.writeUInt16LE(Buffer.byteLength(name), 22);
    const local = Buffer.concat([
      Buffer.from('PK\x03\x04', 'latin1'),
      fields,
      Buffer.from(name),
      data,
    ]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    directory.push(Buffer.from('PK\x01\x02\x14\x00', 'latin1'), fields, tail, Buffer.from(name));
    parts.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, central, end]);
}

function wprgo(choices: Choices): Buffer {
  const requests: Record<string, Record<string, unknown[]>> = Object.create(null);
  for (const exchange of exchangesOf(choices)) {
    const { host } = partsOf(exchange.url);
    requests[host] ??= Object.create(null) as Record<string, unknown[]>;
    requests[host][exchange.url] ??= [];
    const answers = requests[host][exchange.url] as unknown[];
    answers.push({
      SerializedRequest: base64(choices, request(exchange)),
      SerializedResponse: base64(choices, response(exchange)),
      ...(choices.chance(3) ? { WebSocketMessages: [] } : {}),
    });
    if (choices.chance(3)) answers.push(choices.pick<unknown>([null, 5, [], {}, 'a']));
  }
  return Buffer.from(
    JSON.stringify({
      Requests: choices.chance(97)
        ? requests
        : choices.pick<unknown>([null, [], 5, { a: 5 }, { a: { b: 5 } }]),
      Certs: {},
      DeterministicTimeSeedMs: choices.pick<unknown>([1767225600000, 0, -1, 1e300, null, 'a']),
    }),
  );
}

function base64(choices: Choices, content: Buffer): unknown {
  if (choices.chance(95)) return content.toString('base64');
  return choices.pick<unknown>([
    '',
    null,
    '!',
    5,
    `${content.toString('base64')}=`,
    content.toString('base64url'),
  ]);
}

function mahimahi(choices: Choices): FuzzInput {
  const files: FuzzInput['files'] = new Map();
  for (const [index, exchange] of exchangesOf(choices).entries()) {
    const content = maybeMutated(choices, mahimahiRecord(choices, exchange));
    files.set(`a/save.${index}`, content);
  }
  if (choices.chance(10)) files.set('a/save.link', { link: `../${CANARY_FILE}` });
  if (choices.chance(10)) files.set('a/folder/save.x', Buffer.from('a'));
  if (files.size === 0) files.set('a/save.x', choices.bytes(choices.number(50)));
  return { archive: 'a', files };
}

function mahimahiRecord(choices: Choices, exchange: FuzzExchange): Buffer {
  const { host, target } = partsOf(exchange.url);
  const header = ([name, value]: [string, string]) =>
    protobuf.Writer.create()
      .uint32(10)
      .bytes(Buffer.from(name))
      .uint32(18)
      .bytes(Buffer.from(value))
      .finish();
  const message = (firstLine: string, headers: [string, string][], body: Buffer) => {
    const writer = protobuf.Writer.create().uint32(10).bytes(Buffer.from(firstLine));
    for (const each of headers) writer.uint32(18).bytes(header(each));
    return writer.uint32(26).bytes(body).finish();
  };
  const { method, status, headers, requestHeaders, body } = exchange;
  return Buffer.from(
    protobuf.Writer.create()
      .uint32(10)
      .string(choices.pick(['192.0.2.1', '', 'a', '::1']))
      .uint32(16)
      .uint32(443)
      .uint32(24)
      .uint32(choices.pick([1, 2, 3]))
      .uint32(34)
      .bytes(
        message(
          `${method} ${target} HTTP/1.1`,
          [['Host', host], ...requestHeaders],
          Buffer.alloc(0),
        ),
      )
      .uint32(42)
      .bytes(message(`HTTP/1.1 ${status} OK`, headers, body))
      .finish(),
  );
}

function wget(choices: Choices): FuzzInput {
  const files: FuzzInput['files'] = new Map();
  if (choices.chance(20)) {
    for (const [name, content] of SEEDS.wget) {
      if (choices.chance(90)) files.set(`a/${name}`, maybeMutated(choices, content));
    }
  }
  for (const exchange of exchangesOf(choices)) {
    const { host, target } = partsOf(exchange.url);
    const content = maybeMutated(choices, response(exchange));
    // Hosts without a dot, with a port, and names that are no host's.
    const folder = choices.chance(90)
      ? plain(host)
      : choices.pick(['localhost:9100', 'intranet', 'x+1']);
    const name = plain(target === '/' ? 'index.html' : target.slice(1));
    files.set(`a/${folder}/${name}${choices.pick(['', '', '.html', '?x.css', '.orig'])}`, content);
    // As `--convert-links` and `--backup-converted` leave it.
    if (choices.chance(20)) {
      files.set(`a/${folder}/${name}.orig`, content);
      files.set(`a/${folder}/${name}`, Buffer.from(choices.pick(CONVERTED)));
    }
  }
  if (choices.chance(10)) files.set('a/www.a.test/link', { link: `../../${CANARY_FILE}` });
  if (choices.chance(10)) files.set('a/linked.test', { link: '..' });
  if (choices.chance(10)) files.set('a/www.a.test/x/..%2f..%2fb', Buffer.from(CANARY.slice(0, 5)));
  if (files.size === 0) files.set('a/www.a.test/index.html', choices.bytes(choices.number(50)));
  return { archive: choices.pick(['a', 'a', 'a/www.a.test']), files };
}

const CONVERTED = [
  '<link rel="stylesheet" href="a.css%3Fx.css"><img src="../cdn.a.test/a.gif"><iframe src="index.html">',
  '<img src="%"><img src="%00"><img src="..%2f..%2foutside.txt"><img src="../../../outside.txt">',
  `<img src="${'../'.repeat(2_000)}a.gif">`,
  '"a"'.repeat(20_000),
];

/** A path that the file system takes. */
function plain(part: string): string {
  const steps = part
    .replaceAll('\0', '')
    .split('/')
    .filter((step) => !['', '.', '..'].includes(step));
  return (
    steps
      .slice(0, 20)
      .map((step) => step.slice(0, 60))
      .join('/') || 'x'
  );
}
