import path from 'node:path';
import { type FuzzInput, oneFile } from '../../../../test/long/fuzz-importers/input.ts';
import type { Choices } from '../../../../test/long/fuzz-importers/random.ts';
import type { Reader } from '../../../../test/long/fuzz-importers/readers.ts';
import { written } from '../../../../test/long/fuzz-importers/written.ts';
import { readTable } from '../../../../tools/read/read-table.ts';
import { connect } from '../../experiment.ts';
import { JAEGER_COLUMNS } from '../../jaeger.ts';
import { CONNECTION_COLUMNS } from '../../table.ts';

export const READERS: Readonly<Record<string, Reader>> = {
  table: { make: table, read: (file, out) => readTable(connect, file, path.join(out, 'run')) },
};

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
  transport: ['quic', 'tls1.3', 'tls1.2', 'tcp'],
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
