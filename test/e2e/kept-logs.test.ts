import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { CLIENT_ADDRESS } from '../../network/addresses.ts';
import { schemaCheck } from '../../records/schema-check.ts';
import { readTcpSamples, type TcpSample, tcpSampleSchema } from '../../records/tcp-sample.ts';
import { MATCHED_TRANSPORT } from '../../servers/index.ts';
import { withTemporaryFolder } from '../temporary-folder.ts';
import { startBenchmark } from './command.ts';
import { assertNoProcessLeft } from './left-behind.ts';
import { readPageLoads } from './page-loads.ts';

const RTT_MS = 30;
const check = schemaCheck(tcpSampleSchema);

test('a run keeps what the kernel knew of each TCP connection, and the NetLog of each browser, where asked', () =>
  withTemporaryFolder(async (temporary) => {
    const out = path.join(temporary, 'run');
    const command = startBenchmark([
      ...['--sites', 'www.wikipedia.org', '--stacks', 'lsquic-h3,bun-h2', '--repetitions', '1'],
      ...['--rtt', String(RTT_MS), '--tcp-info', '5', '--net-log', '--out', out],
    ]);
    assert.equal(await command.ended, 0, command.output());
    await assertNoProcessLeft(command);
    const { pageLoads } = await readPageLoads(out);
    const overTcp = pageLoads.filter(({ protocol }) => protocol !== 'h3');
    assert.equal(overTcp.length, 2);
    for (const load of overTcp) {
      const file = load.files.tcpInfo ?? '';
      assert.equal(file, `tcp-info/${load.id}.jsonl.gz`);
      const samples = await Array.fromAsync(readTcpSamples(path.join(out, file)));
      for (const sample of samples) assert.equal(check(sample), null);
      const byClient = Map.groupBy(samples, ({ client }) => client);
      for (const [client, own] of byClient) assertSeries(client, own);
      const ports = load.connections?.opened.map(
        ({ clientPort }) => `${CLIENT_ADDRESS}:${clientPort}`,
      );
      assert.deepEqual([...byClient.keys()].sort(), ports?.sort(), load.id);
    }
    const overQuic = pageLoads.filter(({ protocol }) => protocol === 'h3');
    for (const { files } of overQuic) assert.equal(files.tcpInfo, undefined);

    const browsers = new Set(pageLoads.map(({ client }) => `${client?.id}.json.gz`));
    assert.deepEqual((await readdir(path.join(out, 'net-log'))).sort(), [...browsers].sort());
    for (const name of browsers) {
      const text = gunzipSync(await readFile(path.join(out, 'net-log', name))).toString();
      const { constants, events, cut } = JSON.parse(text);
      assert.equal(cut, undefined, `${name}: Chromium was closed in good order`);
      const type = name.startsWith('lsquic-h3') ? 'QUIC_SESSION' : 'HTTP2_SESSION';
      const number = constants.logEventTypes[type];
      assert.ok(
        events.some((event: { type: number }) => event.type === number),
        name,
      );
    }
  }));

function assertSeries(client: string, own: readonly TcpSample[]): void {
  assert.ok(own.length > 5, `${client}: ${own.length} samples`);
  const least = Math.min(...own.map(({ minRttMs, rttMs }) => minRttMs ?? rttMs));
  // As exact as the path is allowed to be.
  assert.ok(least >= RTT_MS - 0.5 && least < RTT_MS + 10, `${client}: ${least} ms`);
  for (const { cwndSegments, cwndBytes, mssBytes } of own) {
    assert.ok(cwndSegments >= MATCHED_TRANSPORT.initialWindowPackets, `${client}: ${cwndSegments}`);
    assert.equal(cwndBytes, cwndSegments * mssBytes);
  }
  const times = own.map(({ s, ns }) => s * 1000 + ns / 1e6);
  assert.deepEqual(
    times,
    times.toSorted((a, b) => a - b),
  );
  const busy = own.some(({ inFlightBytes }) => inFlightBytes > 0);
  assert.ok(busy && (own.at(-1)?.ackedBytes ?? 0) > 0, `${client}: nothing was sent`);
}
