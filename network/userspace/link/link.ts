import { readSync, writeSync } from 'node:fs';
import type { Interventions, LinkDirection, LinkEvent } from '../../agent.ts';
import { beginDirection, countsOf, DIRECTIONS } from './directions.ts';
import { beginEvent, eventCountsOf } from './event.ts';
import { beginInterventions } from './interventions.ts';
import { compileLink } from './native.ts';

/*
 * The user-space link, run by Bun, which compiles its parts in C. agent/carrier.py starts it with open files: two TUN
 * devices, memory for samples and captured packets, and the control socket. It sends {"status":0} first,
 * and answers requests, one line of JSON each:
 *
 *   {"set":{"toServer":...,"toClient":...,"keepsConnections":false,"everything":false,"captures":false}}
 *   {"count":true}       {"status":0,"toServer":{...},"toClient":{...},"event":{...},"processorMs":3}
 *   {"captured":true}    {"status":0,"earlier":0,"counted":1504,"end":1504,"missed":0}       places in the memory, in bytes
 *   {"sampled":true}     {"status":0,"beganMs":81723.4,"steps":120}
 *
 * or {"gone":"..."} when one of the devices was deleted. It ends when the control socket does.
 */

interface LinkOptions {
  client: number;
  server: number;
  control: number;
  samples: number;
  samplesBytes: number;
  capture: number;
  captureBytes: number;
  longestPacketBytes: number;
  mayLockMemory: boolean;
}

interface Load extends Interventions {
  toServer: LinkDirection;
  toClient: LinkDirection;
  event?: LinkEvent;
  keepsConnections: boolean;
  everything: boolean;
  captures: boolean;
}

const options = JSON.parse(process.argv[2] ?? '') as LinkOptions;
const native = compileLink();
let processorBeforeNs = 0;

/** The link's clock. From 104 days on C returns a BigInt; the error of 2 ns in a number does not matter. */
function nowNs(): number {
  return Number(native.now_ns());
}

function processorNs(): number {
  return Number(native.processor_ns());
}

function begin(load: Load): void {
  const { keepsConnections, everything, captures, event } = load;
  processorBeforeNs = processorNs();
  native.begin_rests();
  native.begin_ports(Number(keepsConnections), Number(everything));
  beginEvent(native, event, keepsConnections);
  beginInterventions(native, load);
  native.begin_capture(Number(keepsConnections));
  const beginning = { nowNs: nowNs(), keepsConnections, captures };
  for (const name of DIRECTIONS) beginDirection(native, name, load[name], beginning);
}

function countAll() {
  native.count_capture();
  native.keep_on_the_way(DIRECTIONS.indexOf('toServer'));
  native.end_capture();
  const atNs = nowNs();
  return {
    toServer: countsOf(native, 'toServer', atNs),
    toClient: countsOf(native, 'toClient', atNs),
    event: eventCountsOf(native, atNs),
    processorMs: (processorNs() - processorBeforeNs) / 1e6,
  };
}

function captured() {
  const places = new BigInt64Array(4);
  native.capture_places(places);
  const [earlier, counted, end, missed] = Array.from(places, Number);
  return { earlier, counted, end, missed };
}

function sampled() {
  // Counting updates the samples.
  for (const name of DIRECTIONS) countsOf(native, name, nowNs());
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
  else if (request.count) return { status: 0, ...countAll() };
  else if (request.captured) return { status: 0, ...captured() };
  else return { status: 0, ...sampled() };
  return { status: 0 };
}

function send(message: object): void {
  writeSync(options.control, `${JSON.stringify(message)}\n`);
}

function memoryOf(file: number, bytes: number): number {
  const memory = native.memory_of(file, bytes);
  if (!memory) throw new Error(`${bytes} bytes of memory cannot be shared`);
  return memory;
}

if (options.mayLockMemory) native.lock_memory();
native.sample_in(memoryOf(options.samples, options.samplesBytes));
native.keep_packets_in(memoryOf(options.capture, options.captureBytes), options.captureBytes);
for (const number of DIRECTIONS.keys()) native.begin_direction(number, nowNs(), 0, 0, 0);
native.open_link(options.client, options.server, options.control, options.longestPacketBytes);
// The first call of a function is the slowest: make it before packets wait.
answer({ count: true });
send({ status: 0 });

const received = Buffer.alloc(64 * 1024);
let requests = '';
for (;;) {
  // No JavaScript runs, not even garbage collection, until a request arrives.
  native.carry();
  const bytes = readSync(options.control, received);
  if (bytes === 0) break;
  requests += received.toString('utf8', 0, bytes);
  const lines = requests.split('\n');
  requests = lines.pop() ?? '';
  for (const line of lines) send(answer(JSON.parse(line)));
}
