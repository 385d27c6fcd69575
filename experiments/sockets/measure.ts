import { type AnsweringProgram, startAnswering } from '../../clients/answering-program.ts';
import { bun } from '../../clients/bun/client.ts';
import { type AskedExchange, BUN_EXCHANGE, type ExchangeMade } from '../../clients/bun/exchange.ts';
import { clientCommand } from '../../clients/index.ts';
import { startWatch } from '../../ground/host/watch.ts';
import { congestionControlOf } from '../../ground/records/congestion-control.ts';
import { ownChoices } from '../../ground/records/own-choices.ts';
import type { Trial } from '../../ground/records/run.ts';
import type { SocketDetails, SocketEvent } from '../../ground/records/socket-events.ts';
import { stopwatch } from '../../ground/system/stopwatch.ts';
import { failed } from '../checks.ts';
import { KeptPrograms } from '../kept-programs.ts';
import { type Attempt, type Bench, type Measuring, NOTHING_SEEN, serverOf } from '../measuring.ts';
import { writePackets } from '../packets.ts';
import { applyPath, clientFailure, counted, observe } from '../trial.ts';
import { judgeExchange } from './checks.ts';
import { durationsOf } from './durations.ts';
import { sockets } from './experiment.ts';
import { MESSAGE_CHOICES } from './options.ts';
import { type Teller, tellerOf } from './teller.ts';

/** How long the server of an exchange that failed may take to tell its side. */
const FAILED_TELLS_MS = 500;

type Program = AnsweringProgram<AskedExchange, ExchangeMade>;

/** How messages are exchanged: by a program that is kept for each arm, so that its own start is in none of them. */
export const measuring: Measuring = {
  open(bench) {
    const programs = new KeptPrograms<Program>();
    const tellers = new Map(
      bench.servers.map((server) => [server.stack.stack, tellerOf(server)] as const),
    );
    return {
      isWorn: false,
      prepare: async (trial) => trial,
      settling: async () => {},
      measure: (trial) =>
        measure(trial as Trial, programs, tellers.get((trial as Trial).arm), bench),
      dispose: async () => {},
      async close() {
        for (const teller of tellers.values()) teller.close();
        await programs.close();
      },
    };
  },
};

async function measure(
  trial: Trial,
  programs: KeptPrograms<Program>,
  teller: Teller | undefined,
  bench: Bench,
): Promise<Attempt> {
  const { path, timeoutS, choices, signal } = bench;
  const server = serverOf(trial.arm, bench.servers);
  const { protocol } = server.stack;
  const { hostname: host } = new URL(bench.url);
  const { messageBytes, messages } = ownChoices(bench, MESSAGE_CHOICES) ?? ONE_MESSAGE;
  const startedAt = new Date();
  try {
    const program = await programs.of(trial.arm, () =>
      startAnswering(clientCommand({ ...bun, program: BUN_EXCHANGE }, bench.programs.bun), {
        enter: bench.enter,
      }),
    );
    const step = stopwatch();
    await applyPath(trial, bench);
    const { acted, machine, time } = await observe(
      () => startWatch({ serverPid: server.pid, clientPid: program.pid }),
      async () => {
        const timeoutMs = timeoutS * 1000;
        const made = await program.ask({
          protocol,
          host,
          address: server.origins[host] ?? '',
          messageBytes,
          messages,
          keyExchange: choices.keyExchange,
          congestionControl: congestionControlOf(server.stack, choices),
          timeoutMs,
        });
        const askedMs = made.events.find(({ event }) => event === 'asked')?.atMs ?? Number.NaN;
        const limitMs = made.error === null ? timeoutMs : FAILED_TELLS_MS;
        const told = (await teller?.told(askedMs, { limitMs, signal })) ?? null;
        return { made, askedMs, told };
      },
    );
    signal?.throwIfAborted();
    const { path: counts, connections } = await counted(path);
    const details: SocketDetails = {
      messageBytes,
      messages,
      client: sinceAsked(acted.made.events, acted.askedMs),
      server: acted.told && sinceAsked(acted.told, acted.askedMs),
      error: acted.made.error,
    };
    const stepsMs = { exchange: step() };
    const packets = await writePackets(trial, sockets, async () => acted.made.keyLog, bench);
    const judgement = judgeExchange({ time, path: counts, details, packets }, trial);
    return {
      ...judgement,
      metrics: judgement.outcome === 'failed' ? {} : { ...durationsOf(protocol, details) },
      client: null,
      machine,
      path: counts,
      connections,
      details,
      files: packets.files,
      stepsMs,
      startedAt,
    };
  } catch (error) {
    await programs.forget(trial.arm);
    return { ...failed(clientFailure(error as Error, bench)), ...NOTHING_SEEN, startedAt };
  }
}

/** Of runs whose plan says nothing about it. */
const ONE_MESSAGE = { messageBytes: 46, messages: 1 };

function sinceAsked(events: readonly SocketEvent[], askedMs: number): SocketEvent[] {
  return events.map((each) => ({ ...each, atMs: each.atMs - askedMs }));
}
