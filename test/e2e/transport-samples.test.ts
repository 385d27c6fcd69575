import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { bun } from '../../clients/bun/client.ts';
import { startConnector } from '../../clients/connector.ts';
import type { CongestionControl } from '../../ground/records/congestion-control.ts';
import { type QuicConnection, quicConnectionSchema } from '../../ground/records/quic-sample.ts';
import { schemaCheck } from '../../ground/records/schema-check.ts';
import { addressOfHost, CLIENT_ADDRESS } from '../../network/addresses.ts';
import { NOTHING_ADDED } from '../../network/conditions.ts';
import { withNetwork } from '../../network/network.ts';
import { readMachine } from '../../runner/machine.ts';
import { withServers } from '../../runner/servers.ts';
import { MATCHED_TRANSPORT, STACKS } from '../../servers/index.ts';
import { ensureLeaves } from '../leaves.ts';
import { withTemporaryFolder } from '../temporary-folder.ts';
import { writeFixtureSite } from './site-fixture.ts';

const HOST = 'www.samples.test';
const BODY_BYTES = 3_000_000;
const RTT_MS = 40;
const SAMPLE_MS = 20;
const FIRST_PORT = 40_000;
const machine = readMachine();
const check = schemaCheck(quicConnectionSchema);
const [LSQUIC] = STACKS.filter(({ stack }) => stack === 'lsquic-h3');

/**
 * The server's samples of the connection of each of several transfers of the body over a lossy
 * path, right after it.
 */
function transfers(congestionControl: CongestionControl, count: number) {
  return withTemporaryFolder(async (folder) => {
    const siteFolder = path.join(folder, 'site');
    const certsFolder = path.join(folder, 'certs');
    const headers: [string, string][] = [['content-type', 'application/octet-stream']];
    const body = Buffer.alloc(BODY_BYTES, 'sample');
    await writeFixtureSite(siteFolder, [
      { url: `https://${HOST}/`, type: 'document', headers, body },
    ]);
    await ensureLeaves([HOST], certsFolder);
    const { python } = machine;
    const network = { python, hosts: 1, congestionControl, initcwnd: null };
    return withNetwork({ ...network, backend: 'auto' }, async ({ agent, apply }) => {
      const condition = { ...NOTHING_ADDED, rttMs: RTT_MS, downKbps: 10_000, lossPercent: 2 };
      const servers = {
        machine,
        stacks: LSQUIC ? [LSQUIC] : [],
        site: 'samples',
        siteFolder,
        certsFolder,
        addresses: { [HOST]: addressOfHost(0) },
        enter: agent.enter('server'),
        logsFolder: folder,
        congestionControl,
        sampleMs: SAMPLE_MS,
      };
      return withServers(servers, async ([server]) => {
        const connector = startConnector([machine.bun, bun.connect.program], {
          enter: agent.enter('client'),
        });
        try {
          const sampled: QuicConnection[] = [];
          for (let number = 1; number <= count; number++) {
            const localPort = FIRST_PORT + number;
            await apply({ ...condition, seed: number });
            const { error, facts } = await connector.connect({
              transport: 'quic',
              host: HOST,
              authority: HOST,
              address: server?.origins[HOST] ?? '',
              resumption: 'none',
              awaitsTicket: false,
              request: { path: '/' },
              localPort,
              trust: null,
              timeoutMs: 30_000,
            });
            assert.equal(error, null);
            assert.equal(facts.bodyBytes, BODY_BYTES);
            const connections = (await server?.transportSamples?.()) ?? [];
            // The end of the previous one may have reached the server since.
            const client = `${CLIENT_ADDRESS}:${localPort}`;
            const own = connections.filter((connection) => connection.client === client);
            assert.equal(own.length, 1);
            sampled.push(...own);
          }
          return sampled;
        } finally {
          await connector.close();
        }
      });
    });
  });
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

test("samples a QUIC server's connections since the last request, and BBR's window withstands losses that shrink Cubic's", async () => {
  const cubic = await transfers('cubic', 2);
  const bbr = await transfers('bbr', 1);
  for (const connection of [...cubic, ...bbr]) assertConsistent(connection);
  const [least] = bbr.map(usualWindowBytes);
  for (const bytes of cubic.map(usualWindowBytes)) {
    assert.ok((least ?? 0) > 2 * bytes, `BBR ${least}, Cubic ${bytes}`);
  }
});

/** In the second half of a transfer, when the start-up is long over. */
function usualWindowBytes({ samples }: QuicConnection): number {
  return median(samples.slice(samples.length >> 1).map(({ cwndBytes }) => cwndBytes));
}

/** The samples agree with each other, with the transfer and with the path. */
function assertConsistent(connection: QuicConnection): void {
  assert.equal(check(connection), null);
  const { server, samples, clientStreamWindowBytes, serverStreamWindowBytes } = connection;
  assert.ok(server.startsWith(`${addressOfHost(0)}:`), server);
  assert.ok(clientStreamWindowBytes && serverStreamWindowBytes);
  const first = samples[0];
  const last = samples.at(-1);
  assert.ok(first && last);
  // The window of the description, if no acknowledgement has arrived before the first sample.
  assert.ok(first.cwndBytes >= MATCHED_TRANSPORT.initialWindowPackets * 1400);
  assert.ok(samples.length > 20, `${samples.length} samples`);
  for (const [index, sample] of samples.entries()) {
    const before = samples[index - 1] ?? sample;
    for (const name of ['atMs', 'sentPackets', 'sentBytes', 'lostPackets'] as const) {
      assert.ok(sample[name] >= before[name], name);
    }
    assert.ok((sample.minRttMs ?? RTT_MS) >= RTT_MS - 0.5, `${sample.minRttMs}`);
  }
  assert.ok(last.sentBytes > BODY_BYTES && last.sentBytes < 1.2 * BODY_BYTES, `${last.sentBytes}`);
  const lostPercent = (100 * last.lostPackets) / last.sentPackets;
  // On a busy machine the sender takes late packets for lost, at most as many as 1.2 bodies allow.
  assert.ok(lostPercent > 0.5 && lostPercent < 100 / 6, `${lostPercent} % lost`);
}
