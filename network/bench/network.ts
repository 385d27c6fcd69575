import { availableParallelism, release } from 'node:os';
import { loadText } from '../../runner/bench/harness/table.ts';
import { readMachine } from '../../runner/machine.ts';
import { withPathAgent } from '../agent.ts';
import { netemAvailable } from '../netem/available.ts';
import { withNetemPath } from '../netem/backend.ts';
import type { Path, PathOptions } from '../path.ts';
import { withUserspacePath } from '../userspace/backend.ts';
import { type PacketRate, PathFigures, type RttError, type Throughput } from './network/figures.ts';

const RTTS_MS = [0, 10, 30, 100];
const RATES_MBPS = [null, 10, 100, 200];
/** QUIC packets of 1242 bytes. */
const PACKETS_PER_S_AT_200_MBPS = 20_129;

const { python, chromium } = readMachine();
const options: PathOptions = { python, hosts: 1, congestionControl: 'cubic', initcwnd: null };

progress(`Measuring takes about two minutes per backend. Run nothing else meanwhile.`);
console.log(
  `Linux ${release()}, ${availableParallelism()} processors, load ${loadText()} at the start`,
);
await withUserspacePath(options, measure);
const available = await withPathAgent({ python, namespaces: ['client'] }, netemAvailable);
if (available === true) await withNetemPath(options, measure);
else console.log(`\nnetem: not measured, ${available}`);
console.log(`\nload ${loadText()} at the end`);

async function measure(path: Path): Promise<void> {
  const figures = new PathFigures(path, python);
  const priority = path.backend === 'userspace' ? `, priority ${path.agent.realtime}` : '';
  console.log(`\n${path.backend}${priority}`);

  progress(`${path.backend}: round trips`);
  printRttErrors('idle', await rttErrors(figures));
  printRttErrors(
    'Chromium at work',
    await figures.whileChromiumWorks(chromium, () => rttErrors(figures)),
  );

  progress(`${path.backend}: throughput`);
  const throughputs: Throughput[] = [];
  for (const rateMbps of RATES_MBPS) {
    throughputs.push(await figures.tcpThroughput(rateMbps));
    throughputs.push(await figures.udpThroughput(rateMbps));
  }
  printThroughputs(throughputs);

  progress(`${path.backend}: loss`);
  const { sent, lost } = await figures.loss();
  console.log(
    `\n  loss set to 1 %: ${lost} of ${sent} packets, ${((lost / sent) * 100).toFixed(2)} %`,
  );
  console.log(`  dropped by the devices themselves: ${await figures.droppedByDevices()}`);

  progress(`${path.backend}: packets a second`);
  // Last, because the devices drop the excess.
  printCarried(await figures.carried(PACKETS_PER_S_AT_200_MBPS), await figures.mostCarried());
}

async function rttErrors(figures: PathFigures): Promise<RttError[]> {
  const errors: RttError[] = [];
  for (const rttMs of RTTS_MS) errors.push(await figures.rttError(rttMs));
  return errors;
}

function printRttErrors(when: string, errors: readonly RttError[]): void {
  const rows = errors.map(({ rttMs, meanMs, medianMs, p99Ms, lostProbes }) => [
    `${rttMs}`,
    ...[meanMs, medianMs, p99Ms].map((ms) => ms.toFixed(3)),
    `${lostProbes}`,
  ]);
  console.log(`\n  RTT error in ms, ${when} (each the median of three rounds of 100 UDP probes)`);
  printTable([['added', 'mean', 'median', 'p99', 'lost'], ...rows]);
}

function printThroughputs(throughputs: readonly Throughput[]): void {
  const rows = throughputs.map(({ kind, rateMbps, mbps, processorPercent }) => [
    kind,
    rateMbps === null ? 'none' : `${rateMbps}`,
    mbps.toFixed(1),
    processorPercent === null ? '-' : `${processorPercent.toFixed(0)} %`,
  ]);
  console.log(
    '\n  towards the client in Mbit/s (TCP: payload, UDP: packets with Ethernet header), CPU of the link',
  );
  printTable([['kind', 'limit', 'reached', 'CPU'], ...rows]);
}

function printCarried(...floods: readonly (PacketRate | null)[]): void {
  console.log(
    '\n  packets of 1242 bytes in groups of ten, delayed by 15 ms, none lost; CPU of the link',
  );
  const rows = floods.map((carried) =>
    carried === null
      ? ['lost some']
      : [
          carried.packetsPerS.toFixed(0),
          carried.mbps.toFixed(0),
          carried.processorPercent === null ? '-' : `${carried.processorPercent.toFixed(0)} %`,
        ],
  );
  printTable([['a second', 'Mbit/s', 'CPU'], ...rows]);
}

function printTable(rows: readonly string[][]): void {
  for (const row of rows) console.log(`  ${row.map((cell) => cell.padStart(9)).join('')}`);
}

function progress(text: string): void {
  process.stderr.write(`${text}\n`);
}
