import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import type { ProbeRecord } from '../../../../ground/records/probe.ts';
import { projectFolder } from '../../../../ground/system/folders.mjs';
import type { Hosts } from '../../../../test/internet/hosts.ts';
import { withInternet } from '../../../../test/internet/internet.ts';
import { withTemporaryFolder } from '../../../../test/temporary-folder.ts';

const PROGRAM = path.join(projectFolder, 'bin', 'quic-vs-https.ts');

interface Spoken {
  answered: boolean;
  tls: string;
  h3: boolean | null;
  retry: boolean | null;
  certificate?: ProbeRecord['certificate'];
}

const SILENT: Spoken = { answered: false, tls: '', h3: null, retry: null };
const WEB: Spoken = {
  answered: true,
  tls: '1.3 1.2',
  h3: true,
  retry: false,
  certificate: 'valid',
};

/** Protocols of a host of each kind. */
const SPOKEN: Record<string, Spoken> = {
  web: WEB,
  'tls1.2-only': { ...WEB, tls: '1.2', h3: false, retry: null },
  'tls-only': { ...WEB, h3: false, retry: null },
  'h3-only': { answered: true, tls: '', h3: true, retry: false },
  retry: { ...WEB, retry: true },
  'other-version': { ...WEB, h3: false },
  'long-chain': WEB,
  'drops-udp': { ...WEB, h3: false, retry: null },
  refuses: SILENT,
  drops: SILENT,
  dead: SILENT,
  'no-name': SILENT,
};

function hostOf(kind: string): string {
  return `${kind.replaceAll('.', '-')}.test`;
}

test('reports the protocols of every kind of host, and the reason for silent ones', () => {
  const hosts: Hosts = {
    ...Object.fromEntries(Object.keys(SPOKEN).map((kind) => [hostOf(kind), kind])),
    'record.test': { kind: 'web', families: [6], httpsRecord: ['h3', 'h2'] },
  } as Hosts;
  return withTemporaryFolder((folder) =>
    withInternet({ hosts }, async (internet) => {
      const out = path.join(folder, 'probe');
      const table = path.join(folder, 'ip2asn.tsv');
      // One system for both families: under load QUIC may be tried over either.
      const ranges = ['10.91.1.0\t10.91.255.255', 'fd91:7c2e:5a40:1::\tfd91:7c2e:5a40:1::ffff'];
      const rows = ranges.map((range) => `${range}\t64500\tZZ\tTEST-NET\n`);
      await writeFile(table, rows.join(''));
      const { status, stdout, stderr } = await internet.run([
        ...[process.execPath, PROGRAM, 'connect', '--probe', '--live', ...Object.keys(hosts)],
        ...['--trust', internet.caFile, '--timeout', '5', '--out', out, '--as-table', table],
      ]);
      assert.equal(status, 6, `${stdout}\n${stderr}`);
      const lines = (await readFile(path.join(out, 'probes.jsonl'), 'utf8')).trim().split('\n');
      const records = lines.map((line) => JSON.parse(line) as ProbeRecord);
      assert.equal(records.length, Object.keys(hosts).length);
      const recordOf = (host: string) => records.find((each) => each.host === host);
      for (const [kind, expected] of Object.entries(SPOKEN)) {
        const record = recordOf(hostOf(kind));
        assert.ok(record, kind);
        const { answered, h3, retry, certificate } = record;
        const tls = [record.tls13 && '1.3', record.tls12 && '1.2'].filter(Boolean).join(' ');
        const found: Spoken = { answered, tls, h3, retry, ...(certificate && { certificate }) };
        assert.deepEqual(found, expected, kind);
        if (!answered) assert.ok(record.failures.length > 0, kind);
      }
      // RFC 9000, section 8.1.
      for (const { host, amplification } of records) {
        assert.ok(amplification === null || amplification <= 3, `${host}: ${amplification}`);
      }
      const longChainBytes = recordOf('long-chain.test')?.certificateChainBytes ?? 0;
      assert.ok(longChainBytes > 7_000 && longChainBytes < 8_000, `${longChainBytes}`);
      const { addresses, httpsRecords, altSvc } = recordOf('record.test') ?? {};
      assert.deepEqual(
        addresses?.map(({ family }) => family),
        ['ipv6'],
      );
      assert.deepEqual(httpsRecords?.[0]?.alpn, ['h3', 'h2']);
      assert.match(altSvc ?? '', /^h3=/);
      for (const { address, autonomousSystem } of records.flatMap((each) => each.addresses)) {
        assert.deepEqual(autonomousSystem, { number: 64500, name: 'TEST-NET' }, address);
      }
      const page = await readFile(path.join(out, 'probe.html'), 'utf8');
      assert.match(page, /long-chain\.test/);
      const answered = records.filter((record) => record.answered);
      const http3 = answered.filter(({ h3 }) => h3);
      assert.ok(http3.every(({ quicMs }) => quicMs != null && quicMs > 0));
      for (const { host, tlsVersion, tlsMs } of records) {
        assert.equal(tlsVersion === null, tlsMs === null, host);
      }
      assert.match(page, /share of the hosts by AS64500 TEST-NET: connection time/);
      const cells = `<td>${answered.length}</td><td>${http3.length}</td>`;
      assert.ok(page.includes(`AS64500 TEST-NET</bdi></th>${cells}`), cells);
    }),
  );
});
