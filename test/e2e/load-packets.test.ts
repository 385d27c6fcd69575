import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LinkSample } from '../../ground/records/link-sample.ts';
import { addressOfHost } from '../../network/addresses.ts';
import { MeasuringPrograms } from '../../network/bench/network/programs.ts';
import type { SeededCondition } from '../../network/conditions.ts';
import { withNetemPath } from '../../network/netem/backend.ts';
import type { Path } from '../../network/path.ts';
import { type Traffic, withTraffic } from '../netem/guest/traffic.ts';
import { countsAtRest } from './at-rest.ts';
import { eventually } from './processes.ts';
import { orSkip, PYTHON, pathTest, settle, UNCHANGED } from './userspace-path.ts';

const SERVER = addressOfHost(0);
const LOSSY: SeededCondition = { ...UNCHANGED, rttMs: 10, lossPercent: 20, seed: 5 };
/** Slow enough that sending takes time. */
const LIMITED: SeededCondition = { ...UNCHANGED, upKbps: 3000 };
const NOTHING_COUNTED = { packets: 0, bytes: 0, lost: 0, queueDrops: 0, udpDropped: 0, cut: 0 };

/**
 * Uses the path while connections of UDP and TCP send for some seconds, and waits until they are
 * closed.
 */
async function amid<T>(made: Path, programs: MeasuringPrograms, use: () => Promise<T>): Promise<T> {
  const used = await programs.withServer('server', ['take', SERVER], (taker) =>
    programs.withServer('server', ['sink', SERVER], async (sink) => {
      const sending = [programs.run('client', 'burst', SERVER, sink.port, 800, 200, 400)];
      try {
        await eventually(async () => assert.ok((await made.count()).toServer.packets > 0));
        sending.push(programs.run('client', 'give', SERVER, taker.port, 10, 1_100_000));
        await acknowledges(made);
        const used = await use();
        await Promise.all(sending);
        await taker.next();
        return used;
      } finally {
        // Nothing else would end these programs.
        await Promise.allSettled(sending);
      }
    }),
  );
  await settle();
  return used;
}

/** Only TCP is acknowledged: then its data arrives, too. */
function acknowledges(made: Path): Promise<void> {
  return eventually(async () => assert.ok((await made.count()).toClient.packets > 10));
}

/** Which of a hundred datagrams arrive. */
async function arrivedOf(made: Path, traffic: Traffic): Promise<string> {
  await traffic.flood({ count: 100, intervalMs: 5, segments: 1 });
  await countsAtRest(made.count);
  return (await traffic.arrived()).join(' ');
}

async function counts(made: Path) {
  const { toServer, toClient } = await made.count();
  return [toServer, toClient];
}

pathTest(
  'does not count packets of connections from before, without advancing the losses',
  (made, programs) =>
    withTraffic(made.agent, PYTHON, async (traffic) => {
      await made.apply(LOSSY);
      const undisturbed = await arrivedOf(made, traffic);
      const lost = 100 - undisturbed.split(' ').length;
      assert.ok(lost > 5 && lost < 50, `${lost} lost`);
      assert.equal((await made.count()).toServer.lost, lost);

      await made.apply(LIMITED);
      await amid(made, programs, () => made.apply({ ...LOSSY, upKbps: LIMITED.upKbps }));
      assert.deepEqual(await counts(made), [NOTHING_COUNTED, NOTHING_COUNTED]);
      assert.equal(await arrivedOf(made, traffic), undisturbed);
    }),
);

/**
 * Counts of connections that began before a load and continued during it, which opened no
 * connection.
 */
async function disturbance(made: Path, programs: MeasuringPrograms, keepsConnections: boolean) {
  await made.apply(LIMITED);
  return amid(made, programs, async () => {
    await made.apply(LIMITED, { keepsConnections });
    await settle();
    if (keepsConnections) await acknowledges(made);
    const counted = await counts(made);
    const samples = (await made.samples()) ?? assert.fail();
    assert.ok(samples.length > 20, `${samples.length} samples`);
    const most = (number: (sample: LinkSample) => number) => Math.max(...samples.map(number));
    return {
      counted,
      busyMs: most(({ toServer }) => toServer.busyMs),
      queuedBytes: most(({ toServer }) => toServer.mostQueuedBytes),
    };
  });
}

pathTest(
  'counts packets of earlier connections, with their queue and link time, only if they are kept',
  async (made, programs) => {
    const kept = await disturbance(made, programs, true);
    for (const { packets } of kept.counted) assert.ok(packets > 10, `${packets}`);
    assert.ok(kept.busyMs > 5 && kept.queuedBytes > 3000, JSON.stringify(kept));
    const ended = await disturbance(made, programs, false);
    const counted = [NOTHING_COUNTED, NOTHING_COUNTED];
    assert.deepEqual(ended, { counted, busyMs: 0, queuedBytes: 0 });
  },
);

test('counts packets by load inside cables, too', async (t) => {
  // Only the conditions need netem, and none is applied here.
  const options = { python: PYTHON, hosts: 1, congestionControl: 'cubic', initcwnd: null };
  await orSkip(t, () =>
    withNetemPath(options, async (made) => {
      const { agent } = made;
      const programs = new MeasuringPrograms(agent, PYTHON);
      await programs.withServer('server', ['sink', SERVER], async ({ port }) => {
        const burst = (kbps: number) =>
          programs.run('client', 'burst', SERVER, port, 200, 1000, kbps);
        await agent.beginLoad({ keepsConnections: false, captures: false });
        await burst(4000);
        const { toServer, missed } = await countsAtRest(agent.countPackets);
        assert.deepEqual([toServer, missed], [{ packets: 200, bytes: 200 * 1042 }, 0]);

        for (const keepsConnections of [false, true]) {
          await agent.beginLoad({ keepsConnections: false, captures: false });
          // Long enough for a machine that pauses for a moment to be still within it.
          const sending = burst(400);
          const seen = async () => (await agent.countPackets()).toServer.packets;
          await eventually(async () => assert.ok((await seen()) > 0));
          await agent.beginLoad({ keepsConnections, captures: false });
          await sending;
          const packets = (await countsAtRest(agent.countPackets)).toServer.packets;
          assert.equal(packets > 0, keepsConnections, `${packets}`);
        }
      });
    }),
  );
});
