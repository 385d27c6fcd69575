import assert from 'node:assert/strict';
import { addressOfHost } from '../../network/addresses.ts';
import { AT_MS, assertCut, LASTS_MS } from './cut-path.ts';
import { captureOf } from './path-capture.ts';
import { pathTest, settle, UNCHANGED } from './userspace-path.ts';

const SERVER = addressOfHost(0);

const CUT = { kind: 'cut', atMs: AT_MS, lastsMs: LASTS_MS } as const;

pathTest('loses exactly the packets of a cut', async (made, programs) => {
  await made.apply({ ...UNCHANGED, rttMs: 40, event: CUT }, { captures: true });
  await programs.withServer('server', ['sink', SERVER], async ({ port, next }, endSink) => {
    // One in 10 ms, for 2.5 s.
    await programs.run('client', 'burst', SERVER, port, 250, 1000, 800);
    await settle(made);
    const { toServer, toClient, event } = await made.count();
    assert.deepEqual(
      [event?.happenedAtMs, event?.changedConnections, event?.forgottenPackets],
      [AT_MS, 0, 0],
    );
    const { packets, lost, cut = 0 } = toServer;
    assert.ok(cut > 0 && cut < 250, `${cut} lost in the cut`);
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
  await settle(made);
  const { toServer, event } = await made.count();
  assert.deepEqual([toServer.packets, toServer.cut, event], [100, 0, undefined]);
});
