import { bun } from '../../clients/bun/client.ts';
import {
  BUN_EXCHANGE,
  type ExchangeRequest,
  type ExchangeResult,
} from '../../clients/bun/exchange.ts';
import { clientCommand } from '../../clients/index.ts';
import { type RequestProgram, startRequestProgram } from '../../clients/request-program.ts';
import { startMachineWatch } from '../../ground/host/machine-watch.ts';
import { congestionControlOf } from '../../ground/records/congestion-control.ts';
import { ownChoices } from '../../ground/records/own-choices.ts';
import type { Trial } from '../../ground/records/run.ts';
import type { SocketDetails, SocketEvent } from '../../ground/records/socket-events.ts';
import { startStopwatch } from '../../ground/system/stopwatch.ts';
import { KeptPrograms } from '../kept-programs.ts';
import { type Attempt, type Bench, clientFrom, type Measurer, serverOf } from '../measuring.ts';
import { writePackets } from '../packets.ts';
import { applyPath, countPath, makeAttempt } from '../trial.ts';
import { failureOf } from './checks.ts';
import { durationsOf } from './durations.ts';
import { sockets } from './experiment.ts';
import { MESSAGE_CHOICES } from './options.ts';
import { collectServerEvents, type ServerEvents } from './server-events.ts';

/** Timeout for the server's events of a failed exchange. */
const FAILED_REPORT_MS = 500;

type Program = RequestProgram<ExchangeRequest, ExchangeResult>;

/** Exchanges messages with a program that is kept for each arm, so that exchanges exclude its start. */
export const measuring: Measurer = {
  open(bench) {
    const programs = new KeptPrograms<Program>();
    const logs = new Map(
      bench.servers.map((server) => [server.stack.stack, collectServerEvents(server)] as const),
    );
    return clientFrom({
      measure: ({ trial }) => measure(trial, programs, logs.get(trial.arm), bench),
      async close() {
        for (const log of logs.values()) log.close();
        await programs.close();
      },
    });
  },
};

async function measure(
  planned: Trial,
  programs: KeptPrograms<Program>,
  serverEvents: ServerEvents | undefined,
  bench: Bench,
): Promise<Attempt> {
  const { path, timeoutS, choices, signal } = bench;
  const server = serverOf(planned.arm, bench.servers);
  const { protocol } = server.stack;
  const { hostname: host } = new URL(bench.url);
  const { messageBytes, messages } = ownChoices(bench, MESSAGE_CHOICES) ?? ONE_MESSAGE;
  const timeoutMs = timeoutS * 1000;
  return makeAttempt(planned, bench, {
    startedAt: new Date(),
    async begin() {
      const program = await programs.of(planned.arm, () =>
        startRequestProgram(clientCommand(bun, BUN_EXCHANGE, bench.programs.bun), {
          enter: bench.enter,
        }),
      );
      const step = startStopwatch();
      await applyPath(planned, bench);
      return {
        watch: () => startMachineWatch({ serverPid: server.pid, clientPid: program.pid }),
        async act() {
          const made = await program.request({
            protocol,
            host,
            address: server.origins[host] ?? '',
            messageBytes,
            messages,
            keyExchange: choices.keyExchange,
            congestionControl: congestionControlOf(server.stack, choices),
            timeoutMs,
          });
          const requestedMs =
            made.events.find(({ event }) => event === 'requested')?.atMs ?? Number.NaN;
          const limitMs = made.error === null ? timeoutMs : FAILED_REPORT_MS;
          const serverSide =
            (await serverEvents?.eventsSince(requestedMs, { limitMs, signal })) ?? null;
          return { made, requestedMs, serverSide };
        },
        async count({ made, requestedMs, serverSide }) {
          const details: SocketDetails = {
            messageBytes,
            messages,
            client: sinceRequest(made.events, requestedMs),
            server: serverSide && sinceRequest(serverSide, requestedMs),
            error: made.error,
          };
          return { ...(await countPath(path)), details, stepsMs: { exchange: step() } };
        },
      };
    },
    endedBy: (error) => programs.endedBy(planned.arm, error, bench),
    write: ({ made }) => writePackets(planned, sockets, async () => made.keyLog, bench),
    failure: ({ details }) => failureOf(details),
    checks: () => [],
    result: ({ details }, { judgement: { outcome } }) => ({
      metrics: outcome === 'failed' ? {} : { ...durationsOf(protocol, details) },
      details,
    }),
  });
}

/** Messages of plans without message choices. */
const ONE_MESSAGE = { messageBytes: 46, messages: 1 };

function sinceRequest(events: readonly SocketEvent[], requestedMs: number): SocketEvent[] {
  return events.map((each) => ({ ...each, atMs: each.atMs - requestedMs }));
}
