import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import type { Har } from '../../clients/har/har.ts';
import type { PageLoad } from '../../experiments/page-load/details.ts';
import { schemaCheck } from '../../ground/records/schema-check.ts';
import {
  readTcpSamples,
  type TcpSample,
  tcpSampleSchema,
} from '../../ground/records/tcp-sample.ts';
import { CLIENT_ADDRESS } from '../../network/addresses.ts';
import { MATCHED_TRANSPORT } from '../../servers/index.ts';
import { assertOkButForMachine } from './whole-run.ts';
import { withRun } from './with-run.ts';

const RTT_MS = 30;
const check = schemaCheck(tcpSampleSchema);

test("keeps the kernel's data of each TCP connection, and the NetLog of each browser, on request", () =>
  withRun<PageLoad>(
    `benchmark --sites www.wikipedia.org --stacks lsquic-h3,bun-h2 --repetitions 2
     --rtt ${RTT_MS} --tcp-info 5 --net-log --warm-ups 1`,
    async ({ out, observations: pageLoads }) => {
      assert.ok(!existsSync(path.join(out, 'packets')), 'captures are not requested');
      const overTcp = pageLoads.filter(({ protocol }) => protocol !== 'h3');
      assert.equal(overTcp.length, 3);
      for (const load of overTcp) {
        const file = load.files.tcpInfo ?? '';
        assert.equal(file, `tcp-info/${load.id}.jsonl.gz`);
        const samples = await Array.fromAsync(readTcpSamples(path.join(out, file)));
        for (const sample of samples) assert.equal(check(sample), null);
        const byClient = Map.groupBy(samples, ({ client }) => client);
        const opened = load.connections?.opened.map(
          ({ clientPort }) => `${CLIENT_ADDRESS}:${clientPort}`,
        );
        for (const client of byClient.keys()) assert.ok(opened?.includes(client), client);
        const { log } = JSON.parse(
          await readFile(path.join(out, load.files.har ?? ''), 'utf8'),
        ) as Har;
        const answering = log.entries.flatMap(({ serverIPAddress, connection }) =>
          connection === undefined ? [] : `${serverIPAddress}:${connection}`,
        );
        assert.ok(answering.length > 0);
        for (const server of new Set(answering)) {
          // The connection with the responses lasts as long as the load; a spare one may end before
          // its first sample.
          const [longest] = [...byClient.values()]
            .filter(([first]) => first?.server === server)
            .toSorted((a, b) => b.length - a.length);
          assert.ok(longest, `${load.id}: ${server}`);
          assertSeries(longest[0]?.client ?? '', longest);
        }
      }
      const overQuic = pageLoads.filter(({ protocol }) => protocol === 'h3');
      for (const { files } of overQuic) assert.equal(files.tcpInfo, undefined);

      const browsers = new Set(pageLoads.map(({ client }) => `${client?.id}.json.gz`));
      assert.deepEqual((await readdir(path.join(out, 'net-log'))).sort(), [...browsers].sort());
      for (const name of browsers) {
        const text = gunzipSync(await readFile(path.join(out, 'net-log', name))).toString();
        const { constants, events, cut } = JSON.parse(text);
        assert.equal(
          cut,
          undefined,
          `${name}: Chromium was not closed in good order: ${text.slice(-300)}`,
        );
        const type = name.startsWith('lsquic-h3') ? 'QUIC_SESSION' : 'HTTP2_SESSION';
        const number = constants.logEventTypes[type];
        assert.ok(
          events.some((event: { type: number }) => event.type === number),
          name,
        );
      }
    },
    assertOkButForMachine,
  ));

function assertSeries(client: string, own: readonly TcpSample[]): void {
  assert.ok(own.length > 5, `${client}: ${own.length} samples`);
  const least = Math.min(...own.map(({ minRttMs, rttMs }) => minRttMs ?? rttMs));
  // As exact as the path has to be, and as late as a busy machine makes even its best.
  assert.ok(least >= RTT_MS - 0.5 && least < 2 * RTT_MS, `${client}: ${least} ms`);
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
