import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { NetworkError } from '../../ground/system/errors.ts';
import { addressOfHost, CLIENT_ADDRESS, PATH_DEVICE } from '../../network/addresses.ts';
import { calibrateUntilRight } from '../../network/calibration/until-right.ts';
import type { Path } from '../../network/path.ts';
import { queueBytes } from '../../network/queue.ts';
import { withUserspacePath } from '../../network/userspace/backend.ts';
import { conditionOf } from '../unit/network/calibration/example.ts';
import { networkOfMachine } from './network-of-machine.ts';
import { agentOf, childrenOf, eventually, processes } from './processes.ts';
import { orSkip, PYTHON, pathTest, settle, UNCHANGED } from './userspace-path.ts';

const SERVER = addressOfHost(0);

// From the fastest quarter: on a busy machine the rest is late.
pathTest('has the requested round trip, within 1 ms', async (made, programs) => {
  for (const host of [addressOfHost(0), addressOfHost(1)]) {
    await programs.withServer('server', ['echo', host], async ({ port }) => {
      for (const rttMs of [0, 30]) {
        await made.apply({ ...UNCHANGED, rttMs });
        const { rttsMs } = await programs.run<{ rttsMs: (number | null)[] }>(
          ...(['client', 'probe', host, port, 60, 10] as const),
        );
        const answered = rttsMs.filter((rtt) => rtt !== null).toSorted((a, b) => a - b);
        assert.equal(answered.length, 60, 'nothing is lost');
        const [least, quartile] = [answered[0] as number, answered[15] as number];
        assert.ok(least > rttMs - 0.4 && least < rttMs + 0.8, `${least} ms at ${rttMs} ms`);
        // A machine that is late all the time shows only by a median far from the minimum.
        const isLate = quartile - least > 0.5;
        assert.ok(
          isLate || Math.abs(quartile - rttMs) < 1,
          `quartile of ${quartile} ms at ${rttMs} ms`,
        );
      }
    });
  }
});

pathTest(
  'sends one segment of at most 1500 bytes per packet, by TCP and by UDP sent in groups',
  async (made, programs) => {
    await programs.withServer('server', ['sizes', PATH_DEVICE], async (capture, endCapture) => {
      await programs.withServer('server', ['take', SERVER], async ({ port, next }) => {
        await programs.run('client', 'give', SERVER, port, 10, 1_000_000);
        assert.equal((await next<{ bytes: number }>()).bytes, 1_000_000);
      });
      const { toServer } = await made.count();
      // 1448 bytes of payload in each; fewer packets would be longer ones.
      assert.ok(toServer.packets >= 690, `1 MB came in ${toServer.packets} packets`);

      await made.apply({ ...UNCHANGED, lossPercent: 5, seed: 1 });
      await programs.withServer('server', ['sink', SERVER], async ({ port, next }, endSink) => {
        const { sent } = await programs.run<{ sent: number }>('client', 'groups', SERVER, port, 50);
        const { packets, lost } = (await made.count()).toServer;
        assert.equal(packets + lost, sent);
        assert.ok(lost % 10 !== 0, `${lost} lost: packets, not groups of ten, are lost`);
        await settle(made);
        endSink();
        assert.equal((await next<{ packets: number }>()).packets, packets);
      });
      endCapture();
      const { packets, longestBytes } = await capture.next<Record<string, number>>();
      // It may miss some of a burst.
      assert.ok((packets as number) >= 500, `${packets} looked at`);
      assert.equal(longestBytes, 1500);
    });
    await assertDevicesDroppedNothing(made);
  },
);

pathTest(
  'loses the requested share of packets, and the same ones again',
  async (made, programs) => {
    const lost: number[] = [];
    for (const seed of [1, 1, 2]) {
      await made.apply({ ...UNCHANGED, lossPercent: 1, seed });
      await programs.withServer('server', ['sink', SERVER], async ({ port, next }, endSink) => {
        await programs.run('client', 'burst', SERVER, port, 5000, 200, 20_000);
        await settle(made);
        endSink();
        const { packets } = await next<{ packets: number }>();
        const { toServer } = await made.count();
        assert.equal(toServer.packets, packets, 'what was not lost arrived');
        assert.equal(toServer.packets + toServer.lost, 5000);
        lost.push(toServer.lost);
      });
    }
    // 50 expected; four standard deviations of a binomial are 28.
    for (const count of lost) assert.ok(count >= 22 && count <= 78, `${count} of 5000`);
    assert.equal(lost[0], lost[1]);
    await assertDevicesDroppedNothing(made);
  },
);

pathTest('keeps a limited rate within 5 %, and drops the excess', async (made, programs) => {
  const requested = conditionOf({ rttMs: 30, upKbps: 10_000 });
  await made.apply(requested);
  // As in a run: rejected when it is off by more than 5 %, and by more than the machine's pauses
  // explain.
  await calibrateUntilRight(made, requested, PYTHON);
  await settle(made);
  await made.apply(requested);
  await programs.withServer('server', ['sink', SERVER], async ({ port, next }, endSink) => {
    await programs.run('client', 'burst', SERVER, port, 1500, 1400, 15_000);
    await settle(made);
    endSink();
    const { packets } = await next<{ packets: number }>();
    const { toServer, toClient } = await made.count();
    assert.equal(toServer.packets, packets);
    assert.equal(toServer.packets + toServer.queueDrops, 1500);
    assert.ok(toServer.queueDrops > 0);
    assert.equal(toServer.lost + toClient.queueDrops, 0);
  });
});

pathTest(
  'samples in steps of 10 ms the carried bytes, the busy link, and the waiting bytes',
  async (made, programs) => {
    const requested = { ...UNCHANGED, upKbps: 10_000 };
    const beforeMs = Number(process.hrtime.bigint()) / 1e6;
    await made.apply(requested);
    await programs.withServer('server', ['sink', SERVER], async ({ port }) => {
      await programs.run('client', 'burst', SERVER, port, 1500, 1400, 20_000);
      await settle(made);
    });
    const { toServer } = await made.count();
    const samples = (await made.samples()) ?? assert.fail();
    const beganMs = samples[0]?.atMs ?? 0;
    const afterMs = Number(process.hrtime.bigint()) / 1e6;
    assert.ok(beganMs >= beforeMs && beganMs + 10 * (samples.length - 1) <= afterMs);
    for (const [step, { atMs, forMs }] of samples.entries()) {
      assert.ok(Math.abs(atMs - (beganMs + 10 * step)) < 0.001);
      assert.equal(forMs, 10);
    }
    const sumOf = (name: 'packets' | 'bytes' | 'lost' | 'queueDrops') =>
      samples.reduce((sum, sample) => sum + sample.toServer[name], 0);
    const { packets, bytes, lost, queueDrops } = toServer;
    assert.deepEqual(
      [sumOf('packets'), sumOf('bytes'), sumOf('lost'), sumOf('queueDrops')],
      [packets, bytes, lost, queueDrops],
    );
    assert.ok(queueDrops > 0);
    const sentMs = (bytes * 8) / requested.upKbps;
    const busyMs = samples.reduce((sum, sample) => sum + sample.toServer.busyMs, 0);
    assert.ok(Math.abs(busyMs - sentMs) < 1, `busy for ${busyMs} of ${sentMs} ms`);
    assert.ok(samples.every(({ toServer: { busyMs: ofStep } }) => ofStep < 10.001));
    const room = queueBytes(requested, 'toServer', made.longestPacketBytes);
    const most = Math.max(...samples.map((sample) => sample.toServer.mostQueuedBytes));
    assert.ok(most <= room && most > room - 1500, `${most} of ${room} bytes waited`);
  },
);

pathTest('uses the requested congestion control of TCP at both ends', async (made, programs) => {
  await made.apply({ ...UNCHANGED, rttMs: 30, upKbps: 10_000 });
  await programs.withServer('server', ['take', SERVER], async ({ port, next }) => {
    // Long enough to inspect both ends meanwhile.
    const given = programs.run('client', 'give', SERVER, port, 6);
    for (const end of ['client', 'server'] as const) {
      const sockets = await connectionsAt(made, end);
      assert.match(sockets, /^\s+cubic /m, `${end}: ${sockets}`);
      assert.match(sockets, /mss:1448 .*pmtu:1500/, `${end}: ${sockets}`);
      assert.doesNotMatch(sockets, /\b(bbr|reno|ecn)\b/, `${end}: ${sockets}`);
    }
    await given;
    await next();
  });
});

/** Connections of an end, as soon as there is one: a program takes its time to start. */
async function connectionsAt({ agent }: Path, end: 'client' | 'server'): Promise<string> {
  for (;;) {
    const sockets = await agent.run(end, ['ss', '-tinH', 'state', 'established']);
    if (sockets !== '') return sockets;
    await sleep(20);
  }
}

pathTest('reaches nothing but the far end', async (made, programs) => {
  for (const end of ['client', 'server'] as const) {
    // A packet that went anywhere would time out after 5 s, with another response.
    const elsewhere = await programs.run(end, 'reach', '192.0.2.1', 80);
    assert.deepEqual(elsewhere, { tcp: 'ENETUNREACH', udp: 'ENETUNREACH' });
    assert.equal(await made.agent.run(end, ['ip', '-6', 'address']), '');
  }
  const other = await programs.run('server', 'reach', CLIENT_ADDRESS, 80);
  assert.deepEqual(other, { tcp: 'ECONNREFUSED', udp: 'reached' });
});

pathTest('leaves nothing when the agent is killed', async (made, programs) => {
  const before = networkOfMachine();
  const agent = agentOf(process.pid);
  const children = childrenOf(agent);
  assert.equal(children.length, 3, 'two namespaces and the link');
  await programs.withServer('server', ['echo', SERVER], async () => {
    process.kill(agent.pid, 'SIGKILL');
    await assert.rejects(made.count(), NetworkError);
  });
  await eventually(() => {
    const left = processes().filter(({ pid }) => children.some((child) => child.pid === pid));
    assert.deepEqual(left, []);
  });
  assert.equal(networkOfMachine(), before);
});

test('leaves the interfaces and qdiscs of the machine unchanged', async (t) => {
  const before = networkOfMachine();
  await orSkip(t, async () => {
    for (const congestionControl of ['cubic', 'reno']) {
      const options = { python: PYTHON, hosts: 3, congestionControl, initcwnd: 10 };
      await withUserspacePath(options, async (made) => {
        const routes = await made.agent.run('client', ['ip', 'route']);
        assert.match(routes, new RegExp(`initcwnd 10 congctl ${congestionControl}`));
        assert.equal(networkOfMachine(), before, 'while the path is there');
      });
      assert.equal(networkOfMachine(), before);
    }
    const left = processes().filter(
      ({ parent, command }) => parent === process.pid && command.includes('agent.py'),
    );
    assert.deepEqual(left, []);
  });
});

async function assertDevicesDroppedNothing(made: Path): Promise<void> {
  for (const end of ['client', 'server'] as const) {
    const command = ['ip', '-s', '-json', 'link', 'show', PATH_DEVICE];
    const [device] = JSON.parse(await made.agent.run(end, command));
    assert.deepEqual([device.stats64.tx.dropped, device.stats64.rx.dropped], [0, 0]);
  }
}
