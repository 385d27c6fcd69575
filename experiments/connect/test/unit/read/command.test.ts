import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { parseHTML } from 'linkedom';
import { runFolder } from '../../../../../ground/records/run-folder.ts';
import { reportCommand } from '../../../../../report/command.ts';
import { writeReport } from '../../../../../report/write.ts';
import { temporaryFolder } from '../../../../../test/temporary-folder.ts';
import { wordsOf } from '../../../../../test/unit/approve.ts';
import { fixtureRun, withRunFolder } from '../../../../../test/unit/report/fixture-run.ts';
import { readCommand } from '../../../../../tools/read/command.ts';
import { readTable } from '../../../../../tools/read/read-table.ts';
import { experimentOf } from '../../../../index.ts';

const CONNECT = experimentOf({ experiment: 'connect' });

const HEADING =
  'DnsLookupTime;TimeOfMeasurement;Url;Path;Ip;Port;ConnectionEstablishmentTime;HttpResponse;Protocol;TcpHandshakeTimeOptional';

/** Hourly rows of two hosts: TLS 1.3 is 10 ms sooner than TLS 1.2 by and large, QUIC 20 ms, at one of the hosts alone. */
function published(): string {
  const rows = Array.from({ length: 24 }, (_, hour) => {
    const unixS = 1_530_974_559 + hour * 3600;
    const row = (host: string, ms: number, protocol: string, tcp = '') =>
      `1.000;${unixS};${host};;192.0.2.1;443;${(ms + (hour % 7) / 10).toFixed(3)};200;${protocol};${tcp}`;
    return [
      row('a.example.org', 60, 'Q043'),
      row('a.example.org', 80 + (hour % 5), 'TCP/TLS1.2', '20.000'),
      row('a.example.org', 70 + (hour % 3), 'TCP/TLS1.3', '20.000'),
      row('b.example.org', 80 + (hour % 5), 'TCP/TLS1.2', '20.000'),
      row('b.example.org', 70 + (hour % 3), 'TCP/TLS1.3', '20.000'),
    ];
  });
  return `${[HEADING, ...rows.flat()].join('\n')}\n`;
}

async function runIn(context: TestContext): Promise<string> {
  const folder = temporaryFolder(context);
  const file = path.join(folder, 'hosts.csv');
  writeFileSync(file, published());
  const out = path.join(folder, 'run');
  await readTable(CONNECT, file, out);
  return out;
}

test('has verdicts, and names the file of the published table', async (context) => {
  const out = await runIn(context);
  const printed: string[] = [];
  const none = {
    out: null,
    baseline: null,
    margin: null,
    metric: null,
    mix: null,
    dialect: null,
    charts: null,
  };
  const status = await reportCommand(
    [out],
    { compare: false, history: false, ...none, 'fail-if': null, junit: null, markdown: null },
    { studies: async () => [], print: (text) => printed.push(text) },
  );
  assert.equal(status, 0);
  assert.match(printed.join(), /QUIC is \d+ % faster/);
  const { document } = parseHTML(readFileSync(runFolder(out).report, 'utf8'));
  assert.match(
    wordsOf(document.querySelector('h1')),
    /^Times until the handshake is complete of [\w.-]+ and [\w.-]+$/,
  );
  const page = wordsOf(document.querySelector('body'));
  assert.match(page, /were not made by this program: they were read from hosts\.csv \(120 rows\)/);
  assert.match(page, /QUIC, by the client quic_perf, 24 connections/);
});

test('claims no path, servers, machine or order of this bench for a published table', async (context) => {
  const out = await runIn(context);
  await writeReport(out);
  const { document } = parseHTML(readFileSync(runFolder(out).report, 'utf8'));
  for (const id of ['network', 'fairness']) {
    // Not compared by assert.equal, which would write the whole page out.
    assert.ok(document.getElementById(id) === null, id);
  }
  for (const style of document.querySelectorAll('style, script')) style.remove();
  const page = wordsOf(document.querySelector('body'));
  for (const absurd of [
    /added delay/,
    /came in blocks|did not take turns/,
    /server program/,
    /network namespace/,
    /node:tls|node:quic/,
    /No connection was disturbed/,
    /was never made/,
    /Processor|Kernel/,
    /Initial window|Certificate chain/,
  ]) {
    assert.doesNotMatch(page, absurd);
  }
  const anchors = [...document.querySelectorAll('a[href^="#"]')].map((each) =>
    each.getAttribute('href')?.slice(1),
  );
  assert.deepEqual(
    anchors.filter((id) => !document.getElementById(id ?? '')),
    [],
  );
});

test('calls pairs of a host without rows of one protocol missing, not broken', async (context) => {
  const out = await runIn(context);
  const { comparisons } = await writeReport(out);
  const quic = comparisons.find(
    ({ subject, arm }) => subject === 'b.example.org' && arm === 'quic',
  );
  assert.match(
    quic?.notes.join(' ') ?? '',
    /24 pairs of 24 are excluded: a connection of each is missing/,
  );
});

test('rejects options that decide how to measure, and hosts, with --read', async () => {
  const given = { read: 'hosts.csv', rtt: '30' };
  await assert.rejects(
    readCommand({ given, operands: [] }, CONNECT, async () => []),
    /--rtt cannot be used with --read/,
  );
  await assert.rejects(
    readCommand(
      { given: { read: 'hosts.csv' }, operands: ['a.example.org'] },
      CONNECT,
      async () => [],
    ),
    /the hosts are those of the file/,
  );
});

test('rejects a dialect of connections for page loads', async () => {
  await withRunFolder(fixtureRun(), async (folder) => {
    await assert.rejects(
      writeReport(folder, { dialect: 'jaeger' }),
      /--dialect jaeger: .*page-load.* connect/,
    );
  });
});
