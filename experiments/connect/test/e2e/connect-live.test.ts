import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import type { AutonomousSystem } from '../../../../ground/records/autonomous-system.ts';
import { readRun } from '../../../../ground/records/read.ts';
import { assertStatusOf, isSpoilt } from '../../../../test/e2e/whole-run.ts';
import type { Hosts } from '../../../../test/internet/hosts.ts';
import { type Internet, withInternet } from '../../../../test/internet/internet.ts';
import { withTemporaryFolder } from '../../../../test/temporary-folder.ts';
import { type Connection, PROGRAM, withConnections } from './live-connections.ts';

/** Result of an attempt: ok, or outcome, layer and code. */
function resultOf({ outcome, details }: Connection): string {
  const { error = null } = details ?? {};
  return error === null ? outcome : `${outcome} ${error.layer} ${error.code}`;
}

const OK = 'ok';
const REFUSED = 'failed tcp ECONNREFUSED';
const SILENT = 'failed udp timeout';

/** Expected results of connections to each kind of host by QUIC, TLS 1.3 and TLS 1.2, over either family. */
const RESULTS: Record<string, [quic: string, tls13: string, tls12: string]> = {
  web: [OK, OK, OK],
  'tls1.2-only': [SILENT, 'unsupported tls protocol_version', OK],
  'tls-only': [SILENT, OK, OK],
  'h3-only': [OK, REFUSED, REFUSED],
  retry: [OK, OK, OK],
  'other-version': ['unsupported quic VERSION_NEGOTIATION', OK, OK],
  expired: each('failed tls CERT_HAS_EXPIRED'),
  'wrong-name': each('failed tls HOSTNAME_MISMATCH'),
  'self-signed': each('failed tls DEPTH_ZERO_SELF_SIGNED_CERT'),
  'unknown-authority': each('failed tls UNABLE_TO_GET_ISSUER_CERT_LOCALLY'),
  'long-chain': [OK, OK, OK],
  alert: [
    'unsupported tls no_application_protocol',
    'failed tls handshake_failure',
    'failed tls handshake_failure',
  ],
  resets: [SILENT, 'failed tls ECONNRESET', 'failed tls ECONNRESET'],
  silent: [SILENT, 'failed tls timeout', 'failed tls timeout'],
  refuses: [SILENT, REFUSED, REFUSED],
  'drops-udp': [SILENT, OK, OK],
  drops: [SILENT, 'failed tcp timeout', 'failed tcp timeout'],
  dead: [SILENT, 'failed tcp EHOSTUNREACH', 'failed tcp EHOSTUNREACH'],
  'no-name': each('failed dns ENOTFOUND'),
  'name-fails': each('failed dns ESERVFAIL'),
  'name-silent': each('failed dns ETIMEOUT'),
};

function each(result: string): [string, string, string] {
  return [result, result, result];
}

const TRANSPORTS = ['quic', 'tls1.3', 'tls1.2'] as const;

/** The result of a kind of host by a transport. */
function expectedOf(kind: string, transport: string): string {
  return RESULTS[kind]?.[TRANSPORTS.indexOf(transport as (typeof TRANSPORTS)[number])] ?? '';
}

/**
 * Silent hosts have a short timeout, answering ones a long one: runs divide hosts and transports by
 * that.
 */
function runsOf(kinds: readonly string[]) {
  const parts = kinds.flatMap((kind) =>
    [2, 20].map((timeoutS) => {
      const isSilent = (transport: string) => /timeout$/i.test(expectedOf(kind, transport));
      return {
        kind,
        timeoutS,
        ways: TRANSPORTS.filter((transport) => isSilent(transport) === timeoutS < 20),
      };
    }),
  );
  const groups = Map.groupBy(
    parts,
    ({ timeoutS, ways: transports }) => `${timeoutS} ${transports}`,
  );
  return [...groups.values()].flatMap((group) => {
    const [{ timeoutS, ways: transports } = { timeoutS: 0, ways: [] }] = group;
    return transports.length === 0
      ? []
      : [{ kinds: group.map(({ kind }) => kind), timeoutS, ways: transports }];
  });
}

function hostOf(kind: string): string {
  return `${kind.replaceAll('.', '-')}.test`;
}

test('has the rows of every kind of host, with layer, code and reason, by each transport and family', async () => {
  const kinds = Object.keys(RESULTS);
  const hosts = Object.fromEntries(kinds.map((kind) => [hostOf(kind), kind])) as Hosts;
  await withInternet({ hosts }, async (internet) => {
    await Promise.all(runsOf(kinds).map((run) => assertResults(internet, run)));
    // A name is resolved once for all transports of a block.
    const queries = await internet.questions();
    const lookups = queries.filter(({ name }) => name === hostOf('web'));
    assert.deepEqual(lookups.map(({ type }) => type).toSorted(), ['A', 'AAAA']);
  });
});

function assertResults(
  internet: Internet,
  { kinds, timeoutS, ways: transports }: ReturnType<typeof runsOf>[number],
): Promise<void> {
  const words = [
    ...kinds.map(hostOf),
    ...['--via', transports.join(), '--ipv', '4,6', '--requests', '1'],
    ...['--repetitions', '1', '--timeout', `${timeoutS}`],
  ];
  return withConnections(internet, words, async ({ status, output, out, attempts }) => {
    assert.equal(status, 6, output);
    assert.equal(attempts.length, kinds.length * transports.length * 2);
    for (const kind of kinds) {
      for (const ipv of ['4', '6']) {
        const own = attempts.filter(
          ({ subject, factors }) => subject === hostOf(kind) && factors.ipv === ipv,
        );
        assert.deepEqual(own.map(({ arm }) => arm).toSorted(), [...transports].toSorted());
        const valid = own.filter((each) => !isSpoilt(each));
        assert.deepEqual(
          valid.map((each) => [each.arm, resultOf(each)]),
          valid.map(({ arm }) => [arm, expectedOf(kind, arm)]),
          `${kind}, IPv${ipv}, ${transports}`,
        );
      }
    }
    for (const attempt of attempts) if (!isSpoilt(attempt)) assertWhole(attempt);
    const { backend, networks } = await readRun(out);
    assert.deepEqual([backend, networks.map(({ name }) => name)], ['live', ['live']]);
    const lines = (await readFile(path.join(out, 'connections.csv'), 'utf8')).trim().split('\n');
    assert.equal(lines.length, 1 + attempts.length);
    assert.match(await readFile(path.join(out, 'report.html'), 'utf8'), /own network/);
  });
}

function assertWhole({ id, outcome, message, metrics, details, network, path: seen }: Connection) {
  const { address = null, lookupMs = null, facts = null, error = null, transport } = details ?? {};
  assert.deepEqual([network.backend, network.measuredRttMs, seen], ['live', null, null], id);
  assert.ok(lookupMs !== null && lookupMs > 0, id);
  if (outcome !== 'ok') {
    assert.ok(error && error.reason.length > 20 && message?.includes(error.reason), id);
    return;
  }
  assert.match(
    address ?? '',
    details?.address?.startsWith('[') ? /^\[.*:.*\]:443$/ : /^[\d.]+:443$/,
  );
  assert.equal(facts?.status, 200, id);
  assert.equal(facts?.tlsVersion, transport === 'tls1.2' ? 'TLS 1.2' : 'TLS 1.3', id);
  assert.ok((facts?.certificateChainBytes ?? 0) > 200, id);
  const { tcpMs, maySendMs, firstByteMs, totalMs } = metrics;
  assert.equal(tcpMs == null, transport === 'quic', id);
  const instants = [tcpMs ?? 0, maySendMs, firstByteMs, totalMs].map(Number);
  assert.deepEqual(
    instants,
    instants.toSorted((a, b) => a - b),
    id,
  );
}

test('starts rounds at their interval, each with new look-ups', () =>
  withInternet({ hosts: { 'www.test': 'web' } }, (internet) => {
    const words = ['www.test', '--repetitions', '3', '--every', '2s', '--via', 'quic,tls1.3'];
    return withConnections(internet, words, async ({ status, output, attempts }) => {
      assertStatusOf(attempts, status, output);
      const begun = attempts
        .filter((_, index) => index % 2 === 0)
        .map(({ startedAt }) => Date.parse(startedAt));
      // A late round does not delay the next one: each has its own time, and none comes before it.
      const sinceMs = begun.map((at) => at - (begun[0] ?? 0));
      for (const [round, ms] of sinceMs.entries())
        assert.ok(ms > 2_000 * round - 300, `${sinceMs}`);
      assert.equal((await internet.questions()).length, 3);
    });
  }));

test('groups hosts by the autonomous system of their address, and rejects a bad table before any look-up', () =>
  withTemporaryFolder((folder) =>
    withInternet({ hosts: HOSTS_OF_SYSTEMS }, async (internet) => {
      const table = path.join(folder, 'ip2asn.tsv');
      await writeFile(table, '10.91.1.9\t10.91.1.1\t1\tZZ\tREVERSED\n');
      const wrong = await internet.run([
        ...[process.execPath, PROGRAM, 'connect', '--live', 'one.test', '--as-table', table],
        ...['--out', path.join(folder, 'run')],
      ]);
      assert.equal(wrong.status, 2, wrong.stderr);
      assert.match(
        wrong.stderr,
        /ip2asn\.tsv, line 1: the range is 10\.91\.1\.9 to 10\.91\.1\.1, expected/,
      );
      assert.deepEqual(await internet.questions(), []);
      // Hosts have the addresses 10.91.1.1 and on, and fd91:7c2e:5a40:1::1 and on.
      await writeFile(
        table,
        [
          '10.91.1.1\t10.91.1.2\t64500\tZZ\tLARGE',
          '10.91.1.3\t10.91.1.3\t0\tNone\tNot routed',
          'fd91:7c2e:5a40:1::1\tfd91:7c2e:5a40:1::2\t64501\tZZ\tSIX',
          '',
        ].join('\n'),
      );
      const words = [
        ...[...Object.keys(HOSTS_OF_SYSTEMS), '--via', 'quic,tls1.3', '--ipv', '4,6'],
        ...['--repetitions', '1', '--as-table', table],
      ];
      await withConnections(internet, words, async ({ output, out, attempts }) => {
        for (const { subject, factors, details, id } of attempts) {
          assert.deepEqual(
            details?.autonomousSystem,
            SYSTEMS[`${subject} ${factors.ipv}`],
            `${id}\n${output}`,
          );
        }
        assert.equal(attempts.length, 16);
        const csv = await readFile(path.join(out, 'connections.csv'), 'utf8');
        assert.equal(csv.match(/,64500,LARGE$/gm)?.length, 4);
        // The report needs no table.
        await rm(table);
        const reported = await internet.run([process.execPath, PROGRAM, 'report', out]);
        assert.equal(reported.status, 0, reported.stderr);
        const page = await readFile(path.join(out, 'report.html'), 'utf8');
        assert.match(page, /AS64500 LARGE<\/bdi><\/th><td>2<\/td><td>4<\/td><td>0<\/td>/);
        assert.match(page, /AS64501 SIX<\/bdi><\/th><td>2<\/td><td>4<\/td>/);
      });
    }),
  ));

const HOSTS_OF_SYSTEMS: Hosts = {
  'one.test': 'web',
  'two.test': 'web',
  'three.test': 'web',
  'gone.test': 'no-name',
};

/** By host and address family; absent: no address. */
const SYSTEMS: Record<string, AutonomousSystem | null> = {
  'one.test 4': { number: 64500, name: 'LARGE' },
  'two.test 4': { number: 64500, name: 'LARGE' },
  'three.test 4': null,
  'one.test 6': { number: 64501, name: 'SIX' },
  'two.test 6': { number: 64501, name: 'SIX' },
  'three.test 6': null,
};
