import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Calibration } from '../../../ground/records/calibration.ts';
import type { PathCounts } from '../../../ground/records/network.ts';
import { calibrate, type Measurement } from '../../../network/calibration/calibrate.ts';
import type { SeededCondition } from '../../../network/conditions.ts';
import { withNetemPath } from '../../../network/netem/backend.ts';
import type { Path } from '../../../network/path.ts';
import { withUserspacePath } from '../../../network/userspace/backend.ts';
import { readMachine } from '../../../runner/machine.ts';
import { readCapture } from '../../pcapng.ts';
import { calibrateAsOrdinaryUser } from './ordinary-user.ts';
import { AS_LOOPBACK, DELAYED, DOWNLOAD, LIMITED, NOTHING, PATH, TREATMENTS } from './settings.ts';
import { type Datagrams, type Traffic, withTraffic } from './traffic.ts';

/** Measurements in the guest; printed as one line of JSON. */
export interface Measurements {
  kernel: string;
  netem: PathMeasurements;
  userspace: PathMeasurements;
  /** netem with 20 ms of RTT, made by an ordinary user. */
  ordinaryUser: Calibration;
}

/** Measurements on the path of one backend. */
export interface PathMeasurements {
  /** Nothing added, and 20 ms of RTT, before everything else and after it: a busy moment spoils one of them only. */
  bare: Calibration[];
  delayed: Calibration[];
  /** 20 ms of RTT, 2 Mbit/s towards the client. */
  limited: Calibration;
  /** 20 ms of RTT, 5 ms of jitter. */
  jittery: Calibration;
  /** The same as limited, where packets may be as long as those of loopback. */
  longLimited: Calibration;
  /** 20 ms of RTT, and a UDP treatment; counted is the traffic of its measurement. */
  treated: {
    udp: NonNullable<Measurement['udp']>;
    counts: PathCounts;
  }[];
  /** Duration of DOWNLOAD, over TCP. */
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

/** Datagrams sent to the server, those that arrived, and the path's counts. */
export interface Flood {
  sent: number;
  arrived: number[];
  counts: PathCounts;
  /** Captured packets towards the server: without a comment, their bytes, and with one. */
  captured: { packets: number; bytes: number; commented: number };
}

const { python } = readMachine();

async function measureLongPackets(path: Path): Promise<Calibration> {
  await path.apply(LIMITED);
  return calibrate(path, LIMITED, python);
}

async function measurePath(path: Path): Promise<Omit<PathMeasurements, 'longLimited'>> {
  const calibrated = async (settings: Partial<SeededCondition>) => {
    const condition = { ...NOTHING, ...settings };
    await path.apply(condition);
    return calibrate(path, condition, python);
  };
  const bare = [await calibrated({})];
  const delayed = [await calibrated(DELAYED)];
  const traffic = await withTraffic(path.agent, python, (ends) => measureTraffic(path, ends));
  const limited = await calibrated(LIMITED);
  const treated: PathMeasurements['treated'] = [];
  for (const treatment of TREATMENTS) {
    const { udp } = await calibrated({ ...DELAYED, udp: treatment });
    if (udp === null) throw new Error('nobody looked at UDP');
    treated.push({ udp, counts: await path.count() });
  }
  const jittery = await calibrated({ ...DELAYED, jitterMs: 5 });
  bare.push(await calibrated({}));
  delayed.push(await calibrated(DELAYED));
  return { bare, delayed, limited, treated, jittery, ...traffic };
}

async function measureTraffic(path: Path, traffic: Traffic) {
  const send = (settings: Partial<SeededCondition>, datagrams: Datagrams) =>
    flood(path, traffic, { ...NOTHING, ...settings }, datagrams);
  const burstLoss = { enterPercent: 2, leavePercent: 25 };
  return {
    ...(await download(path, traffic)),
    overload: await send({ upKbps: 2000 }, { count: 60, intervalMs: 0, segments: 1 }),
    loss: await send({ lossPercent: 10 }, { count: 1000, intervalMs: 2, segments: 1 }),
    groupLoss: await send({ lossPercent: 10 }, { count: 1500, intervalMs: 20, segments: 10 }),
    burstLoss: await send({ burstLoss }, { count: 3000, intervalMs: 2, segments: 1 }),
  };
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
  condition: SeededCondition,
  datagrams: Datagrams,
): Promise<Flood> {
  await path.apply(condition, { captures: true });
  await traffic.flood(datagrams);
  await everythingArrived(path);
  const counts = await path.count();
  const captured = await capturedBy(path);
  return { sent: datagrams.count, arrived: await traffic.arrived(), counts, captured };
}

async function capturedBy(path: Path): Promise<Flood['captured']> {
  const folder = await mkdtemp(join(os.tmpdir(), 'capture-'));
  const file = join(folder, 'packets.pcapng');
  await path.writeCapture(file);
  const packets = readCapture(await readFile(file)).packets.filter(({ outbound }) => outbound);
  await rm(folder, { recursive: true });
  const [plain = [], commented = []] = [0, 1].map((count) =>
    packets.filter(({ comments }) => comments.length === count),
  );
  const bytes = plain.reduce((sum, { frame }) => sum + frame.length, 0);
  return { packets: plain.length, bytes, commented: commented.length };
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

async function measureBackend(
  withPath: typeof withNetemPath | typeof withUserspacePath,
): Promise<PathMeasurements> {
  const options = { ...PATH, python };
  return {
    ...(await withPath(options, measurePath)),
    longLimited: await withPath({ ...options, ...AS_LOOPBACK }, measureLongPackets),
  };
}

const measurements: Measurements = {
  kernel: os.release(),
  netem: await measureBackend(withNetemPath),
  userspace: await measureBackend(withUserspacePath),
  ordinaryUser: await calibrateAsOrdinaryUser(),
};
console.log(JSON.stringify(measurements));
