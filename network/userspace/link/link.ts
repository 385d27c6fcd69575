import { readSync, writeSync } from 'node:fs';
import type { LinkDirection } from '../../agent.ts';
import { compileLink } from './native.ts';

/*
 * The user-space link, run by Bun, which compiles its parts in C. It is started by agent/carrier.py with open files: two TUN
 * devices, memory for samples and captured packets, and the control socket. On that it says {"status":0,"realtime":...} first,
 * and answers, one line of JSON each:
 *
 *   {"set":{"toServer":...,"toClient":...,"keepsConnections":false,"captures":false}}
 *   {"count":true}       {"status":0,"toServer":{...},"toClient":{...},"processorMs":3}
 *   {"captured":true}    {"status":0,"earlier":0,"counted":1504,"end":1504,"missed":0}       places in the memory, in bytes
 *   {"sampled":true}     {"status":0,"beganMs":81723.4,"steps":120}
 *
 * or {"gone":"..."} when one of the devices was deleted. It ends when the control socket does.
 */

interface Opened {
  client: number;
  server: number;
  control: number;
  samples: number;
  samplesBytes: number;
  capture: number;
  captureBytes: number;
  longestPacketBytes: number;
  mayLockMemory: boolean;
  realtime: string;
}

interface Load {
  toServer: LinkDirection;
  toClient: LinkDirection;
  keepsConnections: boolean;
  captures: boolean;
}

const DIRECTIONS = ['toServer', 'toClient'] as const;

const opened = JSON.parse(process.argv[2] ?? '') as Opened;
const native = compileLink();
let processorBeforeNs = 0;

function begin({ keepsConnections, captures, ...directions }: Load): void {
  processorBeforeNs = native.processor_ns();
  const keeps = Number(keepsConnections);
  native.begin_ports(keeps);
  native.begin_capture(keeps);
  const nowNs = native.now_ns();
  for (const [number, name] of DIRECTIONS.entries()) {
    const { seed, delayMs, jitterMs, rateKbps, queueBytes, lossPercent, burstLoss, ...rest } =
      directions[name];
    native.begin_direction(number, nowNs, seed, keeps, Number(captures));
    native.set_delay(number, Math.round(delayMs * 1e6), Math.round(jitterMs * 1e6));
    native.set_rate(number, rateKbps === null ? 0 : 8e6 / rateKbps, Math.ceil(queueBytes));
    const { enterPercent, leavePercent } = burstLoss ?? { enterPercent: 0, leavePercent: 100 };
    native.set_loss(number, lossPercent / 100, enterPercent / 100, leavePercent / 100);
    const lost = Int32Array.from(rest.losesDataPackets ?? []);
    if (lost.length > 0) native.lose_data_packets(number, lost, lost.length);
  }
}

function counted() {
  native.count_capture();
  native.keep_on_the_way(DIRECTIONS.indexOf('toServer'));
  native.end_capture();
  const nowNs = native.now_ns();
  const counts = DIRECTIONS.map((_, number) => {
    const numbers = new BigInt64Array(5);
    native.count(number, nowNs, numbers);
    const [packets, bytes, lost, queueDrops, mostLateNs] = Array.from(numbers, Number);
    return { packets, bytes, lost, queueDrops, maxLatenessMs: (mostLateNs ?? 0) / 1e6 };
  });
  return {
    toServer: counts[0],
    toClient: counts[1],
    processorMs: (native.processor_ns() - processorBeforeNs) / 1e6,
  };
}

function captured() {
  const places = new BigInt64Array(4);
  native.capture_places(places);
  const [earlier, counted, end, missed] = Array.from(places, Number);
  return { earlier, counted, end, missed };
}

function sampled() {
  const nowNs = native.now_ns();
  for (const number of DIRECTIONS.keys()) native.count(number, nowNs, new BigInt64Array(5));
  const numbers = new BigInt64Array(2);
  native.sampled(numbers);
  return { beganMs: Number(numbers[0]) / 1e6, steps: Number(numbers[1]) };
}

function answer(request: { set?: Load; count?: true; captured?: true }): object {
  const gone = native.gone_end();
  if (gone >= 0) {
    return { gone: `the device at the ${['client', 'server'][gone]}'s end was deleted` };
  }
  if (request.set) begin(request.set);
  else if (request.count) return { status: 0, ...counted() };
  else if (request.captured) return { status: 0, ...captured() };
  else return { status: 0, ...sampled() };
  return { status: 0 };
}

function say(message: object): void {
  writeSync(opened.control, `${JSON.stringify(message)}\n`);
}

function memoryOf(file: number, bytes: number): number {
  const memory = native.memory_of(file, bytes);
  if (!memory) throw new Error(`${bytes} bytes of memory cannot be shared`);
  return memory;
}

if (opened.mayLockMemory) native.lock_memory();
native.sample_in(memoryOf(opened.samples, opened.samplesBytes));
native.keep_packets_in(memoryOf(opened.capture, opened.captureBytes), opened.captureBytes);
for (const number of DIRECTIONS.keys()) native.begin_direction(number, native.now_ns(), 0, 0, 0);
native.open_link(opened.client, opened.server, opened.control, opened.longestPacketBytes);
say({ status: 0, realtime: opened.realtime });

const received = Buffer.alloc(64 * 1024);
let requests = '';
for (;;) {
  // Nothing of JavaScript works, not even a collection of garbage, until something is asked.
  native.carry();
  const bytes = readSync(opened.control, received);
  if (bytes === 0) break;
  requests += received.toString('utf8', 0, bytes);
  const lines = requests.split('\n');
  requests = lines.pop() ?? '';
  for (const line of lines) say(answer(JSON.parse(line)));
}
