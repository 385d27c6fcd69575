import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { transfer } from '../../experiments/transfer/experiment.ts';
import { readObservations } from '../../ground/records/read.ts';
import { addressOfHost } from '../../network/addresses.ts';
import { type CapturedPacket, readCapture } from '../pcapng.ts';
import { withTemporaryFolder } from '../temporary-folder.ts';
import { startProgram } from './command.ts';
import { assertNoProcessLeft } from './left-behind.ts';
import { captureOf, saying } from './path-capture.ts';
import { pathTest, settle, UNCHANGED } from './userspace-path.ts';

const SERVER = addressOfHost(0);
const [AT_MS, LASTS_MS] = [500, 1000];
const CUT = { kind: 'cut', atMs: AT_MS, lastsMs: LASTS_MS } as const;
const IN_CUT = 'lost: the path was cut';

/** When packets were at the client's end, since the first one. */
function timesMs(packets: readonly CapturedPacket[], of: readonly CapturedPacket[]): number[] {
  return of.map(({ timeNs }) => Number(timeNs - (packets[0]?.timeNs ?? 0n)) / 1e6);
}

/** Whether all that was at the client's end in the cut was lost, as many as were counted, and nothing of what came before and after. */
function assertCut(packets: readonly CapturedPacket[], counted: number): void {
  const lost = saying(packets, IN_CUT);
  assert.equal(lost.length, counted);
  for (const ms of timesMs(packets, lost)) {
    assert.ok(ms >= AT_MS && ms < AT_MS + LASTS_MS, `lost at ${ms} ms`);
  }
  const arrivedMs = timesMs(
    packets,
    packets.filter(({ comments }) => comments.length === 0),
  );
  const [before, later] = [
    arrivedMs.filter((ms) => ms < AT_MS),
    arrivedMs.filter((ms) => ms >= AT_MS + LASTS_MS),
  ];
  assert.equal(before.length + later.length, arrivedMs.length, `not lost: ${arrivedMs} ms`);
  assert.ok(before.length > 0 && later.length > 0, `none before or after: ${arrivedMs} ms`);
}

pathTest('every packet of a cut is lost, and none before and after', async (made, programs) => {
  await made.apply({ ...UNCHANGED, rttMs: 40, event: CUT }, { captures: true });
  await programs.withServer('server', ['sink', SERVER], async ({ port, next }, endSink) => {
    // One in 10 ms, for 2.5 s.
    await programs.run('client', 'burst', SERVER, port, 250, 1000, 800);
    await settle();
    const { toServer, toClient, event } = await made.count();
    assert.deepEqual(
      [event?.happenedAtMs, event?.changedConnections, event?.forgottenPackets],
      [AT_MS, 0, 0],
    );
    const { packets, lost, cut = 0 } = toServer;
    assert.ok(cut > 50 && cut < 150, `${cut} lost in the cut`);
    assert.deepEqual([packets + cut, lost, toClient.cut], [250, 0, 0]);
    endSink();
    assert.equal((await next<{ packets: number }>()).packets, packets, 'as the server saw it');
    const capture = await captureOf(made);
    assert.equal(capture.packets.length, 250);
    assertCut(capture.packets, cut);
  });
  await made.apply({ ...UNCHANGED, rttMs: 40 });
  await programs.withServer('server', ['sink', SERVER], ({ port }) =>
    programs.run('client', 'burst', SERVER, port, 100, 1000, 800),
  );
  await settle();
  const { toServer, event } = await made.count();
  assert.deepEqual([toServer.packets, toServer.cut, event], [100, 0, undefined]);
});

test('transfers by HTTP/3 and HTTP/2 go on after a cut, over the connection that they had', () =>
  withTemporaryFolder(async (temporary) => {
    const out = path.join(temporary, 'run');
    const command = startProgram([
      ...['transfer', '--stacks', 'lsquic-h3,bun-h2', '--size', '1MB', '--packets', 'all'],
      ...['--rtt', '40', '--down', '8000', '--event', `none,cut@${AT_MS}ms/${LASTS_MS}ms`],
      ...['--repetitions', '1', '--seed', '1', '--out', out],
    ]);
    assert.equal(await command.ended, 0, command.output());
    await assertNoProcessLeft(command);
    const { observations } = await readObservations(out, transfer);
    const counted = observations.filter(({ warmup }) => !warmup);
    assert.equal(counted.length, 4);
    for (const { id, network, outcome, message, path: went, metrics, files } of counted) {
      assert.equal(outcome, 'ok', `${id}: ${message}`);
      assert.ok(went && files.packets, id);
      const { toServer, toClient, event } = went;
      const totalMs = metrics.totalMs ?? Number.NaN;
      if (!network.event) {
        assert.deepEqual([toServer.cut, toClient.cut, event], [0, 0, undefined], id);
        continue;
      }
      assert.equal(event?.happenedAtMs, AT_MS, id);
      assert.equal(event.laterConnections, 0, `${id} connects anew`);
      // What was on its way is lost, and what the server sends again; the client may have nothing to say meanwhile.
      assert.ok((toClient.cut ?? 0) > 10, id);
      assert.ok(totalMs > AT_MS + LASTS_MS, `${id}: ${totalMs} ms`);
      const { packets } = readCapture(await readFile(path.join(out, files.packets)));
      assertCut(packets, (toClient.cut ?? 0) + (toServer.cut ?? 0));
    }
    const report = await readFile(path.join(out, 'report.html'), 'utf8');
    assert.match(report, /id="path-events"/);
    assert.match(report, /Packets lost in the cut/);
    assert.match(report, /a cut of 1,000 ms after 500 ms/);
  }));
