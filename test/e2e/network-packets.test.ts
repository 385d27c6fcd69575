import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressOfHost, PATH_DEVICE } from '../../network/addresses.ts';
import { CommandError } from '../../network/agent.ts';
import { MeasuringPrograms } from '../../network/bench/network/programs.ts';
import { type PathMeasurements, withProbe } from '../../network/calibration/probe.ts';
import { calibrateUntilRight } from '../../network/calibration/until-right.ts';
import { MIDDLE_DEVICES, qdiscCommands } from '../../network/netem/arguments.ts';
import { withNetemPath } from '../../network/netem/backend.ts';
import type { PacketSizes, Path } from '../../network/path.ts';
import { readFairness } from '../../runner/fairness.ts';
import { conditionOf } from '../unit/network/calibration/example.ts';
import { orSkip, PYTHON, pathTest, settle, UNCHANGED } from './userspace-path.ts';

const SERVER = addressOfHost(0);
/** TCP and IP headers with timestamps. */
const TCP_OVERHEAD_BYTES = 52;
/** IP and UDP headers. */
const UDP_OVERHEAD_BYTES = 28;

/**
 * Payload limit of loopback's packets of 65536 bytes, since an IP packet has at most one byte less.
 */
const LONG: PacketSizes = { mtuBytes: 65_535, offloads: 'off' };
const GROUPED: PacketSizes = { mtuBytes: 1500, offloads: 'on' };
const AS_LOOPBACK: PacketSizes = { mtuBytes: 65_535, offloads: 'on' };

/** Packet sizes according to the ends. */
async function packetsOf(made: Path) {
  const { client, server } = await readFairness(made, {
    python: PYTHON,
    servers: [],
    client: 'chromium',
  });
  return [client, server].map((end) => ({
    deviceMtu: end.deviceMtuBytes.value,
    pathMtu: end.pathMtuBytes.value,
    mss: end.tcpMssBytes.value ?? 0,
    segments: end.segmentsPerPacket.value ?? 0,
    tcpSegmentation: end.offloads.value?.['tx-tcp-segmentation'],
  }));
}

/** The longest packet that reached the servers during a transfer. */
async function longestBytes(made: Path, programs: MeasuringPrograms, send: () => Promise<unknown>) {
  return programs.withServer('server', ['sizes', PATH_DEVICE], async (capture, end) => {
    await send();
    await settle(made);
    end();
    return (await capture.next<{ longestBytes: number }>()).longestBytes;
  });
}

async function sendOverTcp(programs: MeasuringPrograms, bytes: number): Promise<void> {
  await programs.withServer('server', ['take', SERVER], async ({ port, next }) => {
    await programs.run('client', 'give', SERVER, port, 10, bytes);
    assert.equal((await next<{ bytes: number }>()).bytes, bytes);
  });
}

/** Number of datagrams of this size that arrive, out of 20. */
async function datagramsArrived(
  made: Path,
  programs: MeasuringPrograms,
  bytes: number,
): Promise<number> {
  return programs.withServer('server', ['sink', SERVER], async ({ port, next }, end) => {
    await programs.run('client', 'burst', SERVER, port, 20, bytes, 20_000);
    await settle(made);
    end();
    return (await next<{ packets: number }>()).packets;
  });
}

/**
 * A datagram of 60 kB crosses as one packet, and TCP's segments are as long as its window allows.
 */
async function assertLongPackets(made: Path, programs: MeasuringPrograms): Promise<void> {
  for (const end of await packetsOf(made)) {
    assert.deepEqual([end.deviceMtu, end.pathMtu, end.segments], [65_535, 65_535, 1]);
    // As on loopback: TCP's segments are at most half of the peer's initial window.
    assert.ok(end.mss > 32_000 && end.mss <= 65_535 - TCP_OVERHEAD_BYTES, `${end.mss}`);
  }
  const ofUdp = await longestBytes(made, programs, async () => {
    assert.equal(await datagramsArrived(made, programs, 60_000), 20);
  });
  assert.equal(ofUdp, 60_000 + UDP_OVERHEAD_BYTES);
  const ofTcp = await longestBytes(made, programs, () => sendOverTcp(programs, 2_000_000));
  assert.ok(ofTcp > 32_000 && ofTcp <= 65_535, `${ofTcp}`);
}

pathTest(
  'carries packets as long as those of loopback with MTU 65535',
  async (made, programs) => {
    await assertLongPackets(made, programs);
    await made.apply(UNCHANGED);
    await sendOverTcp(programs, 2_000_000);
    const { toServer } = await made.count();
    // 1382 packets of 1500 bytes would be needed.
    assert.ok(toServer.packets < 200, `2 MB came in ${toServer.packets} packets`);
    assert.equal(toServer.queueDrops + toServer.lost, 0);
  },
  LONG,
);

test('gives cables the requested MTU, too', async (t) => {
  // Only the conditions need netem, and none is applied here.
  const options = { python: PYTHON, hosts: 2, congestionControl: 'cubic', initcwnd: null };
  await orSkip(t, () =>
    withNetemPath({ ...options, ...LONG }, (made) =>
      assertLongPackets(made, new MeasuringPrograms(made.agent, PYTHON)),
    ),
  );
  await orSkip(t, () =>
    withNetemPath({ ...options, ...GROUPED }, async (made) => {
      const programs = new MeasuringPrograms(made.agent, PYTHON);
      const longest = await longestBytes(made, programs, () => sendOverTcp(programs, 2_000_000));
      assert.ok(longest > 1500, `${longest}`);
    }),
  );
});

pathTest(
  'sends several segments as one packet only with offloads',
  async (made, programs) => {
    for (const end of await packetsOf(made)) {
      assert.equal(end.mss, 1500 - TCP_OVERHEAD_BYTES);
      assert.deepEqual([end.deviceMtu, end.pathMtu], [1500, 1500]);
      assert.ok(end.segments > 1, `${end.segments}`);
      assert.equal(end.tcpSegmentation, true);
    }
    const longest = await longestBytes(made, programs, () => sendOverTcp(programs, 2_000_000));
    assert.ok(longest > 1500 && longest <= 65_535, `${longest}`);
    // Datagrams that were sent in groups still arrive one by one.
    await programs.withServer('server', ['sink', SERVER], async ({ port, next }, end) => {
      await programs.run('client', 'groups', SERVER, port, 10);
      await settle(made);
      end();
      assert.deepEqual(
        await next<Record<string, number>>().then(({ packets, bytes }) => ({ packets, bytes })),
        { packets: 100, bytes: 120_000 },
      );
    });
  },
  GROUPED,
);

pathTest('has no such packets on the usual path', async (made, programs) => {
  for (const end of await packetsOf(made)) {
    assert.deepEqual(end, {
      deviceMtu: 1500,
      pathMtu: 1500,
      mss: 1448,
      segments: 1,
      tcpSegmentation: false,
    });
  }
  assert.equal(await longestBytes(made, programs, () => sendOverTcp(programs, 2_000_000)), 1500);
});

function pausedMs({ down }: PathMeasurements): number {
  return down?.pausedMs ?? Number.POSITIVE_INFINITY;
}

test('measures the rate behind a token bucket that holds the longest packet', async (t) => {
  const rateKbps = 2000;
  // As the netem backend has it behind netem, which this kernel may lack.
  const options = { seeded: false, longestPacketBytes: 65_535 };
  const limited = conditionOf({ downKbps: rateKbps });
  const command = qdiscCommands(limited, 'toClient', options).at(-1) ?? [];
  const bucket = command.slice(command.indexOf('tbf'));
  const ends = { python: PYTHON, hosts: 1, congestionControl: 'cubic', initcwnd: null };
  await orSkip(t, () =>
    withNetemPath({ ...ends, ...AS_LOOPBACK }, async (made) => {
      try {
        const replace = ['tc', 'qdisc', 'replace', 'dev', MIDDLE_DEVICES.toClient, 'root'];
        await made.agent.run('middle', [...replace, ...bucket]);
      } catch (error) {
        if (error instanceof CommandError) return t.skip(error.message);
        throw error;
      }
      const probe = { agent: made.agent, python: PYTHON, address: SERVER };
      const { down } = await withProbe(probe, async ({ measure }) => {
        // Pauses of the machine do not belong to the bucket: the measurement with the fewest
        // counts.
        const found = [];
        while (found.length < 5 && found.at(-1)?.down?.pausedMs !== 0) {
          found.push(await measure({ downKbps: rateKbps, upKbps: null }, made));
        }
        const [best] = found.toSorted((a, b) => pausedMs(a) - pausedMs(b));
        assert.ok(best);
        return best;
      });
      assert.ok(
        Math.abs((down?.kbps ?? 0) / rateKbps - 1) <= 0.05,
        `${down?.kbps} of ${down?.offeredKbps} kbit/s`,
      );
    }),
  );
});

const SMALL: PacketSizes = { mtuBytes: 1280, offloads: 'off' };

for (const [what, packets] of Object.entries({ SMALL, LONG, GROUPED, AS_LOOPBACK })) {
  pathTest(
    `keeps the requested delay and rate (${what}: MTU ${packets.mtuBytes}, offloads ${packets.offloads})`,
    async (made) => {
      for (const requested of [
        conditionOf({}),
        conditionOf({ rttMs: 30 }),
        conditionOf({ rttMs: 20, downKbps: 2000, upKbps: 768 }),
      ]) {
        await made.apply(requested);
        await calibrateUntilRight(made, requested, PYTHON, { patienceMs: 0 });
      }
    },
    packets,
  );
}
