import { SIZED_PATHS } from '../../cache/sized-site.ts';
import type { AskedTransfer, Transferrer } from '../../clients/transferrer.ts';
import { startTransferrer } from '../../clients/transferrers.ts';
import { congestionControlOf } from '../../records/congestion-control.ts';
import { isPlanned, type RunChoices, type Trial } from '../../records/run.ts';
import {
  type Limit,
  type LimitedBy,
  streamsName,
  type TransferDetails,
} from '../../records/transfer.ts';
import { NetworkError } from '../../system/errors.ts';
import { stopwatch } from '../../system/stopwatch.ts';
import { eventMissed } from '../event-missed.ts';
import { type Attempt, type Bench, type Measuring, NOTHING_SEEN, serverOf } from '../measuring.ts';
import { capturesPackets, writePackets } from '../packets.ts';
import { wrongConnections } from './checks.ts';
import { transfer } from './experiment.ts';
import { explain, isToExplain } from './explain.ts';
import { isLinkLimit } from './limits/because.ts';
import { limitedByOf } from './limits/model.ts';
import { numbersOf } from './numbers.ts';
import { profile } from './profiles/profiled.ts';
import { seriesOf } from './series.ts';
import { listenForUploads } from './uploads.ts';
import { beginningOf, transferWatched } from './watched.ts';

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
    let isSpoilt = false;
    const forget = async (arm: string) => {
      const found = starting.get(arm);
      starting.delete(arm);
      const transferrer = await found?.catch(() => null);
      if (!transferrer) return;
      started.delete(transferrer);
      await transferrer.close();
    };
    return {
      get isWorn() {
        return isSpoilt || [...started].some((each) => each.isWorn);
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
      async measure(prepared) {
        const { trial, transferrer } = prepared as Prepared;
        const startedAt = new Date();
        if (transferrer instanceof Error) {
          return { ...failed('client-failed', transferrer.message), ...NOTHING_SEEN, startedAt };
        }
        const ready = { trial, transferrer };
        const { isBroken, ...made } = await lookedInto(await measure(ready, bench), ready, bench);
        if (isBroken) {
          // Its next transfer is by a new client, after a new warm-up.
          isSpoilt = true;
          await forget(trial.arm);
        }
        return made;
      },
      async dispose(prepared) {
        const { transferrer, left } = prepared as Prepared;
        if (!(transferrer instanceof Error)) await transferrer.leave();
        left.resolve();
      },
      close: async () => {
        await Promise.all([...starting.keys()].map(forget));
        isSpoilt = false;
      },
    };
  },
};

/** A transfer that is to be made. */
interface Prepared {
  trial: Trial;
  /** Who makes it, or why nobody can. */
  transferrer: Transferrer | Error;
  /** Settled when nothing of it is left. */
  left: PromiseWithResolvers<void>;
}

/** A transfer that can begin. */
interface Ready {
  trial: Trial;
  transferrer: Transferrer;
}

/** What holds for all transfers of a run. */
function choicesOf({ choices }: Pick<Bench, 'choices'>): NonNullable<RunChoices['transfers']> {
  if (!choices.transfers) throw new Error('a plan of transfers that does not say what they are');
  return choices.transfers;
}

/** An attempt with what more transfers like it told. */
interface LookedInto extends Attempt {
  /** Its client has ended, or is still busy with one of them. */
  isBroken: boolean;
}

/** What was made once more for the profiles and explanations that are asked for. None of that changes what came of the attempt. */
async function lookedInto(made: Attempt, ready: Ready, bench: Bench): Promise<LookedInto> {
  if (made.outcome !== 'ok') return { ...made, isBroken: false };
  return ready.trial.warmup ? profiled(made, ready, bench) : explained(made, ready, bench);
}

/** A warm-up of the plan with its profiles: each is of one more transfer, made when all programs are warm. */
async function profiled(
  made: Attempt,
  { trial, transferrer }: Ready,
  bench: Bench,
): Promise<LookedInto> {
  const { profiles: kinds = [] } = choicesOf(bench);
  if (!isPlanned(trial) || kinds.length === 0) return { ...made, isBroken: false };
  const server = serverOf(trial.arm, bench.servers);
  const asked = askedOf(trial, server, bench);
  const { profiles, files, isBroken } = await profile(
    { trial, asked },
    { server, transferrer },
    kinds,
    bench,
  );
  return {
    ...made,
    details: { ...(made.details as TransferDetails), profiles },
    files: { ...made.files, ...files },
    isBroken,
  };
}

/** The first of its kind of which a limit was told, with what became of it when that was raised. */
async function explained(
  made: Attempt,
  { trial, transferrer }: Ready,
  bench: Bench,
): Promise<LookedInto> {
  const details = made.details as TransferDetails;
  const { limitedBy } = details;
  if (!isTold(limitedBy) || !(await isToExplain(trial, bench))) return { ...made, isBroken: false };
  const server = serverOf(trial.arm, bench.servers);
  const { network, networkSeed } = trial;
  const asked = askedOf(trial, server, bench);
  try {
    const explains = await explain(
      { client: details.client, server, transferrer, asked, network, networkSeed, limitedBy },
      bench,
    );
    return { ...made, details: { ...details, explains }, isBroken: false };
  } catch (error) {
    bench.signal?.throwIfAborted();
    bench.warn(`What limited ${trial.id} was not tried: ${(error as Error).message}`);
    return { ...made, isBroken: true };
  }
}

async function measure({ trial, transferrer }: Ready, bench: Bench): Promise<Attempt> {
  const { path, choices, signal } = bench;
  const server = serverOf(trial.arm, bench.servers);
  const asked = askedOf(trial, server, bench);
  const startedAt = new Date();
  const step = stopwatch();
  try {
    await path.apply(
      { ...trial.network, seed: trial.networkSeed },
      { ...beginningOf(asked), captures: capturesPackets(choices, trial) },
    );
    const uploads = asked.direction === 'upload' ? listenForUploads(server) : null;
    const watched = await transferWatched(asked, { server, transferrer }, bench);
    const received = (await uploads?.receivedBytes(watched.made.bodyBytes)) ?? null;
    uploads?.close();
    const { made, machine, connections, steps, observed } = watched;
    signal?.throwIfAborted();
    const details: TransferDetails = {
      direction: asked.direction,
      bytes: asked.bytes,
      streams: asked.streams,
      client: choicesOf(bench).client,
      connections: connections.opened.length,
      bodyBytes: made.bodyBytes,
      serverReceivedBytes: received,
      series: seriesOf(made, steps),
      limitedBy: observed && limitedByOf(observed),
      error: made.error?.reason ?? null,
    };
    const seen = {
      client: null,
      machine,
      path: watched.path,
      connections,
      details,
      stepsMs: { transfer: step() },
      startedAt,
    };
    const { files, message } = await writePackets(trial, transfer, async () => made.keyLog, bench);
    const metrics = numbersOf(watched, trial.network.rttMs);
    if (made.error !== null) {
      const { code, reason } = made.error;
      return { ...failed(code, reason), ...seen, metrics, files };
    }
    const arrived = received ?? made.bodyBytes;
    if (arrived !== asked.bytes) {
      const who = received === null ? 'the client' : 'the server';
      const wrong = `expected ${asked.bytes} bytes of bodies, ${who} had ${arrived}`;
      return { ...failed('wrong-size', wrong), ...seen, files };
    }
    const { mostSentBytes } = watched;
    const wrong = wrongConnections(asked, details.client, { ...connections, mostSentBytes });
    if (wrong !== null) return { ...invalid(wrong.code, wrong.message), ...seen, metrics, files };
    if (message !== null) return { ...failed('packets-failed', message), ...seen, files };
    const endedMs = made.lastByteMs === null ? null : made.askedAtMs + made.lastByteMs;
    const missed = eventMissed(trial.network, watched.path, endedMs, transfer.attempt[0]);
    if (missed !== null)
      return { ...invalid(missed.code, missed.message), ...seen, metrics, files };
    const { limitedBy } = details;
    if (limitedBy && isLinkLimit(limitedBy)) {
      return { ...invalid('link-busy', limitedBy.because), metrics, ...seen, files };
    }
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
    // That of TCP is the path's.
    connectionWindowBytes: server.stack.protocol === 'h3' ? receiveWindowBytes : null,
    keyExchange: bench.choices.keyExchange,
    congestionControl: congestionControlOf(server.stack, bench.choices),
    durationMs: null,
    timeoutMs: bench.timeoutS * 1000,
  };
}

function streamsOf({ factors }: Trial): number {
  const streams = Number.parseInt(factors.streams ?? '', 10);
  return factors.streams === streamsName(streams) ? streams : 1;
}

function failed(code: string, message: string) {
  return { outcome: 'failed' as const, code, message, metrics: {} };
}

function invalid(code: string, message: string) {
  return { outcome: 'invalid' as const, code, message };
}

function isTold(limitedBy: LimitedBy | null): limitedBy is LimitedBy & { limit: Limit } {
  return limitedBy !== null && limitedBy.limit !== null;
}
