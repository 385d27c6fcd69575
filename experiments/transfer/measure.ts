import { SIZED_PATHS } from '../../cache/sized-site.ts';
import type { AskedTransfer, TransferMade, Transferrer } from '../../clients/transferrer.ts';
import { startTransferrer } from '../../clients/transferrers.ts';
import { startWatch } from '../../interference/watch.ts';
import type { RunChoices, Trial } from '../../records/run.ts';
import { streamsName, type TransferDetails } from '../../records/transfer.ts';
import { NetworkError } from '../../system/errors.ts';
import { stopwatch } from '../../system/stopwatch.ts';
import { type Attempt, type Bench, type Measuring, serverOf } from '../measuring.ts';
import { capturesPackets, writePackets } from '../packets.ts';
import { transfer } from './experiment.ts';

/** How files are transferred: by a program that is kept for each arm, so that its own start is in no transfer. */
export const measuring: Measuring = {
  open(bench) {
    const { client } = choicesOf(bench);
    const starting = new Map<string, Promise<Transferrer>>();
    const started = new Set<Transferrer>();
    const transferrerOf = async (arm: string) => {
      const found = starting.get(arm) ?? startTransferrer(client, arm, bench);
      starting.set(arm, found);
      const transferrer = await found;
      started.add(transferrer);
      return transferrer;
    };
    return {
      get isWorn() {
        return [...started].some((each) => each.isWorn);
      },
      async prepare(trial): Promise<Prepared> {
        const left = Promise.withResolvers<void>();
        try {
          const transferrer = await transferrerOf(trial.arm);
          await transferrer.prepare();
          return { trial, transferrer, left };
        } catch (error) {
          return { trial, transferrer: error as Error, left };
        }
      },
      // A client that leaves, or makes ready, takes processor time, which is to be none of a transfer's.
      settling: (prepared) => (prepared as Prepared).left.promise,
      measure: (prepared) => measure(prepared as Prepared, bench),
      async dispose(prepared) {
        const { transferrer, left } = prepared as Prepared;
        if (!(transferrer instanceof Error)) await transferrer.leave();
        left.resolve();
      },
      async close() {
        const closing = [...starting.values()].map(async (each) => (await each).close());
        starting.clear();
        started.clear();
        await Promise.allSettled(closing);
      },
    };
  },
};

/** A transfer that can begin. */
interface Prepared {
  trial: Trial;
  /** Or why it cannot. */
  transferrer: Transferrer | Error;
  /** Settled when nothing of it is left. */
  left: PromiseWithResolvers<void>;
}

/** What holds for all transfers of a run. */
function choicesOf({ choices }: Pick<Bench, 'choices'>): NonNullable<RunChoices['transfers']> {
  if (!choices.transfers) throw new Error('a plan of transfers that does not say what they are');
  return choices.transfers;
}

async function measure({ trial, transferrer }: Prepared, bench: Bench): Promise<Attempt> {
  const { path, choices, signal } = bench;
  const server = serverOf(trial.arm, bench.servers);
  const asked = askedOf(trial, server, bench);
  const startedAt = new Date();
  const step = stopwatch();
  try {
    if (transferrer instanceof Error) throw transferrer;
    await path.apply(
      { ...trial.network, seed: trial.networkSeed },
      { captures: capturesPackets(choices, trial) },
    );
    const watch = startWatch({ serverPid: server.pid, clientPid: transferrer.pid });
    const made = await transferrer.transfer(asked);
    const machine = watch.end();
    signal?.throwIfAborted();
    const connections = await path.connections(made.keyLog);
    const details: TransferDetails = {
      direction: asked.direction,
      bytes: asked.bytes,
      streams: asked.streams,
      client: choicesOf(bench).client,
      connections: connections.opened.length,
      bodyBytes: made.bodyBytes,
      firstPieceBytes: made.firstPieceBytes,
      serverReceivedBytes: null,
      series: made.series.map((each) => ({ ...NOT_TOLD, ...each })),
      limitedBy: null,
      error: made.error?.reason ?? null,
    };
    const seen = {
      client: null,
      machine,
      path: await path.count(),
      connections,
      details,
      stepsMs: { transfer: step() },
      startedAt,
    };
    const { files, message } = await writePackets(trial, transfer, async () => made.keyLog, bench);
    const cpu = { clientCpuMs: machine.clientCpuMs, serverCpuMs: machine.serverCpuMs };
    const metrics = { ...numbersOf(made, asked), ...cpu, ...cpuPerByte(cpu, asked.bytes) };
    if (made.error !== null) {
      const { code, reason } = made.error;
      return { ...failed(code, reason), ...seen, metrics, files };
    }
    if (made.bodyBytes !== asked.bytes && asked.durationMs === null) {
      const wrong = `expected ${asked.bytes} bytes of the body, got ${made.bodyBytes}`;
      return { ...failed('wrong-size', wrong), ...seen, files };
    }
    if (message !== null) return { ...failed('packets-failed', message), ...seen, files };
    return { outcome: 'ok', code: null, message: null, metrics, ...seen, files };
  } catch (error) {
    signal?.throwIfAborted();
    const code = error instanceof NetworkError ? 'network-failed' : 'client-failed';
    return { ...failed(code, (error as Error).message), ...NOTHING_SEEN, startedAt };
  }
}

function askedOf(trial: Trial, server: Bench['servers'][number], bench: Bench): AskedTransfer {
  const { direction, streamWindowBytes, receiveWindowBytes } = choicesOf(bench);
  const { hostname: host } = new URL(bench.url);
  const file = bench.manifest?.resources.find(({ url }) => url.endsWith(SIZED_PATHS.download));
  return {
    protocol: server.stack.protocol,
    host,
    address: server.origins[host] ?? '',
    direction,
    path: SIZED_PATHS[direction],
    bytes: file?.wireBytes ?? 0,
    streams: streamsOf(trial),
    streamWindowBytes,
    connectionWindowBytes: receiveWindowBytes,
    congestionControl: null,
    durationMs: null,
    timeoutMs: bench.timeoutS * 1000,
  };
}

function streamsOf({ factors }: Trial): number {
  const streams = Number.parseInt(factors.streams ?? '', 10);
  return factors.streams === streamsName(streams) ? streams : 1;
}

function numbersOf(
  { connectMs, firstByteMs, lastByteMs, bodyBytes, firstPieceBytes, error }: TransferMade,
  { direction }: AskedTransfer,
): Record<string, number | null> {
  if (error !== null) return { connectMs, firstByteMs };
  const first = direction === 'upload' ? 0 : firstPieceBytes;
  const forMs = lastByteMs === null || firstByteMs === null ? 0 : lastByteMs - firstByteMs;
  const goodputKbps = forMs > 0 && bodyBytes > first ? (8 * (bodyBytes - first)) / forMs : null;
  return { connectMs, firstByteMs, totalMs: lastByteMs, goodputKbps };
}

function cpuPerByte(
  { clientCpuMs, serverCpuMs }: { clientCpuMs: number | null; serverCpuMs: number | null },
  bytes: number,
): Record<string, number | null> {
  if (clientCpuMs === null || serverCpuMs === null || bytes === 0) return {};
  return { cpuNsPerByte: (1e6 * (clientCpuMs + serverCpuMs)) / bytes };
}

/** Of a step of which nobody told more than the client. */
const NOT_TOLD = {
  cwndBytes: null,
  inFlightBytes: null,
  rttMs: null,
  queueMs: null,
  clientCpuPercent: null,
  serverCpuPercent: null,
};

function failed(code: string, message: string) {
  return { outcome: 'failed' as const, code, message, metrics: {} };
}

const NOTHING_SEEN = {
  client: null,
  machine: null,
  path: null,
  connections: null,
  details: null,
  files: {},
  stepsMs: {},
};
