import path from 'node:path';
import { crc32, deflateRawSync, gzipSync } from 'node:zlib';
import {
  orSeed,
  packedOrNot,
  request,
  response,
} from '../../../../../test/long/fuzz-importers/archives.ts';
import { CANARY, exchangesOf } from '../../../../../test/long/fuzz-importers/exchange.ts';
import {
  CANARY_FILE,
  type FuzzInput,
  type FuzzMakers,
  oneFile,
} from '../../../../../test/long/fuzz-importers/input.ts';
import { maybeMutated, mutated } from '../../../../../test/long/fuzz-importers/mutation.ts';
import type { Choices } from '../../../../../test/long/fuzz-importers/random.ts';
import { seedsIn } from '../../../../../test/long/fuzz-importers/seeds.ts';

const SEEDS = [
  ...seedsIn(path.join(import.meta.dirname, '../fixtures'), '**/*.warc{,.gz}').values(),
];

export const FUZZ: FuzzMakers = {
  warc: (choices) =>
    oneFile(
      'a/a.warc',
      packedOrNot(
        choices,
        maybeMutated(
          choices,
          orSeed(choices, SEEDS, () => Buffer.concat(warc(choices))),
        ),
      ),
    ),
  'warc-folder': warcFolder,
  wacz,
};

/** Records, each to be packed separately or together. */
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

/** As wget, wpull and Webrecorder write it, and differently. */
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

/** Page lists of a WACZ. */
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

/** A zip of files, each stored or deflated; its sizes are not always true. */
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
