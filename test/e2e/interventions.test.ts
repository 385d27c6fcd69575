import assert from 'node:assert/strict';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { startChild } from '../../ground/system/child-process.ts';
import { addressOfHost } from '../../network/addresses.ts';
import type { Interventions } from '../../network/agent.ts';
import type { Path } from '../../network/path.ts';
import { captureOf } from './path-capture.ts';
import { PYTHON, pathTest, settle, UNCHANGED } from './userspace-path.ts';

const SERVER = addressOfHost(0);
/** A busy machine stands still for 100 ms at times. */
const RTT_MS = 400;
const CONDITION = { ...UNCHANGED, rttMs: RTT_MS };
const PROGRAM = path.join(import.meta.dirname, 'clients', 'set-ups.py');

type Client = <T>(name: 'exchange' | 'flight', ...numbers: number[]) => Promise<T>;

/** Provides a client of the server program, whose ports are the numbers 0 and 1. */
async function withServer(
  { agent }: Path,
  use: (run: Client, ports: readonly [udp: number, tcp: number]) => Promise<void>,
): Promise<void> {
  const [command = '', ...args] = agent.enter('server');
  const server = startChild(command, [...args, PYTHON, PROGRAM, 'serve', SERVER]);
  try {
    assert.ok(server.process.stdout);
    const lines = createInterface(server.process.stdout)[Symbol.asyncIterator]();
    const ports = JSON.parse(String((await lines.next()).value));
    const run: Client = async (name, ...numbers) => {
      const words = [PYTHON, PROGRAM, name, SERVER, ...numbers.map(String)];
      return JSON.parse(await agent.run('client', words));
    };
    await use(run, ports);
  } finally {
    await server.stop(1000);
  }
}

/** Complete round trips in a time, for which a busy machine is late by less than one. */
function roundTripsIn(ms: number): number {
  return Math.floor((ms + 2) / RTT_MS);
}

pathTest('sets up TCP in a round trip less or more, and UDP in one more', async (made) => {
  await withServer(made, async (run, ports) => {
    for (const [handshake, ...roundTrips] of [
      [undefined, 1, 1, 2],
      ['one round trip less', 1, 1, 1],
      ['one round trip more', 2, 1, 3],
    ] as const) {
      await made.apply(CONDITION, { captures: true, ...(handshake && { handshake }) });
      const tookMs = await run<number[]>('exchange', ...ports);
      const rounded = tookMs.map(roundTripsIn);
      assert.deepEqual(rounded, roundTrips, `${handshake}: ${tookMs} ms`);
      await settle(made);
      const { toServer, toClient } = await made.count();
      const { packets } = await captureOf(made);
      assert.equal(packets.length, toServer.packets + toClient.packets);
      assert.ok(packets.every(({ comments }) => comments.length === 0));
    }
  });
});

/** Packets of each round trip of a flight of 60. */
async function flightOf(made: Path, interventions: Interventions): Promise<number[]> {
  const packets: number[] = [];
  await withServer(made, async (run, [port]) => {
    await made.apply(CONDITION, interventions);
    for (const ms of await run<number[]>('flight', port, 60, 1252)) {
      const roundTrip = roundTripsIn(ms);
      packets[roundTrip] = (packets[roundTrip] ?? 0) + 1;
    }
    const { toClient } = await made.count();
    assert.deepEqual([toClient.packets, toClient.queueDrops, toClient.lost], [60, 0, 0]);
  });
  return packets;
}

pathTest('cuts a flight to a counted window that doubles each round trip', async (made) => {
  assert.deepEqual(await flightOf(made, {}), [60]);
  assert.deepEqual(await flightOf(made, { countedWindowBytes: 5 * 1252 }), [5, 10, 20, 25]);
});
