import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'csv-parse/sync';
import type { ConnectDetails } from '../../../../ground/records/connection-attempt.ts';
import type { Observation } from '../../../../ground/records/observation.ts';
import type { MadeRun } from '../../../../test/unit/made-run.ts';
import { jaegerTable } from '../../jaeger.ts';
import { connectionTable } from '../../table.ts';
import { detailedRun } from './sections/made-up-connections.ts';

const JAEGER =
  'DnsLookupTime;TimeOfMeasurement;Url;Path;Ip;Port;ConnectionEstablishmentTime;HttpResponse;Protocol;TcpHandshakeTimeOptional';

function rowsOf({ run, observations, invocations }: MadeRun): Record<string, string>[] {
  return parse(connectionTable.text(run, observations, invocations), { columns: true });
}

function jaegerLines({ run, observations, invocations }: MadeRun): string[] {
  return jaegerTable.text(run, observations, invocations).split('\n');
}

function detailsOf(attempt: Observation | undefined): ConnectDetails {
  return attempt?.details as unknown as ConnectDetails;
}

test('has a row for every attempt, warm-ups too, and begins with the columns of Jaeger', () => {
  const fixture = detailedRun();
  const rows = rowsOf(fixture);
  assert.equal(rows.length, fixture.observations.length);
  assert.equal(
    Object.keys(rows[0] ?? {})
      .slice(0, 10)
      .join(';'),
    JAEGER,
  );
  assert.deepEqual(
    rows.map(({ warmup }) => warmup === 'true'),
    fixture.observations.map(({ warmup }) => warmup),
  );
  assert.ok(rows.some(({ warmup }) => warmup === 'true'));
  assert.deepEqual(new Set(rows.map(({ machine }) => machine)), new Set(['bench']));
});

test('has the TCP connect time and the TLS time in a row over TCP, and neither over QUIC', () => {
  const rows = rowsOf(detailedRun());
  const tls = rows.find(({ arm }) => arm === 'tls1.3');
  assert.equal(tls?.Protocol, 'TCP/TLS1.3');
  assert.equal(tls?.TcpHandshakeTimeOptional, '30.250');
  assert.equal(Number(tls?.tls_ms), Number((Number(tls?.may_send_ms) - 30.25).toFixed(3)));
  const quic = rows.find(({ arm }) => arm === 'quic');
  assert.equal(quic?.Protocol, 'QUICv1');
  assert.deepEqual([quic?.TcpHandshakeTimeOptional, quic?.tls_ms], ['', '']);
  assert.deepEqual([quic?.Ip, quic?.Port, quic?.family], ['2001:db8::1', '443', '6']);
  assert.deepEqual([tls?.Ip, tls?.Port, tls?.family], ['192.0.2.1', '443', '4']);
});

test('divides the time until the client may send by the round-trip time of the path, and is empty without a path', () => {
  const fixture = detailedRun();
  const [first, second] = fixture.observations;
  assert.ok(first && second);
  first.metrics.maySendMs = 60.5;
  second.network.measuredRttMs = null;
  const [measured, live] = rowsOf(fixture);
  assert.equal(measured?.round_trips, '2');
  assert.equal(live?.round_trips, '');
});

test('writes a failed attempt as a row with its layer, code and reason, intact with commas', () => {
  const fixture = detailedRun();
  const [attempt] = fixture.observations;
  Object.assign(attempt ?? {}, { outcome: 'failed', code: 'handshake-failed', metrics: {} });
  detailsOf(attempt).facts = null;
  detailsOf(attempt).error = { layer: 'tls', code: 'x', reason: 'expected "a", got "b", c' };
  const [row] = rowsOf(fixture);
  assert.equal(row?.outcome, 'failed');
  assert.deepEqual(
    [row?.error_layer, row?.error_code, row?.error_reason],
    ['tls', 'x', 'expected "a", got "b", c'],
  );
  assert.deepEqual([row?.ConnectionEstablishmentTime, row?.HttpResponse, row?.Path], ['', '', '']);
});

test('writes an attempt that never began as a row too', () => {
  const fixture = detailedRun();
  const attempt = fixture.observations.find(({ arm }) => arm === 'quic');
  Object.assign(attempt ?? {}, {
    details: null,
    metrics: {},
    outcome: 'failed',
    code: 'client-failed',
  });
  const row = rowsOf(fixture).find(({ id }) => id === attempt?.id);
  assert.deepEqual([row?.transport, row?.Url, row?.Ip], ['quic', 'www.example.org', '']);
});

test("has in Jaeger's form his ten columns, ok attempts alone, a path for QUIC, and 0 without a response", () => {
  const fixture = detailedRun();
  const { observations } = fixture;
  const counted = observations.filter(({ warmup }) => !warmup);
  const [quic, tls, failed] = ['quic', 'tls1.3', 'tls1.2'].map((arm) =>
    counted.find((attempt) => attempt.arm === arm),
  );
  assert.ok(quic && tls && failed);
  quic.metrics.maySendMs = 40.1;
  tls.metrics.maySendMs = 70;
  Object.assign(detailsOf(tls).facts ?? {}, { status: null });
  failed.outcome = 'failed';
  const [heading, ...lines] = jaegerLines(fixture);
  assert.equal(heading, JAEGER);
  assert.equal(lines.filter((line) => line !== '').length, counted.length - 1);
  const seconds = (attempt: { startedAt: string }) =>
    Math.floor(Date.parse(attempt.startedAt) / 1000);
  assert.ok(
    lines.includes(`1.500;${seconds(quic)};www.example.org;/;2001:db8::1;443;40.100;200;QUICv1;`),
  );
  assert.ok(
    lines.includes(
      `1.500;${seconds(tls)};www.example.org;;192.0.2.1;443;70.000;  0;TCP/TLS1.3;30.250`,
    ),
  );
});

test("keeps the names of Google's versions of QUIC", () => {
  const fixture = detailedRun();
  const quic = fixture.observations.find(({ arm }) => arm === 'quic');
  Object.assign(detailsOf(quic).facts ?? {}, { quicVersion: 'Q043' });
  const row = rowsOf(fixture).find(({ id }) => id === quic?.id);
  assert.equal(row?.Protocol, 'Q043');
});

test('has columns of autonomous systems only in a run with a table, with 0 for addresses that are not routed', () => {
  const fixture = detailedRun();
  const [routed, notRouted, withoutAddress] = fixture.observations;
  assert.ok(!('as_number' in (rowsOf(fixture)[0] ?? {})));
  detailsOf(routed).autonomousSystem = { number: 64500, name: 'A, "B"' };
  detailsOf(notRouted).autonomousSystem = null;
  const rows = rowsOf(fixture).slice(0, 3);
  assert.deepEqual(
    rows.map(({ as_number, as_name }) => [as_number, as_name]),
    [
      ['64500', 'A, "B"'],
      ['0', ''],
      ['', ''],
    ],
  );
  assert.equal(withoutAddress?.id, rows[2]?.id);
});
