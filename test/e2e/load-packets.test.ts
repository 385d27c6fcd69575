import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MeasuringPrograms } from '../../bench/network/programs.ts';
import { addressOfHost } from '../../network/addresses.ts';
import type { NetworkCondition } from '../../network/conditions.ts';
import { withNetemPath } from '../../network/netem/backend.ts';
import type { Path } from '../../network/path.ts';
import type { LinkSample } from '../../records/link-sample.ts';
import { type Traffic, withTraffic } from '../netem/guest/traffic.ts';
import { orSkip, PYTHON, pathTest, settle, UNCHANGED } from './userspace-path.ts';

const SERVER = addressOfHost(0);
const LOSSY: NetworkCondition = { ...UNCHANGED, rttMs: 10, lossPercent: 20, seed: 5 };
/** So slow that sending takes its time. */
const LIMITED: NetworkCondition = { ...UNCHANGED, upKbps: 3000 };
const NOTHING_COUNTED = { packets: 0, bytes: 0, lost: 0, queueDrops: 0, udpDropped: 0, cut: 0 };

/** Goes on sending for about two seconds over connections of TCP and UDP, and closes them. */
async function sendForLong(programs: MeasuringPrograms): Promise<void> {
  await programs.withServer('server', ['take', SERVER], async (taker) => {
    await programs.withServer('server', ['sink', SERVER], async (sink) => {
      await Promise.all([
        programs.run('client', 'give', SERVER, taker.port, 10, 500_000),
        programs.run('client', 'burst', SERVER, sink.port, 500, 200, 400),
      ]);
      await taker.next();
    });
  });
  await settle();
}

/** Goes on in the middle of sending, and waits for its end whatever happens: nobody else would end its programs. */
async function amid(made: Path, sending: Promise<void>, use: () => Promise<void>): Promise<void> {
  try {
    await underWay(made);
    await use();
  } finally {
    await Promise.allSettled([sending]);
  }
  await sending;
}

/** Programs take their time to start on a busy machine; then packets go both ways. */
async function underWay(made: Path): Promise<void> {
  for (let waits = 0; waits < 300; waits++) {
    const { toServer, toClient } = await made.count();
    if (toServer.packets > 100 && toClient.packets > 10) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('nothing was sent within 15 s');
}

/** Which of a hundred datagrams arrive. */
async function arrivedOf(traffic: Traffic): Promise<string> {
  await traffic.flood({ count: 100, intervalMs: 5, segments: 1 });
  await settle();
  return (await traffic.arrived()).join(' ');
}

async function counts(made: Path) {
  const { toServer, toClient } = await made.count();
  return [toServer, toClient];
}

pathTest(
  'packets of connections from before are not counted, and use up none of the losses',
  (made, programs) =>
    withTraffic(made.agent, PYTHON, async (traffic) => {
      await made.apply(LOSSY);
      const undisturbed = await arrivedOf(traffic);
      const lost = 100 - undisturbed.split(' ').length;
      assert.ok(lost > 5 && lost < 50, `${lost} lost`);
      assert.equal((await made.count()).toServer.lost, lost);

      await made.apply(LIMITED);
      await amid(made, sendForLong(programs), async () => {
        await made.apply({ ...LOSSY, upKbps: LIMITED.upKbps });
      });
      assert.deepEqual(await counts(made), [NOTHING_COUNTED, NOTHING_COUNTED]);
      assert.equal(await arrivedOf(traffic), undisturbed);
    }),
);

/** What came of connections that began before, while they went on after the beginning of a load with none of its own. */
async function disturbance(made: Path, programs: MeasuringPrograms, keepsConnections: boolean) {
  await made.apply(LIMITED);
  const samples: LinkSample[] = [];
  await amid(made, sendForLong(programs), async () => {
    await made.apply(LIMITED, { keepsConnections });
    await settle();
    samples.push(...((await made.samples()) ?? assert.fail()));
  });
  assert.ok(samples.length > 20, `${samples.length} samples`);
  const most = (number: (sample: LinkSample) => number) => Math.max(...samples.map(number));
  return {
    busyMs: most(({ toServer }) => toServer.busyMs),
    queuedBytes: most(({ toServer }) => toServer.mostQueuedBytes),
  };
}

pathTest(
  'what earlier connections still send neither fills the queue nor takes the time of a slow link',
  async (made, programs) => {
    const kept = await disturbance(made, programs, true);
    assert.ok(kept.busyMs > 5 && kept.queuedBytes > 3000, JSON.stringify(kept));
    const ended = await disturbance(made, programs, false);
    assert.deepEqual(ended, { busyMs: 0, queuedBytes: 0 });
  },
);

pathTest(
  'packets of connections from before are counted when they are kept',
  async (made, programs) => {
    await made.apply(LIMITED);
    await amid(made, sendForLong(programs), async () => {
      await made.apply(LIMITED, { keepsConnections: true });
      await settle();
      for (const { packets } of await counts(made)) assert.ok(packets > 10, `${packets}`);
    });
  },
);

test('packets are counted by load in the middle of cables, too', async (t) => {
  // Only the conditions need netem, and none is applied here.
  const options = { python: PYTHON, hosts: 1, congestionControl: 'cubic', initcwnd: null };
  await orSkip(t, () =>
    withNetemPath(options, async (made) => {
      const { agent } = made;
      const programs = new MeasuringPrograms(agent, PYTHON);
      await programs.withServer('server', ['sink', SERVER], async ({ port }) => {
        const burst = () => programs.run('client', 'burst', SERVER, port, 200, 1000, 4000);
        await agent.beginLoad({ keepsConnections: false, captures: false });
        await burst();
        await settle();
        const { toServer, missed } = await agent.countPackets();
        assert.deepEqual([toServer, missed], [{ packets: 200, bytes: 200 * 1042 }, 0]);

        for (const keepsConnections of [false, true]) {
          const sending = burst();
          await new Promise((resolve) => setTimeout(resolve, 300));
          await agent.beginLoad({ keepsConnections, captures: false });
          await sending;
          await settle();
          const { packets } = (await agent.countPackets()).toServer;
          assert.equal(packets > 0, keepsConnections, `${packets}`);
        }
      });
    }),
  );
});
