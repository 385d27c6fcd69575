import assert from 'node:assert/strict';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Calibration } from '../../ground/records/calibration.ts';
import { nodeProgram } from '../../ground/system/folders.mjs';
import { requireQemu, runInGuest } from './bed/guest.ts';
import { BedMissing, guestKernel } from './bed/kernel.ts';
import type { Flood, Measurements, PathMeasurements } from './guest/measure.ts';
import { DOWNLOAD } from './guest/settings.ts';

// A processor in software is some thirty times slower than this one, and may be busy.
const GUEST_LIMIT_MS = 300_000;

const BACKENDS = ['netem', 'userspace'] as const;

/** When this process is terminated, it still ends the guest and removes its files. */
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => process.exit(130));
}

test('netem in a guest', { timeout: GUEST_LIMIT_MS + 120_000 }, async (t) => {
  const measured = await measureInGuest();
  if (typeof measured === 'string') return t.skip(measured);
  report(t, measured);
  const { netem, userspace } = measured;

  await t.test('adds the requested round trip, half of it each way', () => {
    assertNear(addedMs(netem, 'udpRttMs'), 20, 1.5);
    assertNear(addedMs(netem, 'tcpRttMs'), 20, 1.5);
    assertNear(addedMs(netem, 'toServerMs'), 10, 1.5);
    assertNear(addedMs(netem, 'toClientMs'), 10, 1.5);
  });

  await t.test('adds the requested round trip for an ordinary user', () => {
    // Measured only once, so perhaps in a busy moment.
    const { minimum } = measured.ordinaryUser.udpRttMs;
    assertNear(minimum, leastMs(netem.delayed, 'udpRttMs'), 5);
  });

  await t.test('adds the same round trip with both backends', () => {
    // A busy machine delays the link's program in the guest more than netem.
    for (const kind of ['udpRttMs', 'tcpRttMs'] as const) {
      assertNear(addedMs(netem, kind), addedMs(userspace, kind), 5);
    }
  });

  await t.test('has the requested rate', () => {
    // The bucket overflows while the guest's kernel wakes up more than 1 ms late.
    assertNear(netem.limited.downKbps ?? 0, 2000, 0.08 * 2000);
    assertNear(userspace.limited.downKbps ?? 0, 2000, 0.05 * 2000);
    assertNear(netem.longLimited.downKbps ?? 0, 2000, 0.08 * 2000);
    assertNear(userspace.longLimited.downKbps ?? 0, 2000, 0.05 * 2000);
  });

  await t.test('downloads in the same time with either backend', () => {
    for (const { downloadCounts } of [netem, userspace]) {
      assert.equal(downloadCounts.toClient.queueDrops, 0);
    }
    const [ofNetem, ofUserspace] = [
      Math.min(...netem.downloadMs),
      Math.min(...userspace.downloadMs),
    ];
    assertNear(ofNetem, ofUserspace, 0.1 * ofUserspace);
  });

  await t.test('spreads round trips to both sides by jitter', () => {
    const { bare, jittery } = netem;
    const around = 20 + leastMs(bare, 'udpRttMs');
    assert.ok(jittery.udpRttMs.minimum < around - 1, `${jittery.udpRttMs.minimum} ms`);
    assert.ok(jittery.udpRttMs.minimum >= around - 10 - 0.5, `${jittery.udpRttMs.minimum} ms`);
    assert.ok(jittery.udpRttMs.maximum > around + 1, `${jittery.udpRttMs.maximum} ms`);
  });

  for (const backend of BACKENDS) {
    const { downloadCounts, overload, loss, groupLoss, burstLoss, treated } = measured[backend];

    for (const { udp, counts } of treated) {
      await t.test(`${backend}: UDP is ${udp.treatment}, and TCP is not`, () => {
        for (const direction of ['toServer', 'toClient'] as const) {
          const { sent, packets, kbps } = udp[direction];
          const { udpDropped, queueDrops, lost } = counts[direction];
          // One more datagram goes to the servers, to observe the error at its sender.
          const more = direction === 'toServer' && udp.kbps === null ? 1 : 0;
          assert.deepEqual([udpDropped, queueDrops, lost], [sent - packets + more, 0, 0]);
          if (udp.kbps === null) assert.equal(packets, 0);
          else assertNear(kbps ?? 0, udp.kbps, 0.08 * udp.kbps);
        }
        assert.equal(udp.refusal, udp.treatment === 'rejected' ? 'EHOSTUNREACH' : null);
        if (udp.kbps !== null) assert.ok((udp.tcpKbps ?? 0) > udp.kbps, `${udp.tcpKbps} kbit/s`);
      });
    }

    await t.test(`${backend}: sends one segment in one packet`, () => {
      // Segments of 1448 bytes, with the timestamps that TCP adds.
      const { packets, bytes } = downloadCounts.toClient;
      assert.ok(packets >= DOWNLOAD.times * Math.ceil(DOWNLOAD.bytes / 1448), `${packets} packets`);
      assert.ok(bytes / packets <= 1514, `${bytes} bytes in ${packets} packets`);
    });

    await t.test(`${backend}: counts every packet as passed, lost or dropped`, () => {
      for (const flood of [overload, loss, groupLoss, burstLoss]) {
        const { packets, lost, queueDrops, bytes } = flood.counts.toServer;
        assert.equal(packets, flood.arrived.length);
        assert.equal(packets + lost + queueDrops, flood.sent);
        // 1200 bytes with the headers of UDP, IP and Ethernet.
        assert.equal(bytes, packets * (1200 + 8 + 20 + 14));
        for (const [name, count] of Object.entries(flood.counts.toClient)) {
          assert.equal(count, 0, name);
        }
      }
    });

    await t.test(`${backend}: captures every packet, and marks lost and dropped ones`, () => {
      for (const { captured, counts } of [overload, loss, groupLoss, burstLoss]) {
        const { packets, bytes, lost, queueDrops } = counts.toServer;
        assert.deepEqual(captured, { packets, bytes, commented: lost + queueDrops });
      }
    });

    await t.test(`${backend}: does not count drops of a full queue as loss`, () => {
      const { packets, lost, queueDrops } = overload.counts.toServer;
      assert.equal(lost, 0);
      assert.ok(queueDrops > 0);
      // The 15140 bytes of the queue have left it.
      assert.ok(packets >= 12, `${packets} packets`);
    });

    await t.test(`${backend}: loses the requested share of packets, one by one`, () => {
      for (const flood of [loss, groupLoss]) {
        assert.equal(flood.counts.toServer.queueDrops, 0);
        assertNear(lossShare(flood), 0.1, 5 * Math.sqrt((0.1 * 0.9) / flood.sent));
        // By chance alone one in ten losses follows another: 1.11 in a row.
        assertNear(burstLength(flood), 1 / 0.9, 0.2);
      }
    });

    await t.test(
      `${backend}: loses packets in bursts of the requested frequency and length`,
      () => {
        // 2 % enter, 25 % leave: 4 in a row, and 2 in 27 are lost.
        // Some 55 bursts of uneven length: four standard errors, as below.
        assertNear(lossShare(burstLoss), 2 / 27, 0.06);
        assertNear(burstLength(burstLoss), 4, 2);
      },
    );
  }
});

/** Measured value, or what the measurement lacks. */
async function measureInGuest(): Promise<Measurements | string> {
  try {
    requireQemu();
    const program = path.join(import.meta.dirname, 'guest', 'measure.ts');
    const kernel = await guestKernel();
    const result = await runInGuest(kernel, [nodeProgram, program], { limitMs: GUEST_LIMIT_MS });
    assert.equal(result.status, 0, `measuring in the guest failed:\n${result.console}`);
    return JSON.parse(result.stdout) as Measurements;
  } catch (error) {
    if (error instanceof BedMissing) return error.message;
    throw error;
  }
}

function report(t: TestContext, measured: Measurements): void {
  t.diagnostic(`kernel ${measured.kernel}; minimum / median of RTTs over UDP in ms, and more`);
  for (const backend of BACKENDS) {
    const { bare, delayed, limited, longLimited, jittery, downloadMs, ...floods } =
      measured[backend];
    const rtt = (...calibrations: Calibration[]) =>
      calibrations
        .map(({ udpRttMs }) => `${udpRttMs.minimum.toFixed(2)} / ${udpRttMs.median.toFixed(2)}`)
        .join(' and ');
    t.diagnostic(
      `${backend}: nothing added ${rtt(...bare)}; 20 ms ${rtt(...delayed)}; with 5 ms of jitter ${rtt(jittery)}; ` +
        `at 2000 kbit/s ${rtt(limited)}, ${limited.downKbps?.toFixed(0)} kbit/s, ${longLimited.downKbps?.toFixed(0)} with packets as of loopback; ` +
        `${DOWNLOAD.bytes / 1000} kB in ${downloadMs.map((ms) => ms.toFixed(0)).join(', ')} ms; ` +
        `lost ${percent(floods.loss)}, ${percent(floods.groupLoss)}, in bursts ${percent(floods.burstLoss)}`,
    );
  }
}

type Times = 'udpRttMs' | 'tcpRttMs' | 'toServerMs' | 'toClientMs';

/** Delay of the fastest packets at 20 ms of RTT beyond that with nothing added. */
function addedMs({ bare, delayed }: PathMeasurements, times: Times): number {
  return leastMs(delayed, times) - leastMs(bare, times);
}

function leastMs(calibrations: Calibration[], times: Times): number {
  return Math.min(...calibrations.map((calibration) => calibration[times].minimum));
}

function percent(flood: Flood): string {
  return `${(100 * lossShare(flood)).toFixed(1)} % (${burstLength(flood).toFixed(2)} in a row)`;
}

function lossShare({ sent, arrived }: Flood): number {
  return 1 - arrived.length / sent;
}

/** Average number of packets lost in a row. */
function burstLength({ sent, arrived }: Flood): number {
  const passed = new Set(arrived);
  const numbers = Array.from({ length: sent }, (_, number) => number);
  const lost = numbers.filter((number) => !passed.has(number));
  const firsts = lost.filter((number) => number === 0 || passed.has(number - 1));
  return lost.length / firsts.length;
}

function assertNear(value: number, expected: number, tolerance: number): void {
  const message = `expected ${expected.toFixed(3)} +- ${tolerance.toFixed(3)}, got ${value.toFixed(3)}`;
  assert.ok(Math.abs(value - expected) <= tolerance, message);
}
