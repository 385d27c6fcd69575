import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import http2 from 'node:http2';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterEach, describe, test } from 'node:test';
import { pidOf } from '../../experiments/measuring.ts';
import { readRun } from '../../ground/records/read.ts';
import { readTcpSamples } from '../../ground/records/tcp-sample.ts';
import { UPLINK_DEVICE } from '../../network/uplink.ts';
import { ensureLeaves } from '../leaves.ts';
import { withTemporaryFolder } from '../temporary-folder.ts';
import { assertNoProcessLeft, assertNoUplinkLeft } from './left-behind.ts';
import { readPageLoads } from './page-loads.ts';
import { type Oddity, SITE, startRun, withRunning } from './running-servers.ts';
import { writeFixtureSite } from './site-fixture.ts';
import { HTTP1 } from './stacks-by-protocol.ts';
import { TRIES_ALL } from './tested-stacks.ts';
import { assertStatusOf, assertWhole } from './whole-run.ts';

const skip = process.getuid?.() !== 0 && 'only root may make a device of the machine';

afterEach(assertNoUplinkLeft);

describe('existing servers', { skip }, () => {
  test('are loaded from over the path, by their protocols, and their readings are reported', () =>
    withTemporaryFolder((temporary) =>
      withRunning('lsquic-h3', {}, (quicPort) =>
        withRunning('bun-h2', {}, async (tcpPort) => {
          const out = path.join(temporary, 'run');
          const own = [
            `mine-h3=https://localhost:${quicPort}`,
            `mine-h2=https://localhost:${tcpPort}`,
          ];
          const run = startRun(out, [...own, 'lsquic-h3'], 2, ['--tcp-info', '5']);
          const status = await run.ended;
          await assertWhole(out, 6);
          const { arms, analysis, fairness } = await readRun(out);
          assert.deepEqual(
            arms.map(({ own: each }) => each?.url),
            [`https://localhost:${quicPort}`, `https://localhost:${tcpPort}`, undefined],
          );
          assert.equal(analysis.baseline, 'mine-h2');
          const { 'mine-h3': quic, 'mine-h2': tcp } = fairness.readings;
          assert.equal(quic?.congestionControl?.value, null);
          assert.equal(quic?.initialWindowPackets?.value, null);
          assert.equal(tcp?.congestionControl?.value, 'cubic');
          assert.equal(tcp?.initialWindowPackets?.value, 32);
          for (const readings of [quic, tcp]) {
            assert.equal(readings?.segmentsPerPacket?.value, 1);
            assert.ok(Number(readings?.certificateChainBytes?.value) > 200);
            assert.equal(readings?.serverLanguage?.value, null);
          }
          const { pageLoads } = await readPageLoads(out);
          assertStatusOf(pageLoads, status, run.output());
          for (const load of pageLoads.filter(({ outcome }) => outcome === 'ok')) {
            assert.ok((load.path?.toServer.packets ?? 0) > 5, load.id);
            assert.ok((load.machine?.serverCpuMs ?? 0) > 0, load.id);
            assert.ok((load.metrics.firstByteMs ?? 0) >= 10, load.id);
            if (load.arm !== 'mine-h2') continue;
            const file = path.join(out, load.files.tcpInfo ?? '');
            const samples = await Array.fromAsync(readTcpSamples(file));
            assert.ok(
              samples.some(({ sentBytes }) => sentBytes > 0),
              load.id,
            );
            for (const { server } of samples) assert.ok(server.endsWith(`:${tcpPort}`), server);
          }
          const report = await readFile(path.join(out, 'report.html'), 'utf8');
          assert.match(report, /A server outside of this project, at https:\/\/localhost/);
          await assertNoUplinkLeft();
        }),
      ),
    ));

  test('are blamed when they die, with their address', () =>
    withTemporaryFolder((temporary) =>
      withRunning('bun-h2', {}, async (port, server) => {
        const out = path.join(temporary, 'run');
        const own = `dying-h2=https://localhost:${port}`;
        const run = startRun(out, [own, 'bun-h2'], 6, ['--stop-after', '2']);
        await run.printed(/^4 of 14 loads done/m);
        process.kill(pidOf(server), 'SIGKILL');
        assert.equal(await run.ended, 6, run.output());
        assert.match(run.output(), new RegExp(`dying-h2 at https://localhost:${port}`));
        const { pageLoads } = await readPageLoads(out);
        const failed = pageLoads.filter(({ outcome }) => outcome === 'failed');
        assert.ok(failed.length > 0);
        for (const { arm, code, id } of failed) {
          assert.equal(arm, 'dying-h2', id);
          assert.ok(code === 'server-failed' || code === 'given-up', `${id}: ${code}`);
        }
        const first = failed.find(({ code }) => code === 'server-failed');
        assert.match(first?.message ?? '', /no longer answers|Nothing on this machine listens/);
      }),
    ));

  test('block a second run, but not once the first has ended, in any way', () =>
    withTemporaryFolder((temporary) =>
      withRunning('bun-h2', {}, async (port) => {
        const start = (name: string) =>
          startRun(path.join(temporary, name), [`mine-h2=https://localhost:${port}`], 100);
        const killed = start('killed');
        await killed.printed(/1 of \d+ loads done/);
        const second = start('second');
        assert.equal(await second.ended, 5, second.output());
        assert.match(second.output(), new RegExp(`198.18.0.1.*${UPLINK_DEVICE}`));
        killed.child.kill('SIGKILL');
        await killed.ended;
        await assertNoUplinkLeft();
        await assertNoProcessLeft(killed);
        const stopped = start('stopped');
        await stopped.printed(/1 of \d+ loads done/);
        stopped.child.kill('SIGINT');
        stopped.child.kill('SIGINT');
        assert.equal(await stopped.ended, 130, stopped.output());
        await assertNoProcessLeft(stopped);
      }),
    ));
});

/** What is wrong, the stack whose program runs it, its address, and the expected message. */
type Wrong = [what: string, stack: string, name: string, oddity: Oddity, said: RegExp];

const WRONG: Wrong[] = [
  [
    'that listens at loopback alone',
    'bun-h2',
    'mine-h2',
    { ip: '127.0.0.1' },
    /only at loopback \(127.*0\.0\.0\.0/s,
  ],
  [
    'with a certificate that has expired',
    'lsquic-h3',
    'mine-h3',
    { certificate: { notAfter: new Date(Date.now() - 86_400_000) } },
    /expired on/,
  ],
];

/** Stacks for which those stand, and for the first one a server that must speak both versions. */
const FURTHER_WRONG: Wrong[] = [
  [
    'that speaks HTTP/2 where HTTP/3 was requested',
    'bun-h2',
    'mine-h3',
    {},
    /over UDP.*speaks h2/s,
  ],
  ['that speaks HTTP/3 where HTTP/2 was requested', 'lsquic-h3', 'mine-h2', {}, /TCP.*speaks h3/s],
  [
    'that speaks HTTP/1.1 where HTTP/2 was requested',
    HTTP1.stack,
    'mine-h2',
    {},
    /speak h2.*got http\/1.1/s,
  ],
  [
    'with a certificate for another name',
    'bun-h2',
    'mine-h2',
    { certificate: { names: ['other.test'] } },
    /accept for www.example.org.*names other.test/s,
  ],
  [
    'with an RSA key of 1024 bits',
    'bun-h2',
    'mine-h2',
    { certificate: { rsaBits: 1024 } },
    /RSA key has 1024 bits/,
  ],
];

/** Runs an HTTP/2 server in this process whose responses have no end. */
async function withEndlessServer(use: (port: number) => Promise<void>): Promise<void> {
  await withTemporaryFolder(async (temporary) => {
    await ensureLeaves([SITE], temporary);
    const read = (ending: string) => readFile(path.join(temporary, `${SITE}.${ending}`));
    const server = http2.createSecureServer({ cert: await read('pem'), key: await read('key') });
    server.on('stream', (stream) => {
      stream.on('error', () => {});
      stream.respond({ ':status': 200, 'content-type': 'text/html' });
      const more = () => {
        while (!stream.destroyed && stream.write(Buffer.alloc(65_536)));
      };
      stream.on('drain', more);
      more();
    });
    await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve));
    try {
      await use((server.address() as AddressInfo).port);
    } finally {
      server.close();
    }
  });
}

describe('before anything is measured', { skip }, () => {
  const assertRefused = (port: number, name: string, said: RegExp) =>
    withTemporaryFolder(async (temporary) => {
      const out = path.join(temporary, 'run');
      const run = startRun(out, [`${name}=https://localhost:${port}`, 'bun-h2']);
      assert.equal(await run.ended, 4, run.output());
      assert.match(run.output(), said);
      assert.match(run.output(), new RegExp(`^${name} at https://localhost:${port} `, 'm'));
      assert.ok(!existsSync(out), 'a folder was made');
    });

  for (const [what, stack, name, oddity, said] of [...WRONG, ...(TRIES_ALL ? FURTHER_WRONG : [])]) {
    test(`it rejects a server ${what}`, () =>
      withRunning(stack, oddity, (port) => assertRefused(port, name, said)));
  }

  test('it rejects a missing server', () =>
    assertRefused(1, 'mine-h2', /refusal.*Nothing on this machine listens at port 1/s));

  test('it rejects a server with an endless response, and holds no more of it than the site has', () =>
    withEndlessServer((port) =>
      assertRefused(port, 'mine-h2', /Expected a response of at most .* got more/),
    ));

  test('it rejects a server with another site, with the expected and the actual one', () =>
    withTemporaryFolder(async (temporary) => {
      const folder = path.join(temporary, SITE);
      await writeFixtureSite(folder, [
        {
          url: `https://${SITE}/`,
          type: 'document',
          headers: [['content-type', 'text/html']],
          body: '<!doctype html><title>another</title>',
        },
      ]);
      await withRunning('lsquic-h3', { folder }, (port) =>
        assertRefused(
          port,
          'mine-h3',
          /another site than www.example.org.*bytes \(SHA-256 .*got 37 bytes/s,
        ),
      );
    }));
});
