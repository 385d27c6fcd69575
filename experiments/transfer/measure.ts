import { SIZED_PATHS } from '../../cache/sized-site.ts';
import type { AskedTransfer, Transferrer } from '../../clients/transferrer.ts';
import { startTransferrer } from '../../clients/transferrers.ts';
import { congestionControlOf } from '../../ground/records/congestion-control.ts';
import { isPlanned, type Trial } from '../../ground/records/run.ts';
import {
  type Limit,
  type LimitedBy,
  streamsName,
  type TransferDetails,
} from '../../ground/records/transfer.ts';
import { stopwatch } from '../../ground/system/stopwatch.ts';
import { failed } from '../checks.ts';
import { KeptPrograms } from '../kept-programs.ts';
import { type Attempt, type Bench, type Measuring, NOTHING_SEEN, serverOf } from '../measuring.ts';
import { writePackets } from '../packets.ts';
import { applyPath, clientFailure } from '../trial.ts';
import { judgeTransfer } from './checks.ts';
import { transfersOf } from './choices.ts';
import { transfer } from './experiment.ts';
import { explain, isToExplain } from './explain.ts';
import { limitedByOf } from './limits/model.ts';
import { numbersOf } from './numbers.ts';
import { profile } from './profiles/profiled.ts';
import { seriesOf } from './series.ts';
import { listenForUploads } from './uploads.ts';
import { beginningOf, transferWatched } from './watched.ts';

/** How files are transferred: by a program that is kept for each arm, so that its own start is in no transfer. */
export const measuring: Measuring = {
  open(bench) {
    const { client } = transfersOf(bench);
    const kept = new KeptPrograms<Transferrer>();
    let isSpoilt = false;
    return {
      get isWorn() {
        return isSpoilt || kept.running.some((each) => each.isWorn);
      },
      async prepare(trial): Promise<Prepared> {
        const left = Promise.withResolvers<void>();
        try {
          const transferrer = await kept.of(trial.arm, () =>
            startTransferrer(client, trial.arm, bench),
          );
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
          const { message } = transferrer;
          return { ...failed({ code: 'client-failed', message }), ...NOTHING_SEEN, startedAt };
        }
        const ready = { trial, transferrer };
        const { isBroken, ...made } = await lookedInto(await measure(ready, bench), ready, bench);
        if (isBroken) {
          // Its next transfer is by a new client, after a new warm-up.
          isSpoilt = true;
          await kept.forget(trial.arm);
        }
        return made;
      },
      async dispose(prepared) {
        const { transferrer, left } = prepared as Prepared;
        if (!(transferrer instanceof Error)) await transferrer.leave();
        left.resolve();
      },
      close: async () => {
        await kept.close();
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
  const { profiles: kinds = [] } = transfersOf(bench);
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
  const { signal } = bench;
  const { client } = transfersOf(bench);
  const { network } = trial;
  const server = serverOf(trial.arm, bench.servers);
  const asked = askedOf(trial, server, bench);
  const startedAt = new Date();
  const step = stopwatch();
  try {
    await applyPath(trial, bench, beginningOf(asked));
    const uploads = asked.direction === 'upload' ? listenForUploads(server) : null;
    const watched = await transferWatched(asked, { server, transferrer }, bench);
    const { made, machine, connections, steps, observed } = watched;
    const receivedBytes = (await uploads?.receivedBytes(made.bodyBytes)) ?? null;
    uploads?.close();
    signal?.throwIfAborted();
    const limitedBy = observed && limitedByOf(observed);
    const details: TransferDetails = {
      direction: asked.direction,
      bytes: asked.bytes,
      streams: asked.streams,
      client,
      connections: connections.opened.length,
      bodyBytes: made.bodyBytes,
      serverReceivedBytes: receivedBytes,
      series: seriesOf(made, steps),
      limitedBy,
      error: made.error?.reason ?? null,
    };
    const stepsMs = { transfer: step() };
    const packets = await writePackets(trial, transfer, async () => made.keyLog, bench);
    const judgement = judgeTransfer(
      { ...watched, receivedBytes, limitedBy, packets },
      { asked, client, network },
    );
    // Without all bytes, or without its packets, a transfer has no numbers.
    const hasNumbers = judgement.outcome !== 'failed' || made.error !== null;
    return {
      ...judgement,
      metrics: hasNumbers ? numbersOf(watched, network.rttMs) : {},
      client: null,
      machine,
      path: watched.path,
      connections,
      details,
      files: packets.files,
      stepsMs,
      startedAt,
    };
  } catch (error) {
    return { ...failed(clientFailure(error as Error, bench)), ...NOTHING_SEEN, startedAt };
  }
}

function askedOf(trial: Trial, server: Bench['servers'][number], bench: Bench): AskedTransfer {
  const { direction, streamWindowBytes, receiveWindowBytes } = transfersOf(bench);
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

function isTold(limitedBy: LimitedBy | null): limitedBy is LimitedBy & { limit: Limit } {
  return limitedBy !== null && limitedBy.limit !== null;
}
