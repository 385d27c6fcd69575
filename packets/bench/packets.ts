import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, readdirSync, readFileSync, statSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { runFolder } from '../../ground/records/run-folder.ts';
import { projectFolder } from '../../ground/system/folders.mjs';
import { withTemporaryFolder } from '../../ground/system/temporary-folder.ts';
import { readOptions } from '../../runner/bench/harness/options.ts';
import { printRow } from '../../runner/bench/harness/table.ts';

const LATEST = path.join(projectFolder, 'results', 'latest');
const PROGRAM = path.join(projectFolder, 'bin', 'quic-vs-https.ts');
const POLL_INTERVAL_MS = 100;

const values = readOptions(
  'Measures npm run packets on a capture that is repeated to these sizes in MB.',
  { capture: { type: 'string' }, mb: { type: 'string', default: '3,30,100' } },
);
const sizesMb = values.mb.split(',').map(Number);
if (!sizesMb.every((mb) => mb > 0)) {
  throw new Error(`--mb ${values.mb}: expected numbers above 0, separated by commas`);
}
const capture = values.capture ?? largestOfLatest();

console.log(`npm run packets on ${capture}, repeated with other addresses and times\n`);
printRow(['MB', 'packets', 'wall s', 's per MB', 'peak MB', 'tshark MB', 'by MB of file']);
for (const mb of sizesMb) await measure(mb);

async function measure(mb: number): Promise<void> {
  await withTemporaryFolder('logs', async (folder) => {
    const file = path.join(folder, 'repeated.pcapng');
    const packets = await writeRepeated(capture, file, mb * 1e6);
    const fileMb = (await stat(file)).size / 1e6;
    const { wallS, peakMb, tsharkPeakMb } = await read(file);
    printRow([
      fileMb.toFixed(1),
      packets.toLocaleString('en'),
      wallS.toFixed(1),
      (wallS / fileMb).toFixed(2),
      peakMb.toFixed(0),
      tsharkPeakMb.toFixed(0),
      (tsharkPeakMb / fileMb).toFixed(2),
    ]);
  });
}

async function read(file: string) {
  const startedMs = performance.now();
  const child = spawn(process.execPath, [PROGRAM, 'packets', file], { stdio: 'ignore' });
  const ended = Promise.withResolvers<number | null>();
  child.once('close', ended.resolve);
  let [peakMb, tsharkPeakMb] = [0, 0];
  const timer = setInterval(() => {
    peakMb = Math.max(peakMb, peakOf(child.pid));
    for (const pid of childrenOf(child.pid)) tsharkPeakMb = Math.max(tsharkPeakMb, peakOf(pid));
  }, POLL_INTERVAL_MS);
  const status = await ended.promise;
  clearInterval(timer);
  if (status !== 0) throw new Error(`npm run packets -- ${file} ended with status ${status}`);
  return { wallS: (performance.now() - startedMs) / 1000, peakMb, tsharkPeakMb };
}

function childrenOf(pid: number | undefined): number[] {
  const children = textOf(`/proc/${pid}/task/${pid}/children`);
  return children.split(' ').filter(Boolean).map(Number);
}

/** Maximum memory of a process so far, in bytes. */
function peakOf(pid: number | undefined): number {
  return Number(/VmHWM:\s+(\d+)/.exec(textOf(`/proc/${pid}/status`))?.[1] ?? 0) / 1000;
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return ''; // It has ended.
  }
}

function largestOfLatest(): string {
  const { packets } = runFolder(LATEST);
  const files = readdirSync(packets).map((name) => path.join(packets, name));
  const largest = files.toSorted((a, b) => statSync(b).size - statSync(a).size)[0];
  if (largest === undefined)
    throw new Error(`${packets} has no captures: npm run benchmark -- --packets all`);
  return largest;
}

const INTERFACE_BLOCK = 1;
const PACKET_BLOCK = 6;
const ETHERNET = 1;
const ETHERNET_BYTES = 14;
/** Number of values of an address's first byte; more repetitions also change the second. */
const NETWORKS = 220;

/**
 * Repeats the IPv4 packets of a pcapng file, each time later and between other addresses: as new connections.
 * @returns the number of packets written
 * @throws Error if the file is no pcapng, or has no packets
 */
async function writeRepeated(from: string, to: string, maxBytes: number): Promise<number> {
  const blocks = blocksOf(await readFile(from));
  const packets = blocks.filter((block) => block.readUInt32LE(0) === PACKET_BLOCK);
  const [first, last] = [packets[0], packets.at(-1)];
  if (!first || !last) throw new Error(`${from}: expected a pcapng file with packets`);
  const link = blocks.find((block) => block.readUInt32LE(0) === INTERFACE_BLOCK)?.readUInt16LE(8);
  const ipAt = 28 + (link === ETHERNET ? ETHERNET_BYTES : 0);
  const turn = timeOf(last) - timeOf(first) + 1n;
  const file = createWriteStream(to);
  const write = async (bytes: Buffer) => {
    if (!file.write(bytes)) await once(file, 'drain');
  };
  await write(Buffer.concat(blocks.slice(0, blocks.indexOf(first))));
  let written = 0;
  for (let round = 0; file.bytesWritten < maxBytes; round++) {
    await write(Buffer.concat(packets.map((each) => later(each, round, turn, ipAt))));
    written += packets.length;
  }
  file.end();
  await once(file, 'close');
  return written;
}

function blocksOf(file: Buffer): Buffer[] {
  const blocks: Buffer[] = [];
  for (let at = 0; at + 12 <= file.length; ) {
    const end = at + Math.max(12, file.readUInt32LE(at + 4));
    blocks.push(file.subarray(at, end));
    at = end;
  }
  return blocks;
}

function timeOf(packet: Buffer): bigint {
  return (BigInt(packet.readUInt32LE(12)) << 32n) | BigInt(packet.readUInt32LE(16));
}

function later(packet: Buffer, round: number, turn: bigint, ipAt: number): Buffer {
  const copy = Buffer.from(packet);
  const time = timeOf(packet) + BigInt(round) * turn;
  copy.writeUInt32LE(Number(time >> 32n), 12);
  copy.writeUInt32LE(Number(time & 0xffff_ffffn), 16);
  for (const at of [ipAt + 12, ipAt + 16]) {
    copy[at] = 1 + (round % NETWORKS);
    copy[at + 1] = ((copy[at + 1] as number) + Math.floor(round / NETWORKS)) & 0xff;
  }
  return copy;
}
