import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SeededCondition } from '../../../../network/conditions.ts';
import { qdiscCommands, readCounts, supportsSeed } from '../../../../network/netem/arguments.ts';

const NOTHING: SeededCondition = {
  name: 'nothing',
  rttMs: 0,
  downKbps: null,
  upKbps: null,
  lossPercent: 0,
  jitterMs: 0,
  burstLoss: null,
  seed: 1,
};

/** The commands as lines of a shell. */
function lines(
  settings: Partial<SeededCondition>,
  direction: 'toServer' | 'toClient',
  seeded = false,
  longestPacketBytes = 1500,
): string[] {
  const condition = { ...NOTHING, ...settings };
  return qdiscCommands(condition, direction, { seeded, longestPacketBytes }).map((command) =>
    command.join(' '),
  );
}

test('adds netem to the condition without added delay too, so that it counts', () => {
  assert.deepEqual(lines({}, 'toServer'), [
    'tc qdisc replace dev toserver root noqueue',
    'tc qdisc replace dev toserver root handle 1: netem delay 0us limit 1048576',
  ]);
});

test('adds half of the RTT each way', () => {
  assert.deepEqual(lines({ rttMs: 30 }, 'toServer'), [
    'tc qdisc replace dev toserver root noqueue',
    'tc qdisc replace dev toserver root handle 1: netem delay 15000us limit 1063576',
  ]);
  assert.equal(
    lines({ rttMs: 0.5 }, 'toClient')[1],
    'tc qdisc replace dev toclient root handle 1: netem delay 250us limit 1048826',
  );
});

test('gives each direction its own rate, behind the delay, with a queue of one bandwidth-delay product', () => {
  const condition = { rttMs: 50, downKbps: 20_000, upKbps: 1_500 };
  assert.deepEqual(lines(condition, 'toClient'), [
    'tc qdisc replace dev toclient root noqueue',
    'tc qdisc replace dev toclient root handle 1: netem delay 25000us limit 26954',
    'tc qdisc replace dev toclient parent 1:1 handle 10: tbf rate 20000000bit burst 4100 limit 125000',
  ]);
  assert.deepEqual(lines(condition, 'toServer'), [
    'tc qdisc replace dev toserver root noqueue',
    'tc qdisc replace dev toserver root handle 1: netem delay 25000us limit 25237',
    'tc qdisc replace dev toserver parent 1:1 handle 10: tbf rate 1500000bit burst 1788 limit 15140',
  ]);
});

test('limits one direction without the opposite one', () => {
  assert.equal(lines({ downKbps: 2000 }, 'toServer').length, 2);
  assert.equal(lines({ downKbps: 2000 }, 'toClient').length, 3);
});

test('sizes the token bucket for a full packet and what arrives while the kernel wakes up 1 ms late', () => {
  const burstBytes = (kbps: number) =>
    Number(/ burst (\d+)/.exec(lines({ downKbps: kbps }, 'toClient')[2] ?? '')?.[1]);
  for (const kbps of [56, 2000, 10_000, 100_000]) {
    assert.ok(burstBytes(kbps) >= 1514 + kbps / 8);
    assert.ok(burstBytes(kbps) <= 2 * 1514 + kbps / 8);
  }
});

test('leaves room for the longest packet in bucket and queue', () => {
  const [, , bucket = ''] = lines({ downKbps: 2000 }, 'toClient', false, 65_535);
  assert.match(bucket, / burst 65885 limit 655490$/);
});

test('keeps rates that are no whole kbit/s', () => {
  assert.match(lines({ downKbps: 128.5 }, 'toClient')[2] ?? '', / rate 128500bit /);
});

test('sets loss and jitter in netem', () => {
  assert.equal(
    lines({ rttMs: 20, jitterMs: 2.5, lossPercent: 0.5 }, 'toServer')[1],
    'tc qdisc replace dev toserver root handle 1: netem delay 10000us 2500us loss 0.5% limit 1061076',
  );
});

test('loses all packets in a burst, and the requested share between bursts', () => {
  const burstLoss = { enterPercent: 1, leavePercent: 25 };
  assert.match(lines({ burstLoss }, 'toServer')[1] ?? '', / loss gemodel 1% 25% 100% 0% limit /);
  assert.match(
    lines({ burstLoss, lossPercent: 0.1 }, 'toServer')[1] ?? '',
    / loss gemodel 1% 25% 100% 0.1% limit /,
  );
});

test('sets a seed if netem supports it and something is random, a different one per direction', () => {
  const seedOf = (line = '') => / seed (\d+)$/.exec(line)?.[1];
  const condition = { lossPercent: 1, seed: 7 };
  const seeds = (['toServer', 'toClient'] as const).map((direction) =>
    seedOf(lines(condition, direction, true)[1]),
  );
  assert.deepEqual(seeds, ['1761901011', '2613976470']);
  assert.equal(seedOf(lines(condition, 'toServer', false)[1]), undefined);
  assert.equal(seedOf(lines({ seed: 7 }, 'toServer', true)[1]), undefined);
});

test('never drops in netem what the queue has room for', () => {
  // The shortest packets, at a rate no sender reaches, for the whole delay, and a full queue behind.
  const [, netem = '', bucket = ''] = lines({ rttMs: 600, downKbps: 100_000 }, 'toClient');
  const limit = Number(/ limit (\d+)/.exec(netem)?.[1]);
  const queueBytes = Number(/ limit (\d+)/.exec(bucket)?.[1]);
  assert.equal(queueBytes, 7_500_000);
  assert.ok(limit >= 300 * 1000 + queueBytes / 64);
});

test('requires 6.6 or later of both kernel and tc for seeds', () => {
  assert.equal(supportsSeed('6.6.0', 'tc utility, iproute2-6.6.0, libbpf 1.1.2'), true);
  assert.equal(supportsSeed('6.12.5-amd64', 'tc utility, iproute2-6.15.0'), true);
  assert.equal(supportsSeed('7.0.1', 'tc utility, iproute2-7.0.0'), true);
  assert.equal(supportsSeed('6.18.1', 'tc utility, iproute2-6.1.0, libbpf 1.1.2'), false);
  assert.equal(supportsSeed('6.1.0-56-amd64', 'tc utility, iproute2-6.6.0'), false);
  assert.equal(supportsSeed('6.18.1', 'tc utility, iproute2-ss200127'), false);
});

/** Output of Debian 12's `tc -json -statistics qdisc show`, with other counts. */
const output = (netemDrops: number, bucketDrops: number) =>
  `[{"kind":"netem","handle":"1:","root":true,"refcnt":2,"options":{"limit":1063576,"delay":{"delay":0.015,"jitter":0,"correlation":0},"ecn":false,"gap":0},"bytes":28566,"packets":23,"drops":${netemDrops},"overlimits":0,"requeues":0,"backlog":0,"qlen":0},{"kind":"tbf","handle":"10:","parent":"1:1","options":{"rate":250000,"burst":1600,"lat":54160},"bytes":28566,"packets":23,"drops":${bucketDrops},"overlimits":46,"requeues":0,"backlog":0,"qlen":0}]`;

test('distinguishes queue drops from losses, though netem counts both as its own', () => {
  const condition = { ...NOTHING, lossPercent: 1 };
  assert.deepEqual(readCounts(output(42, 37), condition), {
    packets: 23,
    bytes: 28566,
    lost: 5,
    queueDrops: 37,
  });
});

test("counts netem's drops as lack of room if no loss is requested", () => {
  assert.deepEqual(readCounts(output(42, 37), NOTHING), {
    packets: 23,
    bytes: 28566,
    lost: 0,
    queueDrops: 42,
  });
});

test('rejects a device without netem, which has no counters', () => {
  assert.throws(
    () => readCounts('[{"kind":"noqueue","handle":"0:"}]', NOTHING),
    /expected a netem qdisc, got: \[\{"kind":"noqueue"/,
  );
});
