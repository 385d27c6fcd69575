import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { AT_MS, assertCut, LASTS_MS } from '../../../../test/e2e/cut-path.ts';
import { assertGroups } from '../../../../test/e2e/key-exchange-run.ts';
import { sharedRun } from '../../../../test/e2e/with-run.ts';
import { readCapture } from '../../../../test/pcapng.ts';

const run = sharedRun(
  `transfer --stacks lsquic-h3,bun-h2 --size 1MB --packets all --rtt 40 --down 8000
    --key-exchange x25519mlkem768 --event none,cut@${AT_MS}ms/${LASTS_MS}ms --repetitions 1 --seed 1`,
);

test('uses the requested key exchange in every connection of transfer --size 1MB --stacks lsquic-h3,bun-h2 --client bun', async () =>
  assertGroups(await run()));

test('continues transfers by HTTP/3 and HTTP/2 after a cut, over the same connection', async () => {
  const { out, observations } = await run();
  const counted = observations.filter(({ warmup }) => !warmup);
  assert.equal(counted.length, 4);
  for (const { id, network, path: went, metrics, files } of counted) {
    assert.ok(went && files.packets, id);
    const { toServer, toClient, event } = went;
    const totalMs = metrics.totalMs ?? Number.NaN;
    if (!network.event) {
      assert.deepEqual([toServer.cut, toClient.cut, event], [0, 0, undefined], id);
      continue;
    }
    assert.equal(event?.happenedAtMs, AT_MS, id);
    assert.equal(event.laterConnections, 0, `${id} connects anew`);
    // Packets in flight are lost, and the server sends them again; the client may have nothing to
    // send meanwhile.
    assert.ok((toClient.cut ?? 0) > 10, id);
    assert.ok(totalMs > AT_MS + LASTS_MS, `${id}: ${totalMs} ms`);
    const { packets } = readCapture(await readFile(path.join(out, files.packets)));
    assertCut(packets, (toClient.cut ?? 0) + (toServer.cut ?? 0));
  }
  const report = await readFile(path.join(out, 'report.html'), 'utf8');
  assert.match(report, /id="path-events"/);
  assert.match(report, /Packets lost in the cut/);
  assert.match(report, /a cut of 1,000 ms after 500 ms/);
});
