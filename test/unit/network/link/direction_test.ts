import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MS, onDevice, PACKET, packetOf, TestDirection } from './made-link.ts';

const dueTimes = (direction: TestDirection) => direction.leaveAll().map(({ dueNs }) => dueNs);
const firstBytes = (direction: TestDirection) =>
  direction.leaveAll().map(({ packet }) => packet[10]);

function sumOf(lost: readonly boolean[]): number {
  return lost.filter(Boolean).length;
}

function assertNear(value: number, expected: number, tolerance: number): void {
  assert.ok(Math.abs(value - expected) <= tolerance, `${value}, not ${expected} +- ${tolerance}`);
}

test('sends a packet at once without delay and rate', () => {
  const direction = new TestDirection();
  assert.ok(direction.arrive(PACKET, 5));
  assert.equal(direction.nextDueNs(), null);
  assert.equal(direction.counts().packets, 1);
});

test('sends every packet unchanged exactly the delay after its arrival', () => {
  const direction = new TestDirection({ delayMs: 15 });
  const packet = onDevice(Buffer.from('any bytes at all'));
  for (const arrivedNs of [0, 3, 10 * MS]) assert.equal(direction.arrive(packet, arrivedNs), false);
  assert.deepEqual(
    direction.leaveAll(),
    [15 * MS, 15 * MS + 3, 25 * MS].map((dueNs) => ({ dueNs, packet })),
  );
});

test('keeps exact times on a machine that has been up for a year', () => {
  const direction = new TestDirection({ delayMs: 15 });
  const nowNs = 3e16;
  direction.begin({ delayMs: 15 }, { nowNs });
  direction.arrive(PACKET, nowNs);
  assert.deepEqual(dueTimes(direction), [nowNs + 15 * MS]);
});

test('keeps the order of packets of the same moment', () => {
  const direction = new TestDirection({ delayMs: 1 });
  const numbers = Array.from({ length: 200 }, (_, number) => number);
  for (const number of numbers) direction.arrive(packetOf(100, number), 7);
  assert.deepEqual(firstBytes(direction), numbers);
});

test('sends many packets in the order of their times, for any order of arrival', () => {
  const direction = new TestDirection({ delayMs: 20, jitterMs: 20, seed: 5 });
  for (let number = 0; number < 10_000; number++) direction.arrive(packetOf(20), number * 1000);
  const dueNs = dueTimes(direction);
  assert.equal(dueNs.length, 10_000);
  assert.deepEqual(
    dueNs,
    dueNs.toSorted((a, b) => a - b),
  );
});

test('keeps the time of packets in flight when the settings change', () => {
  const direction = new TestDirection({ delayMs: 15 });
  direction.arrive(packetOf(100, 1), 0);
  direction.begin({ delayMs: 1 }, { nowNs: 10 });
  direction.arrive(packetOf(100, 2), 20);
  const left = direction.leaveAll().map(({ dueNs, packet }) => [dueNs, packet[10]]);
  assert.deepEqual(left, [
    [1 * MS + 20, 2],
    [15 * MS, 1],
  ]);
});

test('reports the lateness of the latest packet', () => {
  const direction = new TestDirection({ delayMs: 1 });
  direction.arrive(PACKET, 0);
  direction.arrive(PACKET, 0);
  direction.leave(1 * MS + 250_000);
  direction.leave(1 * MS + 100_000);
  assert.equal(direction.counts().maxLatenessMs, 0.25);
});

test('keeps jitter within its bounds and fills them', () => {
  const direction = new TestDirection({ delayMs: 20, jitterMs: 5 });
  for (let number = 0; number < 2000; number++) direction.arrive(PACKET, 0);
  const dueMs = dueTimes(direction).map((dueNs) => dueNs / MS);
  const [least, most] = [Math.min(...dueMs), Math.max(...dueMs)];
  assert.ok(least >= 15 && least < 15.1, `${least}`);
  assert.ok(most <= 25 && most > 24.9, `${most}`);
  assertNear(dueMs.reduce((sum, ms) => sum + ms, 0) / dueMs.length, 20, 0.2);
});

test('lets packets overtake by jitter', () => {
  const direction = new TestDirection({ delayMs: 20, jitterMs: 5 });
  for (let number = 0; number < 100; number++) direction.arrive(packetOf(100, number), number);
  const order = firstBytes(direction) as number[];
  assert.notDeepEqual(
    order,
    order.toSorted((a, b) => a - b),
  );
});

test('does not change by jitter which packets are lost', () => {
  const calm = new TestDirection({ delayMs: 20, lossPercent: 5, seed: 3 });
  const shaky = new TestDirection({ delayMs: 20, jitterMs: 5, lossPercent: 5, seed: 3 });
  assert.deepEqual(calm.losses(1000), shaky.losses(1000));
});

test('sends packets one after the other as fast as the rate allows', () => {
  const direction = new TestDirection({ rateKbps: 10_000 });
  for (let number = 0; number < 3; number++) direction.arrive(PACKET, 0);
  assert.deepEqual(dueTimes(direction), [1_200_000, 2_400_000, 3_600_000]);
});

test('does not save up capacity while idle', () => {
  const direction = new TestDirection({ rateKbps: 10_000 });
  direction.arrive(PACKET, 0);
  direction.arrive(PACKET, 100 * MS);
  assert.deepEqual(dueTimes(direction), [1_200_000, 101_200_000]);
});

test('applies the delay after the rate', () => {
  const direction = new TestDirection({ rateKbps: 10_000, delayMs: 15 });
  direction.arrive(PACKET, 0);
  direction.arrive(PACKET, 0);
  assert.deepEqual(dueTimes(direction), [16_200_000, 17_400_000]);
});

test('does not drift at a rate that is no whole number of ns per byte', () => {
  const direction = new TestDirection({ rateKbps: 7777 });
  for (let number = 0; number < 10_000; number++) direction.arrive(PACKET, 0);
  assertNear(dueTimes(direction).at(-1) ?? 0, (10_000 * 1500 * 8e6) / 7777, 1);
});

test("does not count the device's own header, but the Ethernet header", () => {
  const direction = new TestDirection({ rateKbps: 10_000 });
  direction.arrive(onDevice(Buffer.alloc(1486)), 0);
  assert.equal(direction.nextDueNs(), 1_200_000);
  direction.leave(0);
  assert.equal(direction.counts().bytes, 1500);
});

test('drops a packet that does not fit into the queue', () => {
  const direction = new TestDirection({ rateKbps: 10_000, queueBytes: 4500 });
  for (let number = 0; number < 5; number++) direction.arrive(PACKET, 0);
  assert.equal(direction.counts().queueDrops, 2);
  assert.equal(direction.leaveAll().length, 3);
});

test('has room in the queue again as soon as packets were sent', () => {
  const direction = new TestDirection({ rateKbps: 10_000, queueBytes: 4500 });
  for (let number = 0; number < 3; number++) direction.arrive(PACKET, 0);
  direction.arrive(PACKET, 1_199_999);
  assert.equal(direction.counts().queueDrops, 1);
  direction.arrive(PACKET, 1_200_000);
  assert.equal(direction.counts().queueDrops, 1);
});

test('accepts a packet on an idle link however small the queue is', () => {
  const direction = new TestDirection({ rateKbps: 10_000, queueBytes: 100 });
  direction.arrive(PACKET, 0);
  assert.equal(direction.counts().queueDrops, 0);
});

test('does not count packets that are only delayed against the queue of a rate', () => {
  const direction = new TestDirection({ rateKbps: 10_000, delayMs: 500, queueBytes: 3000 });
  for (let number = 0; number < 100; number++) direction.arrive(PACKET, number * 1_200_000);
  assert.equal(direction.counts().queueDrops, 0);
});

test('bounds the packets in flight without a rate', () => {
  const direction = new TestDirection({ delayMs: 15, queueBytes: 3000 });
  for (let number = 0; number < 3; number++) direction.arrive(PACKET, 0);
  assert.equal(direction.counts().queueDrops, 1);
  direction.leave(15 * MS);
  direction.arrive(PACKET, 15 * MS);
  assert.equal(direction.counts().queueDrops, 1);
});

test('takes no room for a lost packet', () => {
  const direction = new TestDirection({ rateKbps: 10_000, queueBytes: 3000, lossPercent: 100 });
  for (let number = 0; number < 5; number++) direction.arrive(PACKET, 0);
  const { lost, queueDrops } = direction.counts();
  assert.deepEqual({ lost, queueDrops }, { lost: 5, queueDrops: 0 });
});

test('loses the requested share', () => {
  // Four standard deviations of a binomial.
  assertNear(sumOf(new TestDirection({ lossPercent: 1 }).losses(100_000)), 1000, 126);
});

test('loses packets independently of each other', () => {
  const lost = new TestDirection({ lossPercent: 20, seed: 9 }).losses(50_000);
  const both = lost.filter((isLost, number) => isLost && lost[number + 1]).length;
  assertNear(both, 2000, 4 * Math.sqrt(2000));
});

test('loses the same packets with the same seed', () => {
  const losses = () => new TestDirection({ lossPercent: 2, seed: 7 }).losses(5000);
  assert.deepEqual(losses(), losses());
});

test('loses different packets with another seed or direction, with overlaps by chance', () => {
  const settings = { lossPercent: 20, seed: 7 };
  const one = new TestDirection(settings).losses(5000);
  const variants = [
    new TestDirection({ ...settings, seed: 8 }),
    new TestDirection({ ...settings, seed: -7 }),
    new TestDirection({ ...settings, seed: 2 ** 40 + 7 }),
    new TestDirection(settings, { name: 'toClient' }),
  ];
  for (const other of variants) {
    const lost = other.losses(5000);
    const both = one.filter((isLost, number) => isLost && lost[number]).length;
    assertNear(both, 200, 4 * Math.sqrt(200));
  }
});

test('restarts the series when it is set again', () => {
  const direction = new TestDirection({ lossPercent: 2, seed: 7 });
  const first = direction.losses(1000);
  direction.begin({ lossPercent: 2, seed: 7 });
  assert.equal(direction.counts().lost, 0);
  assert.deepEqual(direction.losses(1000), first);
});

test('loses nothing without request', () => {
  assert.equal(sumOf(new TestDirection().losses(10_000)), 0);
});

test('has bursts of geometric length and of the requested share of packets', () => {
  const burstLoss = { enterPercent: 1, leavePercent: 25 };
  const lost = new TestDirection({ burstLoss }).losses(200_000);
  const bursts = lost
    .map((isLost) => (isLost ? 'x' : ' '))
    .join('')
    .split(/ +/)
    .map(({ length }) => length)
    .filter((length) => length > 0);
  const share = (length: number) => bursts.filter((each) => each === length).length / bursts.length;
  assertNear(sumOf(lost) / bursts.length, 1 / 0.25, 0.25);
  assertNear(share(1), 0.25, 0.03);
  assertNear(share(2), 0.25 * 0.75, 0.03);
  assertNear(sumOf(lost) / lost.length, 1 / (1 + 25), 0.005);
});

test('delays packets outside a load, without loss and counting', () => {
  const direction = new TestDirection({ delayMs: 20, jitterMs: 5, lossPercent: 100 });
  direction.arrive(PACKET, 0, { ofLoad: false });
  assert.deepEqual(dueTimes(direction), [20 * MS]);
  const { packets, bytes, lost } = direction.counts();
  assert.deepEqual({ packets, bytes, lost }, { packets: 0, bytes: 0, lost: 0 });
});

test('does not count packets outside a load that pass at once', () => {
  const direction = new TestDirection();
  assert.ok(direction.arrive(PACKET, 0, { ofLoad: false }));
  assert.equal(direction.counts().packets, 0);
});

test("keeps packets outside a load out of the load's rate and queue, without waiting", () => {
  const direction = new TestDirection({ delayMs: 15, rateKbps: 10_000, queueBytes: 3000 });
  for (const ofLoad of [false, true, true, false, false]) direction.arrive(PACKET, 0, { ofLoad });
  assert.equal(direction.counts().queueDrops, 0);
  const delayedNs = 15 * MS;
  assert.deepEqual(dueTimes(direction), [
    delayedNs,
    delayedNs,
    delayedNs,
    delayedNs + 1_200_000,
    delayedNs + 2_400_000,
  ]);
});

test('keeps packets outside a load out of the room of a link without a rate', () => {
  const direction = new TestDirection({ delayMs: 15, queueBytes: 3000 });
  for (const ofLoad of [false, false, true, true, false]) direction.arrive(PACKET, 0, { ofLoad });
  assert.equal(direction.counts().queueDrops, 0);
  assert.equal(dueTimes(direction).length, 5);
});

test('begins the next load with an empty queue', () => {
  for (const settings of [{ delayMs: 15, rateKbps: 500 }, { delayMs: 15 }]) {
    const direction = new TestDirection({ ...settings, queueBytes: 3000 });
    for (let number = 0; number < 9; number++) direction.arrive(packetOf(1500, 1), 0);
    assert.ok(direction.counts().queueDrops > 0);
    direction.begin({ ...settings, queueBytes: 3000 }, { nowNs: 10 });
    for (let number = 0; number < 2; number++) direction.arrive(packetOf(1500, 2), 10);
    // Packets in flight from the load before leave, and take no room.
    const left = direction.leaveAll().filter(({ packet }) => packet[10] === 2);
    const eachNs = settings.rateKbps ? 24 * MS : 0;
    assert.deepEqual(
      left.map(({ dueNs }) => dueNs),
      [15 * MS + 10 + eachNs, 15 * MS + 10 + 2 * eachNs],
    );
    assert.equal(direction.counts().queueDrops, 0);
  }
});

test('does not advance the series for packets outside a load', () => {
  const settings = { delayMs: 20, jitterMs: 5, lossPercent: 5, seed: 3 };
  const [alone, among] = [new TestDirection(settings), new TestDirection(settings)];
  for (let number = 0; number < 500; number++) {
    alone.arrive(packetOf(100, 1), number);
    among.arrive(packetOf(100, 1), number);
    among.arrive(packetOf(100, 2), number, { ofLoad: false });
  }
  const left = among.leaveAll().filter(({ packet }) => packet[10] === 1);
  assert.deepEqual(left, alone.leaveAll());
  assert.equal(among.counts().lost, alone.counts().lost);
});

test('counts packets in flight in a later load only if connections are kept', () => {
  for (const [keepsConnections, packets] of [
    [false, 0],
    [true, 1],
  ] as const) {
    const direction = new TestDirection({ delayMs: 15 });
    direction.arrive(PACKET, 0);
    direction.begin({ delayMs: 15 }, { nowNs: 10, keepsConnections });
    direction.leave(20 * MS);
    assert.equal(direction.counts().packets, packets);
  }
});

test('follows the median of late wake-ups with its lead, within bounds', () => {
  const { native } = new TestDirection();
  for (let number = 0; number < 3000; number++) {
    // One in ten is far out, as on a busy machine.
    native.learn_lead(number % 10 === 0 ? 5 * MS : 70_000 + (number % 3) * 10_000);
  }
  assertNear(native.lead(), 80_000, 5000);
  for (let number = 0; number < 1000; number++) native.learn_lead(9 * MS);
  assert.equal(native.lead(), 150_000);
  for (let number = 0; number < 1000; number++) native.learn_lead(-1);
  assert.equal(native.lead(), 0);
});
