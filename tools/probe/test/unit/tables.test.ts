import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ProbeRecord } from '../../../../ground/records/probe.ts';
import { probeSchema } from '../../../../ground/records/probe.ts';
import { schemaCheck } from '../../../../ground/records/schema-check.ts';
import { assertEach } from '../../../../test/unit/assert-each.ts';
import { closed } from '../../../../test/unit/closed-schema.ts';
import { Adoption } from '../../adoption.ts';
import { CSV_HEAD, csvRow, growingTable } from '../../columns.ts';
import { probePage } from '../../page.ts';
import { exampleRecord, unknownHost } from './example-record.ts';

function adoptionOf(records: readonly ProbeRecord[]): Adoption {
  const adoption = new Adoption();
  for (const record of records) adoption.add(record);
  return adoption;
}

function shareOf(records: readonly ProbeRecord[], name: string) {
  const found = adoptionOf(records).shares.find((share) => share.name === name);
  assert.ok(found, name);
  return [found.hits, found.n];
}

/** A host's cells in the terminal by their headings. */
function cellsOf(record: ProbeRecord): Record<string, string> {
  const { head, row } = growingTable([record]);
  const headings = [...head.matchAll(/\S+(?: \S+)*(?=\s{2,}|$)/g)];
  return Object.fromEntries(
    headings.map(({ 0: heading, index }) => {
      const rest = row(record).slice(index);
      return [heading, rest.split(/\s{2,}/)[0] ?? ''];
    }),
  );
}

test('writes records of answering and silent hosts that match their schema', () => {
  const problemOf = schemaCheck(closed(probeSchema));
  assert.equal(problemOf(exampleRecord()), null);
  assert.equal(problemOf(unknownHost('nowhere.test')), null);
  assert.match(problemOf({ ...exampleRecord(), h3: 'yes' }) ?? '', /h3 is "yes"/);
});

test('shows a host’s protocols in its row', () => {
  const { row, head } = growingTable([exampleRecord()]);
  const cells = row(exampleRecord()).split(/\s{2,}/);
  assert.deepEqual(cells, [
    'www.example.org',
    'yes',
    'yes',
    '1.3 1.2',
    'yes',
    '1 2',
    'no',
    '3',
    'h2',
    'h2 http/1.1',
    'h3=":443"; ma=86400',
    'h3,h2',
    'yes',
    'X25519MLKEM768',
    '2,345',
    '2',
    'TLS_AES_128_GCM_SHA256',
  ]);
  assert.ok(head.startsWith('Host             IPv4'), head);
});

test('has a row for a host without a response too, with the reason', () => {
  const cells = growingTable([])
    .row(unknownHost('nowhere.test'))
    .split(/\s{2,}/);
  assert.deepEqual(cells.slice(0, 4), ['nowhere.test', 'none', 'none', '–']);
  assert.equal(cells.at(-1), 'dns ENOTFOUND');
});

test('distinguishes "no" from "not known"', () => {
  const cells = cellsOf(
    exampleRecord({
      tls13: false,
      tls12: false,
      tls11: null,
      tls10: null,
      h3: false,
      quicVersions: null,
      alpnTogether: '',
      alpnH2: false,
      alpnHttp11: false,
      altSvc: null,
      httpsRecords: [],
      postQuantum: null,
      addresses: [{ address: '192.0.2.1', family: 'ipv4', tcp: false, udp: false }],
    }),
  );
  assert.deepEqual(
    [cells.IPv4, cells.IPv6, cells.TLS, cells.h3, cells.QUIC, cells.ALPN],
    ['no', 'none', 'none', 'no', '–', 'none'],
  );
});

test('strips terminal control from data of hosts', () => {
  const { row } = growingTable([]);
  const text = row(exampleRecord({ altSvc: '\u001b[2J\u202e', alpnTogether: '\r\nh2' }));
  assert.doesNotMatch(text, /[\p{Cc}\p{Cf}]/u);
});

test('writes a field for each column of each host into probes.csv, quoted where needed', () => {
  const names = CSV_HEAD.split(',');
  assert.equal(new Set(names).size, names.length);
  const row = csvRow(exampleRecord());
  assert.ok(
    row.startsWith(
      'www.example.org,443,2026-11-23T10:00:00.000Z,1234.568,true,192.0.2.1,true,false,2001:db8::1,true,true,true,true,false,false,',
    ),
    row,
  );
  assert.ok(row.includes('"h3="":443""; ma=86400"'), row);
  assert.ok(row.endsWith('1200,3600,3,tls1.1: tls protocol_version,,,,,41.25,20.5'), row);
  const empty = csvRow(unknownHost('nowhere.test')).split(',');
  assert.equal(empty.length, names.length);
  assert.deepEqual(empty.slice(4, 9), ['false', '', '', '', '']);
});

test('computes shares of hosts that answered with a known value', () => {
  const records = [
    exampleRecord(),
    exampleRecord({ h3: false, retry: null, amplification: null, altSvc: 'h2=":443"' }),
    exampleRecord({ altSvc: null, status: null, retry: true, amplification: 5 }),
    unknownHost('nowhere.test'),
  ];
  assert.deepEqual(shareOf(records, 'TLS 1.3'), [3, 3]);
  assert.deepEqual(shareOf(records, 'h3'), [2, 3]);
  assert.deepEqual(shareOf(records, 'Retry'), [1, 2]);
  assert.deepEqual(shareOf(records, 'More than threefold'), [1, 2]);
  assert.deepEqual(shareOf(records, 'Alt-Svc with h3'), [1, 2]);
  assert.deepEqual(shareOf(records, 'TLS 1.1 or 1.0'), [0, 3]);
  const { hosts, answered, reasons } = adoptionOf(records);
  assert.deepEqual([hosts, answered], [4, 3]);
  assertEach(reasons, ({ failure, hosts: n }) => [failure.question, failure.code, n], [
    ['tls1.1', 'protocol_version', 3],
    ['ipv4', 'ENOTFOUND', 1],
    ['ipv6', 'ENOTFOUND', 1],
  ]);
});

test('shows hosts, shares and reasons in probe.html, and renders no text of hosts as markup', () => {
  const evil = '<script>alert(1)</script>';
  const records = [
    exampleRecord({ altSvc: evil, alpnTogether: evil }),
    exampleRecord({
      failures: [{ question: 'http', layer: 'http', code: evil, reason: evil }],
    }),
  ];
  const page = probePage({ adoption: adoptionOf(records), records, requested: 2 });
  assert.ok(!page.includes(evil));
  assert.equal(page.split('&lt;script&gt;alert(1)&lt;/script&gt;').length - 1, 4);
  assert.match(
    page,
    /<tr><th scope="row">h3<\/th><td>2<\/td><td>2<\/td><td>100.0 %<\/td><td>34.2 % to 100.0 %<\/td>/,
  );
  assert.match(page, /2 of 2/);
  assert.doesNotMatch(page, /Interrupted/);
});

test('reports missing hosts in probe.html after an interruption, and draws no bars without hosts', () => {
  const page = probePage({ adoption: new Adoption(), records: [], requested: 3 });
  assert.match(page, /Interrupted: 3 hosts of 3 were not completely probed/);
  assert.match(page, /not known/);
  assert.doesNotMatch(page.slice(page.indexOf('<main>'), page.indexOf('</main>')), /NaN/);
});

test('reports more hosts than a page can show', () => {
  const records = [exampleRecord()];
  const page = probePage({ adoption: adoptionOf([...records, ...records]), records, requested: 2 });
  assert.match(page, /The first 1 of 2; probes.csv has all/);
});

/** Hosts at two systems, of which one has two addresses, and one at an address that is not routed. */
function recordsWithSystems(): ProbeRecord[] {
  const [six, four] = exampleRecord().addresses;
  assert.ok(six && four);
  const large = { number: 64500, name: 'LARGE, <b>Inc.</b>' };
  const small = { number: 64501, name: 'SMALL' };
  return [
    exampleRecord({
      addresses: [
        { ...six, autonomousSystem: large },
        { ...four, autonomousSystem: small },
      ],
    }),
    exampleRecord({ h3: false, addresses: [{ ...four, autonomousSystem: large }] }),
    exampleRecord({ h3: false, addresses: [{ ...four, autonomousSystem: null }] }),
    unknownHost('nowhere.test'),
  ];
}

test('shows the distributions of connection times by system, of the largest six', () => {
  const [first] = exampleRecord().addresses;
  assert.ok(first);
  const at = (system: number, place: number) =>
    exampleRecord({
      tlsMs: 40 + place,
      quicMs: place % 2 === 0 ? 20 + place : null,
      addresses: [{ ...first, autonomousSystem: { number: system, name: '<b>' } }],
    });
  const records = Array.from({ length: 7 }, (_, of) =>
    Array.from({ length: 9 - of }, (_, place) => at(64500 + of, place)),
  ).flat();
  const adoption = adoptionOf(records);
  assertEach(
    adoption.timesBySystem,
    ({ tlsMs, quicMs }) => [tlsMs.length, quicMs.length],
    [9, 8, 7, 6, 5, 4, 3].map((n) => [n, Math.ceil(n / 2)]),
  );
  const page = probePage({ adoption, records: [], requested: records.length });
  assert.match(page, /in the 6 largest systems/);
  assert.equal(page.match(/aria-label="Line chart: share of the hosts by AS/g)?.length, 6);
  assert.doesNotMatch(page, /<b>|AS64506 &lt;b&gt;: connection time/);
  const older = exampleRecord({ addresses: records[0]?.addresses ?? [] });
  delete older.tlsMs;
  delete older.quicMs;
  const without = probePage({ adoption: adoptionOf([older]), records: [], requested: 1 });
  assert.match(without, /id="systems"/);
  assert.doesNotMatch(without, /connection time/);
});

test('shows the systems of hosts in all tables, and HTTP/3 by system, if the user has a table', () => {
  const records = recordsWithSystems();
  const [first, , notRouted] = records;
  assert.ok(first && notRouted);
  const { row } = growingTable(records, true);
  assert.deepEqual(
    records.map((record) => row(record).split(/\s{2,}/)[1]),
    ['AS64500 AS64501', 'AS64500', 'none', 'none'],
  );
  assert.ok(
    csvRow(first).endsWith(',64501,SMALL,64500,"LARGE, <b>Inc.</b>",41.25,20.5'),
    csvRow(first),
  );
  assert.ok(csvRow(notRouted).endsWith(',0,,,,41.25,20.5'), csvRow(notRouted));
  const adoption = adoptionOf(records);
  // QUIC was tried at the address that answers UDP, or else TCP.
  assertEach(adoption.http3BySystem, ({ name, hits, n }) => [name, hits, n], [
    ['AS64500 LARGE, <b>Inc.</b>', 1, 2],
    ['not routed', 0, 1],
  ]);
  const page = probePage({ adoption, records, requested: 4 });
  assert.match(
    page,
    /LARGE, &lt;b&gt;Inc\.&lt;\/b&gt;<\/bdi><\/th><td>2<\/td><td>1<\/td><td>50\.0 %<\/td>/,
  );
  assert.match(page, /not routed<\/bdi><\/th><td>1<\/td><td>0<\/td><td>0\.0 %<\/td>/);
  assert.doesNotMatch(
    probePage({ adoption: adoptionOf([exampleRecord()]), records: [], requested: 1 }),
    /id="systems"|>AS</,
  );
});
