import { type AnsweringProgram, startAnswering } from '../../clients/answering-program.ts';
import { bun } from '../../clients/bun/client.ts';
import { type AskedExchange, BUN_EXCHANGE, type ExchangeMade } from '../../clients/bun/exchange.ts';
import { clientCommand } from '../../clients/index.ts';
import { startWatch } from '../../interference/watch.ts';
import { congestionControlOf } from '../../records/congestion-control.ts';
import type { Trial } from '../../records/run.ts';
import type { SocketDetails, SocketEvent } from '../../records/socket-events.ts';
import { NetworkError } from '../../system/errors.ts';
import { stopwatch } from '../../system/stopwatch.ts';
import { type Attempt, type Bench, type Measuring, NOTHING_SEEN, serverOf } from '../measuring.ts';
import { capturesPackets, writePackets } from '../packets.ts';
import { durationsOf } from './durations.ts';
import { sockets } from './experiment.ts';
import { type Teller, tellerOf } from './teller.ts';

/** How long the server of an exchange that failed may take to tell its side. */
const FAILED_TELLS_MS = 500;

type Program = AnsweringProgram<AskedExchange, ExchangeMade>;

/** How messages are exchanged: by a program that is kept for each arm, so that its own start is in none of them. */
export const measuring: Measuring = {
  open(bench) {
    const programs = new Map<string, Program>();
    const tellers = new Map(
      bench.servers.map((server) => [server.stack.stack, tellerOf(server)] as const),
    );
    const programOf = (arm: string) => {
      const found =
        programs.get(arm) ??
        startAnswering([
          ...bench.enter,
          ...clientCommand({ ...bun, program: BUN_EXCHANGE }, bench.programs.bun),
        ]);
      programs.set(arm, found);
      return found;
    };
    return {
      isWorn: false,
      prepare: async (trial) => trial,
      settling: async () => {},
      measure: (trial) => {
        const { arm } = trial as Trial;
        return measure(trial as Trial, programOf(arm), tellers.get(arm), bench);
      },
      dispose: async () => {},
      async close() {
        for (const teller of tellers.values()) teller.close();
        await Promise.all([...programs.values()].map((each) => each.close()));
        programs.clear();
      },
    };
  },
};

async function measure(
  trial: Trial,
  program: Program,
  teller: Teller | undefined,
  bench: Bench,
): Promise<Attempt> {
  const { path, timeoutS, choices, signal } = bench;
  const server = serverOf(trial.arm, bench.servers);
  const { protocol } = server.stack;
  const { hostname: host } = new URL(bench.url);
  const { messageBytes, messages } = choices.sockets ?? ONE_MESSAGE;
  const startedAt = new Date();
  const step = stopwatch();
  const captures = capturesPackets(choices, trial);
  try {
    await path.apply({ ...trial.network, seed: trial.networkSeed }, { captures });
    const watch = startWatch({ serverPid: server.pid, clientPid: program.pid });
    const timeoutMs = timeoutS * 1000;
    const address = server.origins[host] ?? '';
    const { events, error, keyLog } = await program.ask({
      protocol,
      host,
      address,
      messageBytes,
      messages,
      keyExchange: choices.keyExchange,
      congestionControl: congestionControlOf(server.stack, choices),
      timeoutMs,
    });
    const askedMs = events.find(({ event }) => event === 'asked')?.atMs ?? Number.NaN;
    const limitMs = error === null ? timeoutMs : FAILED_TELLS_MS;
    const told = (await teller?.told(askedMs, { limitMs, signal })) ?? null;
    signal?.throwIfAborted();
    const details: SocketDetails = {
      messageBytes,
      messages,
      client: sinceAsked(events, askedMs),
      server: told && sinceAsked(told, askedMs),
      error,
    };
    const seen = {
      client: null,
      machine: watch.end(),
      path: await path.count(),
      connections: await path.connections(),
      details,
      stepsMs: { exchange: step() },
      startedAt,
    };
    const { files, message } = await writePackets(trial, sockets, async () => keyLog, bench);
    const metrics = { ...durationsOf(protocol, details) };
    if (error !== null) {
      const isConnected = events.some(({ event }) => event === 'sent');
      const code = isConnected ? 'exchange-failed' : 'handshake-failed';
      return { ...failed(code, error), ...seen, files };
    }
    if (told === null) return { ...failed('exchange-failed', NOT_TOLD), ...seen, files };
    if (message !== null) return { ...failed('packets-failed', message), ...seen, files };
    return { outcome: 'ok', code: null, message: null, metrics, ...seen, files };
  } catch (error) {
    signal?.throwIfAborted();
    const code = error instanceof NetworkError ? 'network-failed' : 'client-failed';
    return { ...failed(code, (error as Error).message), ...NOTHING_SEEN, startedAt };
  }
}

/** Of runs whose plan says nothing about it. */
const ONE_MESSAGE = { messageBytes: 46, messages: 1 };

const NOT_TOLD = 'The client closed the connection, and the server did not within the time limit.';

function sinceAsked(events: readonly SocketEvent[], askedMs: number): SocketEvent[] {
  return events.map((each) => ({ ...each, atMs: each.atMs - askedMs }));
}

function failed(code: string, message: string) {
  return { outcome: 'failed' as const, code, message, metrics: {} };
}
