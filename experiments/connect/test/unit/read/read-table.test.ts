import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import type { ConnectDetails } from '../../../../../ground/records/connection-attempt.ts';
import type { Observation } from '../../../../../ground/records/observation.ts';
import { readInvocations, readObservations, readRun } from '../../../../../ground/records/read.ts';
import { writeReport } from '../../../../../report/write.ts';
import { temporaryFolder } from '../../../../../test/temporary-folder.ts';
import { assertEach } from '../../../../../test/unit/assert-each.ts';
import { withRunFolder } from '../../../../../test/unit/report/fixture-run.ts';
import { readTable } from '../../../../../tools/read/read-table.ts';
import { connect } from '../../../experiment.ts';
import { detailedRun } from '../sections/made-up-connections.ts';

const HEADING =
  'DnsLookupTime;TimeOfMeasurement;Url;Path;Ip;Port;ConnectionEstablishmentTime;HttpResponse;Protocol;TcpHandshakeTimeOptional';

/**
 * Published rows in each of their forms: two versions of QUIC, padded numbers, IPv6, a row without
 * a partner.
 */
const PUBLISHED = `${HEADING}
1.281;1530974559;www.example.org;/;192.0.2.1;443;51.326;200;Q043;
300.000;1530974560;www.example.org;;192.0.2.1;443;80.762;200;TCP/TLS1.2;19.647
1.071;1530974561;www.example.org;;192.0.2.1;443;60.788;  0;TCP/TLS1.3;19.625
0.900;1530978159;www.example.org;/;2001:db8::1;443;52.000;301;Q039;
`;

function places(context: TestContext, text: string): { file: string; out: string } {
  const folder = temporaryFolder(context);
  const file = path.join(folder, 'published.csv');
  writeFileSync(file, text);
  return { file, out: path.join(folder, 'run') };
}

async function readBack(context: TestContext, text: string) {
  const { file, out } = places(context, text);
  await readTable(connect, file, out);
  const run = await readRun(out);
  const { observations, warnings } = await readObservations(out, connect);
  assert.deepEqual(warnings, []);
  return { out, run, observations, invocations: await readInvocations(out) };
}

test('turns a published table into a run of one arm for each protocol, every row an attempt, pairs by URL and minute', async (context) => {
  const { run, observations } = await readBack(context, PUBLISHED);
  assertEach(run.arms, ({ arm, label }) => [arm, label], [
    ['quic', 'QUIC'],
    ['tls1.3', 'TLS 1.3'],
    ['tls1.2', 'TLS 1.2'],
  ]);
  assert.deepEqual(
    run.subjects.map(({ subject, url }) => [subject, url]),
    [['www.example.org', 'https://www.example.org/']],
  );
  assertEach(observations, ({ arm, block, metrics }) => [arm, block, metrics.completeMs], [
    ['quic', 1, 51.326],
    ['tls1.2', 1, 80.762],
    ['tls1.3', 1, 60.788],
    ['quic', 2, 52],
  ]);
});

test('never takes the end of a QUIC handshake for the moment when the client may send; that of TLS is both', async (context) => {
  const { run, observations } = await readBack(context, PUBLISHED);
  assert.equal(run.analysis.metric, 'completeMs');
  assert.deepEqual(
    observations.map(({ metrics: { maySendMs, completeMs, tcpMs } }) => [
      maySendMs,
      completeMs,
      tcpMs,
    ]),
    [
      [null, 51.326, null],
      [80.762, 80.762, 19.647],
      [60.788, 60.788, 19.625],
      [null, 52, null],
    ],
  );
});

test('reads a published row into a record, with a status of 0 as missing', async (context) => {
  const { observations } = await readBack(context, PUBLISHED);
  const details = observations.map((each) => each.details as ConnectDetails);
  assert.deepEqual(
    details.map(({ transport, address, lookupMs, client, facts }) => [
      transport,
      address,
      lookupMs,
      client,
      facts?.quicVersion,
      facts?.status,
    ]),
    [
      ['quic', '192.0.2.1:443', 1.281, 'quic_perf', 'Q043', 200],
      ['tls1.2', '192.0.2.1:443', 300, 'tls_perf', null, 200],
      ['tls1.3', '192.0.2.1:443', 1.071, 'tls_perf', null, null],
      ['quic', '[2001:db8::1]:443', 0.9, 'quic_perf', 'Q039', 301],
    ],
  );
  assert.equal(observations[0]?.startedAt, '2018-07-07T14:42:39.000Z');
});

test('names the file of a run that was read, and claims no machine, versions, path or servers', async (context) => {
  const { run, observations, invocations } = await readBack(context, PUBLISHED);
  assert.deepEqual(
    [run.read?.file, run.read?.dialect, run.read?.rows],
    ['published.csv', 'jaeger', 4],
  );
  assert.match(run.read?.sha256 ?? '', /^[0-9a-f]{64}$/);
  assert.deepEqual([run.host, run.versions, run.backend], [null, {}, 'read']);
  assert.equal(run.fairness.client.tcpCongestionControl.value, null);
  assertEach(invocations, ({ host, backend }) => [host, backend], [[null, 'read']]);
  assert.ok(
    observations.every(
      ({ network, path: counts, machine, connections }) =>
        network.backend === 'read' &&
        network.measuredRttMs === null &&
        counts === null &&
        machine === null &&
        connections === null,
    ),
  );
});

test('writes a published table that was read with the same bytes', async (context) => {
  const { out } = await readBack(context, PUBLISHED);
  await writeReport(out, { dialect: 'jaeger' });
  assert.equal(readFileSync(path.join(out, 'connections.jaeger.csv'), 'utf8'), PUBLISHED);
});

test('reads connections.csv of a run as a run with the same attempts, blocks and numbers', async (context) => {
  const fixture = detailedRun();
  const [failed] = fixture.observations.filter(({ warmup }) => !warmup);
  assert.ok(failed);
  Object.assign(failed, {
    outcome: 'failed',
    code: 'handshake-failed',
    message: 'No answer, in 30 s.',
    metrics: { ...failed.metrics, maySendMs: null, completeMs: null },
  });
  Object.assign(failed.details ?? {}, {
    facts: null,
    error: { layer: 'udp', code: 'timeout', reason: 'No answer, in 30 s.' },
    autonomousSystem: { number: 64500, name: 'EXAMPLE, Inc.' },
  });
  const systemsOf = (attempts: readonly Observation[]) =>
    attempts.map(({ details }) => (details as ConnectDetails | null)?.autonomousSystem);
  const [first] = fixture.observations;
  Object.assign(first?.details ?? {}, { autonomousSystem: null });
  await withRunFolder(fixture, async (folder) => {
    const summary = await writeReport(folder);
    const table = readFileSync(path.join(folder, 'connections.csv'), 'utf8');
    const { out, run, observations } = await readBack(context, table);
    assert.equal(run.read?.dialect, 'own');
    assert.equal(run.analysis.metric, 'maySendMs');
    assert.deepEqual(
      observations.map(({ id, order, arm, block, warmup, outcome, code }) => [
        id,
        order,
        arm,
        block,
        warmup,
        outcome,
        code,
      ]),
      fixture.observations.map(({ id, order, arm, block, warmup, outcome, code }) => [
        id,
        order,
        arm,
        block,
        warmup,
        outcome,
        code,
      ]),
    );
    assert.deepEqual(systemsOf(observations), systemsOf(fixture.observations));
    const again = await writeReport(out, { choice: { baseline: summary.analysis.baseline } });
    assert.deepEqual(
      again.rows.map(({ arm, n, nFailed, nWarmup }) => [arm, n, nFailed, nWarmup]).sort(),
      summary.rows.map(({ arm, n, nFailed, nWarmup }) => [arm, n, nFailed, nWarmup]).sort(),
    );
    const mediansOf = ({ rows }: typeof summary) =>
      Object.fromEntries(
        rows.map(({ arm, metrics }) => [arm, metrics.maySendMs?.median?.toFixed(2)]),
      );
    assert.deepEqual(mediansOf(again), mediansOf(summary));
    const columns = (text: string) => text.split('\n').map((line) => line.split(',').slice(0, 15));
    const rewritten = readFileSync(path.join(out, 'connections.csv'), 'utf8');
    assert.deepEqual(columns(rewritten), columns(table));
  });
});

for (const [what, row, expected] of [
  ['no time', '1;1530974559;a;;;;;200;Q043;', /line 3: ConnectionEstablishmentTime is missing/],
  [
    'words for a number',
    '1;1530974559;a;;;;fast;200;Q043;',
    /line 3: .* is "fast", expected a number/,
  ],
  ['a negative time', '1;1530974559;a;;;;-5;200;Q043;', /line 3: .* is "-5", expected a number/],
  ['no URL', '1;1530974559;;;;;5;200;Q043;', /line 3: Url is missing/],
  ['no moment', '1;;a;;;;5;200;Q043;', /line 3: TimeOfMeasurement is missing/],
  ['a moment with a fraction', '1;1.5;a;;;;5;200;Q043;', /line 3: .* expected a whole number/],
  [
    'a moment in ms',
    '1;1530974559000;a;;;;5;200;Q043;',
    /line 3: .* "1530974559000", expected Unix seconds, not milliseconds/,
  ],
  [
    'a number that is too large',
    `1;1530974559;a;;;;${'9'.repeat(400)};200;Q043;`,
    /line 3: ConnectionEstablishmentTime is "9{120}", expected a number/,
  ],
  ['an unknown protocol', '1;1530974559;a;;;;5;200;SPDY;', /line 3: Protocol is "SPDY"/],
  ['too few fields', '1;1530974559;a', /line 3: 3 fields, expected 10/],
] as const) {
  test(`rejects a published row with ${what}, names its line, and makes nothing`, async (context) => {
    const good = '1;1530974559;a;;;;5;200;Q043;';
    const { file, out } = places(context, `${HEADING}\n${good}\n${row}\n${good}\n`);
    await assert.rejects(readTable(connect, file, out), { name: 'UsageError', message: expected });
    assert.deepEqual(readdirSync(path.dirname(out)), ['published.csv']);
  });
}

for (const [what, text, expected] of [
  ['of something else', 'time,speed\n1,2\n', /expected the columns/],
  ['without rows', `${HEADING}\n`, /has a header but no rows/],
] as const) {
  test(`rejects a table ${what}, and makes nothing`, async (context) => {
    const { file, out } = places(context, text);
    await assert.rejects(readTable(connect, file, out), expected);
    assert.deepEqual(readdirSync(path.dirname(out)), ['published.csv']);
  });
}

test('reads nothing into an existing folder', async (context) => {
  const { file } = places(context, PUBLISHED);
  await assert.rejects(readTable(connect, file, path.dirname(file)), /nothing is ever overwritten/);
});
