import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { readSiteList } from '../../../cache/site-list.ts';
import { connect } from '../../../experiments/connect/experiment.ts';
import { JAEGER_COLUMNS } from '../../../experiments/connect/jaeger.ts';
import { CONNECTION_COLUMNS } from '../../../experiments/connect/table.ts';
import { readHosts } from '../../../ground/options/hosts.ts';
import { traces } from '../../../ground/options/traces.ts';
import { packetsCommand } from '../../../tools/packets/command.ts';
import { readTable } from '../../../tools/read/read-table.ts';
import { capture, KEYS_FILE } from './capture.ts';
import { type FuzzInput, oneFile } from './input.ts';
import { maybeMutated } from './mutation.ts';
import type { Choices } from './random.ts';

/** What is read and becomes no site. */
interface Reader {
  make: (choices: Choices) => FuzzInput;
  /** @param out a folder that may be written into */
  read: (file: string, out: string, print: (line: string) => void) => unknown;
}

export const READERS: Readonly<Record<string, Reader>> = {
  trace: { make: (choices) => text(choices, traceLine), read: (file) => traces('trace', file) },
  hosts: { make: (choices) => text(choices, hostLine), read: (file) => readHosts([`@${file}`]) },
  sites: { make: (choices) => text(choices, siteLine), read: (file) => readSiteList(file) },
  table: { make: table, read: (file, out) => readTable(connect, file, path.join(out, 'run')) },
  capture: {
    make: capture,
    read: (file, out, print) => {
      const keys = path.join(path.dirname(file), path.basename(KEYS_FILE));
      const choices = {
        keys: existsSync(keys) ? keys : null,
        csv: path.join(out, 'csv'),
        qlog: path.join(out, 'qlog'),
        // It reads the capture once more.
        flow: statSync(file).size % 4 === 0 ? path.join(out, 'flow.html') : null,
        json: false,
      };
      const { signal } = new AbortController();
      return packetsCommand([file], choices, { latest: out, print, complain: print, signal });
    },
  },
};

/** Lines as editors and shells of several systems write them. */
function text(choices: Choices, line: (choices: Choices, index: number) => string): FuzzInput {
  const count = choices.pick([0, 1, 3, 3, 10, 10, 1_000]);
  const lines = Array.from({ length: count }, (_, index) => line(choices, index));
  const content = lines.join(choices.pick(['\n', '\n', '\r\n', '\r'])) + choices.pick(['\n', '']);
  return oneFile('a/a.txt', written(choices, content));
}

function written(choices: Choices, content: string): Buffer {
  const bytes = maybeMutated(choices, Buffer.from(content));
  if (choices.chance(75)) return bytes;
  return choices.pick<() => Buffer>([
    () => Buffer.concat([Buffer.from('efbbbf', 'hex'), bytes]),
    () => Buffer.from(`\ufeff${content}`, 'utf16le'),
    () => Buffer.from(`\ufeff${content}x`, 'utf16le').swap16(),
    () => Buffer.concat([Buffer.from('feff', 'hex'), bytes]),
    () => gzipSync(bytes),
  ])();
}

function traceLine(choices: Choices, index: number): string {
  if (choices.chance(98)) return String(index * 5);
  return choices.pick(['# a', '', '0005', '1.5', '1e3', '-1', '99999999', '1 2', '1,2', '\t7']);
}

function hostLine(choices: Choices, index: number): string {
  if (choices.chance(80)) return `www${index}.example`;
  return choices.pick([
    '# a',
    '',
    '127.0.0.1:8443',
    '[::1]:443',
    '::1',
    'https://bücher.example/ä?b',
    'http://a.example:80',
    '1,www.example',
    '*.example',
    '"www.example"',
    '127.0.0.1 localhost',
    'a..b',
    'xn--a',
    '\u0000',
    '\u001b[2J',
    '[',
    'a@b',
    `${'a'.repeat(300)}.example`,
    '0x7f.1',
    'www.example:99999',
    'www.example # a',
  ]);
}

function siteLine(choices: Choices, index: number): string {
  if (choices.chance(90)) return `site-${index}`;
  return choices.pick(['# a', '', '../a', 'site-0', 'CON', '\u001b[2J', 'a b', 'x'.repeat(5_000)]);
}

function table(choices: Choices): FuzzInput {
  const columns = choices.chance(50) ? Object.keys(JAEGER_COLUMNS) : CONNECTION_COLUMNS;
  const separator = choices.pick([',', ';']);
  const rows = Array.from({ length: choices.pick([0, 1, 3, 30]) }, (_, row) =>
    columns.map((column) => field(choices, column, row)).join(separator),
  );
  const heading = columns.join(separator);
  const content = [heading, ...rows, ''].join(choices.pick(['\n', '\n', '\r\n']));
  const bytes = choices.chance(70) ? Buffer.from(content) : written(choices, content);
  return oneFile('a/a.csv', bytes);
}

const FIELDS: Readonly<Record<string, readonly string[]>> = {
  via: ['quic', 'tls1.3', 'tls1.2', 'tcp'],
  arm: ['quic', 'tls1.3', 'tls1.2', 'tcp'],
  Protocol: ['QUICv1', 'TCP/TLS1.3', 'TCP/TLS1.2', 'TCP'],
  Url: ['www.example.org', 'www.example.com'],
  subject: ['www.example.org', 'www.example.com'],
  stack: ['live'],
  outcome: ['ok', 'ok', 'failed', 'invalid', 'unsupported'],
  TimeOfMeasurement: ['1530000000', '1530000060'],
  Path: ['/', ''],
  Ip: ['192.0.2.1', '2001:db8::1'],
  resumption: ['none'],
  error_reason: ['a reason'],
  error_layer: [''],
  early_data: [''],
  retry: ['true', 'false', ''],
  resumed: ['true', 'false', ''],
  warmup: ['false', 'true'],
  network: ['loopback'],
};

const ODD_FIELDS = [
  '',
  '-1',
  'NaN',
  '1e400',
  '9'.repeat(14),
  '9'.repeat(400),
  '0.1',
  '=1+1',
  '"',
  '"a\nb"',
  '\u001b[2J',
  '__proto__',
];

function field(choices: Choices, column: string, row: number): string {
  if (choices.number(500) === 0) return choices.pick(ODD_FIELDS);
  if (column === 'id') return `row-${row}`;
  return choices.pick(FIELDS[column] ?? ['1', '20']);
}
