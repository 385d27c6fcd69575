import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DirectionCounts } from '../../ground/records/network.ts';
import { addressOfHost } from '../../network/addresses.ts';
import { MeasuringPrograms } from '../../network/bench/network/programs.ts';
import type { SeededCondition } from '../../network/conditions.ts';
import { withNetemPath } from '../../network/netem/backend.ts';
import { linkDirection } from '../../network/userspace/backend.ts';
import type { CapturedPacket, ReadCapture } from '../pcapng.ts';
import { countsAtRest } from './at-rest.ts';
import { captureOf, withComment } from './path-capture.ts';
import { orSkip, PYTHON, pathTest, UNCHANGED } from './userspace-path.ts';

const SERVER = addressOfHost(0);
const LOST = 'lost on the path';
const DROPPED = 'dropped: the queue was full';

/** Whether a capture matches the counts of a direction. */
function assertAsCounted(
  { packets }: ReadCapture,
  outbound: boolean,
  counts: Pick<DirectionCounts, 'packets' | 'bytes'> & Partial<DirectionCounts>,
): void {
  const own = packets.filter((packet) => packet.outbound === outbound);
  const arrived = own.filter(({ comments }) => comments.length === 0);
  const bytes = arrived.reduce((sum, { frame }) => sum + frame.length, 0);
  assert.deepEqual(
    { packets: arrived.length, bytes, lost: withComment(own, LOST).length },
    { packets: counts.packets, bytes: counts.bytes, lost: counts.lost ?? 0 },
  );
  assert.equal(withComment(own, DROPPED).length, counts.queueDrops ?? 0);
}

/** Whether the checksum behind the IP header is right: the sum of all with the addresses is then all ones. */
function hasRightChecksum({ frame }: CapturedPacket): boolean {
  const ip = frame.subarray(14);
  const covered = Buffer.concat([
    ip.subarray(12, 20),
    Buffer.of(0, ip[9] ?? 0, (ip.length - 20) >> 8, (ip.length - 20) & 0xff),
    ip.subarray(20),
    Buffer.alloc(ip.length % 2),
  ]);
  let sum = 0;
  for (let at = 0; at < covered.length; at += 2) sum += covered.readUInt16BE(at);
  return sum % 0xffff === 0;
}

/** For TCP, behind Ethernet and IP. */
function clientPort({ frame, outbound }: CapturedPacket): number {
  return frame.readUInt16BE(14 + 20 + (outbound ? 0 : 2));
}

const DELAYED: SeededCondition = { ...UNCHANGED, rttMs: 40 };

pathTest(
  'captures the counted packets, to the byte, with the times of the client',
  async (made, programs) => {
    await made.apply(DELAYED, { captures: true });
    await programs.withServer('server', ['take', SERVER], async (taker) => {
      for (const bytes of [200_000, 1, 1, 1, 1]) {
        await programs.run('client', 'give', SERVER, taker.port, 1, bytes);
        await taker.next();
      }
    });
    const { toServer, toClient } = await countsAtRest(made.count);
    const capture = await captureOf(made);
    assertAsCounted(capture, true, toServer);
    assertAsCounted(capture, false, toClient);
    const { packets, statistics } = capture;
    assert.deepEqual(statistics, { received: BigInt(packets.length), dropped: 0n, comment: null });
    assert.ok(packets.every(hasRightChecksum));
    const times = packets.map(({ timeNs }) => Number(timeNs - (packets[0]?.timeNs ?? 0n)) / 1e6);
    assert.deepEqual(
      times,
      times.toSorted((a, b) => a - b),
    );
    // The response to the first packet of a connection comes a round trip after it, not two; the
    // minimum, for a busy machine's link may be late.
    const answersMs = [...Map.groupBy(packets, clientPort).values()].map(
      ([first, second]) => Number((second?.timeNs ?? 0n) - (first?.timeNs ?? 0n)) / 1e6,
    );
    assert.equal(answersMs.length, 5);
    const answerMs = Math.min(...answersMs);
    assert.ok(answerMs > 39.5 && answerMs < 80, `${answersMs.join(', ')} ms`);
    const ageMs = Date.now() - Number((packets[0]?.timeNs ?? 0n) / 1_000_000n);
    assert.ok(ageMs > 0 && ageMs < 60_000, `${ageMs} ms`);
  },
);

pathTest('captures lost and dropped packets, and marks them', async (made, programs) => {
  for (const condition of [
    { ...DELAYED, lossPercent: 20, seed: 5 },
    { ...DELAYED, upKbps: 1000 },
  ]) {
    await made.apply(condition, { captures: true });
    await programs.withServer('server', ['sink', SERVER], ({ port }) =>
      programs.run('client', 'burst', SERVER, port, 100, 1000, 4000),
    );
    const { toServer, toClient } = await countsAtRest(made.count);
    assert.ok(toServer.lost + toServer.queueDrops > 5);
    const capture = await captureOf(made);
    assertAsCounted(capture, true, toServer);
    assertAsCounted(capture, false, toClient);
    const sent = capture.packets.filter(({ outbound }) => outbound);
    assert.ok(sent.length >= 100, `${sent.length} packets`);
  }
});

pathTest('marks packets in flight at the end, and omits later ones', async (made, programs) => {
  await made.apply({ ...UNCHANGED, rttMs: 20_000 }, { captures: true });
  await programs.withServer('server', ['sink', SERVER], async ({ port }) => {
    const burst = () => programs.run('client', 'burst', SERVER, port, 10, 1000, 4000);
    await burst();
    assert.equal((await made.count()).toServer.packets, 0);
    await burst();
    const { packets } = await captureOf(made);
    assert.equal(withComment(packets, 'on its way when the attempt ended').length, 10);
    assert.equal(packets.length, 10);
  });
});

pathTest(
  'keeps packets from before a load that keeps its connections in its capture, and marks them',
  async (made, programs) => {
    await made.apply(DELAYED, { captures: true });
    await programs.withServer('server', ['sink', SERVER], async ({ port }) => {
      const burst = () => programs.run('client', 'burst', SERVER, port, 10, 1000, 4000);
      await burst();
      await countsAtRest(made.count);
      await made.apply(DELAYED, { captures: true, keepsConnections: true });
      await burst();
      const { toServer } = await countsAtRest(made.count);
      const capture = await captureOf(made);
      assertAsCounted(capture, true, toServer);
      assert.equal(withComment(capture.packets, 'before the attempt').length, 10);
      await made.apply(DELAYED);
      assert.deepEqual((await captureOf(made)).packets, []);
    });
  },
);

pathTest('loses only the numbered packet with data', async (made, programs) => {
  const direction = (towards: 'toServer' | 'toClient') =>
    linkDirection(DELAYED, towards, made.longestPacketBytes);
  await made.agent.setLink({
    toServer: { ...direction('toServer'), losesDataPackets: [7] },
    toClient: direction('toClient'),
    keepsConnections: false,
    everything: false,
    captures: true,
  });
  await programs.withServer('server', ['take', SERVER], async (taker) => {
    await programs.run('client', 'give', SERVER, taker.port, 1, 50_000);
    await taker.next();
  });
  assert.equal((await countsAtRest(made.count)).toServer.lost, 1);
  const { packets } = await captureOf(made);
  // Behind Ethernet, IP, and TCP with its timestamps; a SYN has more options.
  const isData = (frame: Buffer) =>
    frame.length > 14 + 20 + 32 && ((frame[14 + 20 + 13] ?? 0) & 2) === 0;
  const withData = packets.filter(({ outbound, frame }) => outbound && isData(frame));
  const lost = withData.filter(({ comments }) => comments.includes(LOST));
  assert.deepEqual([withData.indexOf(lost[0] as CapturedPacket), lost.length], [6, 1]);
  const sequence = ({ frame }: CapturedPacket) => frame.readUInt32BE(14 + 20 + 4);
  const again = withData.filter((each) => sequence(each) === sequence(lost[0] as CapturedPacket));
  assert.equal(again.length, 2);
});

test('captures what vanishes inside cables as lost', async (t) => {
  // Only the conditions need netem, and none is applied here.
  const options = { python: PYTHON, hosts: 2, congestionControl: 'cubic', initcwnd: null };
  await orSkip(t, () =>
    withNetemPath(options, async (made) => {
      const { agent } = made;
      const programs = new MeasuringPrograms(agent, PYTHON);
      // Nothing leads there any more.
      const lostTo = addressOfHost(1);
      await agent.run('middle', ['ip', 'route', 'add', 'blackhole', lostTo]);
      await agent.beginLoad({ keepsConnections: false, captures: true });
      await programs.withServer('server', ['take', SERVER], async (taker) => {
        await programs.run('client', 'give', SERVER, taker.port, 1, 200_000);
        await taker.next();
      });
      await programs.withServer('server', ['sink', SERVER], ({ port }) =>
        programs.run('client', 'burst', lostTo, port, 30, 1000, 4000),
      );
      const { toServer, toClient, missed } = await countsAtRest(agent.countPackets);
      assert.equal(missed, 0);
      const capture = await captureOf(made);
      const lost = withComment(capture.packets, `${LOST}, or ${DROPPED}`);
      assert.equal(lost.length, 30);
      assert.ok(lost.every(({ frame, outbound }) => outbound && frame.length === 1042));
      assertAsCounted(capture, true, toServer);
      assertAsCounted(capture, false, toClient);
      assert.ok(toClient.packets > 10);
    }),
  );
});
