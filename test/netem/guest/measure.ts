import os from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Calibration } from '../../../records/calibration.ts';
import { readMachine } from '../../../runner/machine.ts';
import { calibrate } from '../../../runner/network/calibration/calibrate.ts';
import type { NetworkCondition } from '../../../runner/network/conditions.ts';
import { withNetemPath } from '../../../runner/network/netem/backend.ts';
import type { Path, PathCounts } from '../../../runner/network/path.ts';
import { withUserspacePath } from '../../../runner/network/userspace/backend.ts';
import { calibrateAsOrdinaryUser } from './ordinary-user.ts';
import { DELAYED, DOWNLOAD, NOTHING, PATH } from './settings.ts';
import { type Traffic, withTraffic } from './traffic.ts';

/** What was measured in the guest; printed as one line of JSON. */
export interface Measurements {
  kernel: string;
  netem: PathMeasurements;
  userspace: PathMeasurements;
  /** netem with 20 ms of RTT, made by an ordinary user. */
  ordinaryUser: Calibration;
}

/** What was measured on the path of one backend. */
export interface PathMeasurements {
  /** Nothing added. */
  bare: Calibration;
  /** 20 ms of RTT. */
  delayed: Calibration;
  /** 20 ms of RTT, 2 Mbit/s towards the client. */
  limited: Calibration;
  /** 20 ms of RTT, 5 ms of jitter. */
  jittery: Calibration;
  /** Of DOWNLOAD, over TCP. */
  downloadMs: number[];
  downloadCounts: PathCounts;
  /** Datagrams sent at once into a rate of 2 Mbit/s. */
  overload: Flood;
  /** Datagrams sent one by one through 10 % of loss, and in groups of ten. */
  loss: Flood;
  groupLoss: Flood;
  /** Datagrams through bursts of loss, one entered after 50 packets on average, of 4 packets. */
  burstLoss: Flood;
}

/** Datagrams sent to the server, those that came, and what the path counted. */
export interface Flood {
  sent: number;
  arrived: number[];
  counts: PathCounts;
}

const { python } = readMachine();

async function measurePath(path: Path): Promise<PathMeasurements> {
  const calibrated = async (settings: Partial<NetworkCondition>) => {
    const condition = { ...NOTHING, ...settings };
    await path.apply(condition);
    return calibrate(path, condition, python);
  };
  return withTraffic(path.agent, python, async (traffic) => ({
    bare: await calibrated({}),
    delayed: await calibrated(DELAYED),
    limited: await calibrated({ rttMs: 20, downKbps: 2000 }),
    jittery: await calibrated({ rttMs: 20, jitterMs: 5 }),
    ...(await download(path, traffic)),
    overload: await flood(path, traffic, { upKbps: 2000 }, { count: 60, intervalMs: 0 }),
    loss: await flood(path, traffic, { lossPercent: 10 }, { count: 1000, intervalMs: 2 }),
    groupLoss: await flood(...([path, traffic, { rttMs: 10, lossPercent: 10 }] as const), {
      count: 1500,
      intervalMs: 20,
      segments: 10,
    }),
    burstLoss: await flood(
      ...([path, traffic, { burstLoss: { enterPercent: 2, leavePercent: 25 } }] as const),
      { count: 3000, intervalMs: 2 },
    ),
  }));
}

async function download(path: Path, traffic: Traffic) {
  const { bytes, times, rttMs, downKbps } = DOWNLOAD;
  await path.apply({ ...NOTHING, rttMs, downKbps });
  const downloadMs: number[] = [];
  while (downloadMs.length < times) downloadMs.push(await traffic.downloadMs(bytes));
  return { downloadMs, downloadCounts: await path.count() };
}

async function flood(
  path: Path,
  traffic: Traffic,
  settings: Partial<NetworkCondition>,
  { count, intervalMs, segments = 1 }: { count: number; intervalMs: number; segments?: number },
): Promise<Flood> {
  await path.apply({ ...NOTHING, ...settings });
  await traffic.flood({ count, intervalMs, segments });
  await everythingArrived(path);
  return { sent: count, arrived: await traffic.arrived(), counts: await path.count() };
}

/** Waits until no more packets come out of the path. */
async function everythingArrived(path: Path): Promise<void> {
  let before = -1;
  for (;;) {
    await sleep(300);
    const { packets } = (await path.count()).toServer;
    if (packets === before) return;
    before = packets;
  }
}

const options = { ...PATH, python };
const measurements: Measurements = {
  kernel: os.release(),
  netem: await withNetemPath(options, measurePath),
  userspace: await withUserspacePath(options, measurePath),
  ordinaryUser: await calibrateAsOrdinaryUser(),
};
console.log(JSON.stringify(measurements));
