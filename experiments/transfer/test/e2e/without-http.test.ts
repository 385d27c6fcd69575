import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import * as tls from 'node:tls';
import { manifestFile, type SiteManifest } from '../../../../cache/manifest.ts';
import { sizedSite } from '../../../../cache/sized-site.ts';
import type { Observation } from '../../../../ground/records/observation.ts';
import { plainRequestLine } from '../../../../ground/records/plain-request.ts';
import { withServers } from '../../../../runner/servers.ts';
import { loopbackAddresses } from '../../../../test/e2e/loopback.ts';
import { assertOkButForMachine } from '../../../../test/e2e/whole-run.ts';
import { withRun } from '../../../../test/e2e/with-run.ts';
import { ensureLeaves } from '../../../../test/leaves.ts';
import { withTemporaryFolder } from '../../../../test/temporary-folder.ts';
import type { TransferDetails } from '../../records.ts';
import { plainTcp, plainTls } from '../../servers/stack.ts';

const RTT_MS = 20;
const STACKS = 'lsquic-h3,bun-h2,plain-quic,plain-tls,plain-tcp';

/** Round trips until the client may send. */
const ROUND_TRIPS: Readonly<Record<string, number>> = {
  'lsquic-h3': 1,
  'plain-quic': 1,
  'bun-h2': 2,
  'plain-tls': 2,
  'plain-tcp': 1,
};

const SIZES: Readonly<Record<string, number>> = { '0B': 0, '2MB': 2_000_000 };

test('transfers the same bytes over sockets as by HTTP, in as many round trips, and shows them together', () =>
  withRun<Observation<TransferDetails>>(
    `transfer --stacks ${STACKS} --size 0B,2MB --rtt ${RTT_MS} --repetitions 2 --seed 1`,
    async ({ out, observations }) => {
      for (const { id, arm, subject, details, metrics, path: went } of observations) {
        assert.ok(details && went, id);
        assert.deepEqual([details.bodyBytes, details.connections], [SIZES[subject], 1], id);
        const { connectMs, firstByteMs, totalMs } = metrics;
        const leastMs = RTT_MS * (ROUND_TRIPS[arm] ?? Number.NaN);
        assert.ok((connectMs ?? 0) >= leastMs, `${id}: ${connectMs}`);
        assert.ok((firstByteMs ?? 0) >= leastMs + RTT_MS, `${id}: ${firstByteMs}`);
        assert.ok((totalMs ?? 0) >= (firstByteMs ?? 0), `${id}: ${totalMs}`);
        assert.ok(went.toClient.bytes > details.bytes, id);
      }
      const report = await readFile(path.join(out, 'report.html'), 'utf8');
      assert.match(report, /id="without-http"/);
    },
    assertOkButForMachine,
  ));

test('uploads over sockets in parts, of which the server counts every byte', () =>
  withRun<Observation<TransferDetails>>(
    `transfer --stacks plain-quic,plain-tls,plain-tcp --size 300kB --upload --streams 3
     --repetitions 1 --seed 1`,
    ({ observations }) => {
      for (const { id, arm, details } of observations) {
        assert.equal(details?.serverReceivedBytes, 300_000, id);
        assert.equal(details.connections, arm === 'plain-quic' ? 1 : 3, id);
      }
    },
    assertOkButForMachine,
  ));

test('sends the file itself or a part of it over TCP and TLS, and survives what is no request', async () => {
  const host = 'files.example';
  await ensureLeaves([host]);
  await withTemporaryFolder(async (sites) => {
    const siteFolder = await sizedSite('2MB', 2_000_000, sites);
    const { resources } = JSON.parse(
      await readFile(manifestFile(siteFolder), 'utf8'),
    ) as SiteManifest;
    const file = await readFile(path.join(siteFolder, 'bodies', 'file'));
    const options = { siteFolder, site: '2MB', addresses: loopbackAddresses([host]), enter: [] };
    await withServers(
      { ...options, stacks: [plainTls, plainTcp], logsFolder: sites },
      async (servers) => {
        assert.equal(servers.length, 2);
        for (const { stack, origins, assertAlive } of servers) {
          const [ip = '', port] = (origins[host] ?? '').split(':');
          const to = { host: ip, port: Number(port) };
          const connected = async () => {
            if (stack.protocol === 'tcp') {
              const socket = net.connect(to);
              await once(socket, 'connect');
              return socket;
            }
            const socket = tls.connect({ ...to, servername: host, rejectUnauthorized: false });
            await once(socket, 'secureConnect');
            return socket;
          };
          const answerTo = async (request: string | Buffer) => {
            const socket = await connected();
            socket.on('error', () => {});
            socket.write(request);
            return Buffer.from(await text(socket.setEncoding('latin1')), 'latin1');
          };
          const request = { method: 'GET', host, path: '/file', range: null, bytes: 0 } as const;
          const whole = await answerTo(plainRequestLine(request));
          const { sha256 } = resources.find(({ url }) => url.endsWith('/file')) ?? {};
          assert.equal(createHash('sha256').update(whole).digest('hex'), sha256, stack.stack);
          const part = await answerTo(plainRequestLine({ ...request, range: 'bytes=7-1500' }));
          assert.ok(part.equals(file.subarray(7, 1501)), stack.stack);
          for (const wrong of ['GET / HTTP/1.1\r\n\r\n', Buffer.alloc(100_000, 0x41)]) {
            assert.equal((await answerTo(wrong).catch(() => '')).length, 0, stack.stack);
          }
          assert.equal((await answerTo(plainRequestLine({ ...request, path: '/x' }))).length, 0);
          (await connected()).destroy();
          assertAlive();
        }
      },
    );
  });
});
