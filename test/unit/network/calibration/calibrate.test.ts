import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { UdpTreatment } from '../../../../ground/records/network.ts';
import { InterruptedError, NetworkError } from '../../../../ground/system/errors.ts';
import { calibrate } from '../../../../network/calibration/calibrate.ts';
import { withProbe } from '../../../../network/calibration/probe.ts';
import { calibrateUntilRight } from '../../../../network/calibration/until-right.ts';
import type { SeededCondition } from '../../../../network/conditions.ts';
import { conditionOf } from './example.ts';
import { fakePath } from './fake-path.ts';

test('keeps requested next to achieved values', async () => {
  const condition = conditionOf({
    name: 'slow',
    rttMs: 30,
    downKbps: 1000,
    burstLoss: { enterPercent: 1, leavePercent: 19 },
  });
  const calibration = await calibrate(fakePath('sound'), condition, 'python');
  assert.deepEqual(calibration.requested, {
    condition: 'slow',
    rttMs: 30,
    downKbps: 1000,
    upKbps: null,
    lossPercent: 0,
    jitterMs: 0,
    burstLossPercent: 5,
  });
  assert.equal(calibration.udpRttMs.median, 30);
  assert.equal(calibration.tcpRttMs.maximum, 31);
  assert.equal(calibration.toClientMs.median, 16);
  assert.equal(calibration.downKbps, 990);
  assert.equal(calibration.downOfferedKbps, 1500);
  assert.equal(calibration.downPausedPercent, 2);
  assert.equal(calibration.upPausedPercent, null);
  assert.equal(calibration.upKbps, null);
  assert.equal(calibration.udpProbesLost, 2);
  assert.equal(calibration.backend, 'userspace');
  assert.equal(calibration.linkPriority, 'eevdf');
  assert.equal(calibration.isSeeded, true);
  assert.deepEqual(JSON.parse(JSON.stringify(calibration)), calibration);
});

/** Parameters that a calibration applies, and its UDP treatment. */
async function treated(udp: UdpTreatment, rttMs: number) {
  const applied: (UdpTreatment | undefined)[] = [];
  const path = {
    ...fakePath('sound'),
    apply: async (condition: SeededCondition) => void applied.push(condition.udp),
  };
  const found = await calibrate(path, conditionOf({ rttMs, udp }), 'python');
  return { applied, found };
}

test('measures a path without its UDP treatment, and then the treatment', async () => {
  const udp = { treatment: 'throttled', kbps: 1000 } as const;
  const { applied, found } = await treated(udp, 30);
  assert.deepEqual(applied, [undefined, udp]);
  assert.equal(found.udpRttMs.median, 30);
  const datagrams = { sent: 40, packets: 30, kbps: 990, offeredKbps: 1500 };
  const sizes = '--mtu 1500 --longest 1500 --burst 15140';
  assert.deepEqual(found.udp, {
    ...udp,
    toServer: datagrams,
    toClient: datagrams,
    // As many bytes over TCP as pass at once and in half a second.
    refusal: `198.18.1.1 1001 1002 ${sizes} --kbps 1000 --tcp 77640`,
    tcpKbps: null,
  });
});

test('skips TCP that would not get up to speed in time, or that comes with UDP without a rate', async () => {
  const far = await treated({ treatment: 'throttled', kbps: 10_000 }, 300);
  assert.doesNotMatch(far.found.udp?.refusal ?? '', /--tcp/);
  const blocked = await treated({ treatment: 'blocked', kbps: null }, 30);
  assert.doesNotMatch(blocked.found.udp?.refusal ?? '', /--tcp|--kbps/);
});

test('runs the prober in the client namespace with packets and limits of the path', async () => {
  const path = fakePath('sound');
  const options = { agent: path.agent, python: 'python', address: '198.18.1.1' };
  await withProbe(options, async (probe) => {
    const found = await probe.measure({ downKbps: null, upKbps: 768 }, path);
    const { namespace, args } = found as unknown as { namespace: string; args: string[] };
    assert.equal(namespace, 'client');
    const packets = ['--mtu', '1500', '--longest', '1500'];
    assert.deepEqual(args, ['198.18.1.1', '1001', '1002', ...packets, '--up', '768']);
  });
});

test('reports a network error for a path that carries nothing', async () => {
  await assert.rejects(calibrate(fakePath('dead-path'), conditionOf({}), 'python'), {
    name: 'NetworkError',
    message: /does not carry packets: only 0 of 50 UDP probes/,
  });
});

test('reports why a prober or server fails', async () => {
  await assert.rejects(
    calibrate(fakePath('no-server'), conditionOf({}), 'python'),
    /server did not start: OSError: Cannot assign requested address/,
  );
  await assert.rejects(
    calibrate(fakePath('crash'), conditionOf({}), 'python'),
    /prober failed: .*nothing works/,
  );
});

test('stops the measurement at once on an interruption', async () => {
  const interruption = new AbortController();
  setTimeout(() => interruption.abort(new InterruptedError('stopped')), 300);
  const measuring = calibrate(fakePath('hang'), conditionOf({}), 'python', interruption.signal);
  await assert.rejects(measuring, InterruptedError);
});

test('gives up a silent prober', async (t) => {
  const inReality = globalThis.setTimeout;
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const measuring = calibrateUntilRight(fakePath('hang'), conditionOf({}), 'python');
  inReality(() => t.mock.timers.tick(60_000), 1000);
  await assert.rejects(measuring, new NetworkError('The prober did not answer within 60 s.'));
});
