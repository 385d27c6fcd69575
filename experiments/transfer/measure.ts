import { SIZED_PATHS } from '../../cache/sized-site.ts';
import { startTransferClient } from '../../clients/start-transfer-client.ts';
import type { TransferClient, TransferRequest } from '../../clients/transfer-client.ts';
import { congestionControlOf } from '../../ground/records/congestion-control.ts';
import { isOverQuic } from '../../ground/records/protocol.ts';
import { isPlanned, type Trial } from '../../ground/records/run.ts';
import { startStopwatch } from '../../ground/system/stopwatch.ts';
import { AttemptEnded, bindChecks } from '../checks.ts';
import { KeptPrograms } from '../kept-programs.ts';
import {
  type Attempt,
  type Bench,
  clientFrom,
  type Measurer,
  type Prepared,
  serverOf,
} from '../measuring.ts';
import { writePackets } from '../packets.ts';
import { applyPath, makeAttempt } from '../trial.ts';
import { CHECKS, failureOf } from './checks.ts';
import { transfersOf } from './choices.ts';
import { transfer } from './experiment.ts';
import { explain, judgeByPackets, needsExplanation } from './explain.ts';
import { limitedByOf } from './limits/model.ts';
import { numbersOf } from './numbers.ts';
import { profileTransfer } from './profiles/profile-transfer.ts';
import { type Limit, type LimitedBy, streamsName, type TransferDetails } from './records.ts';
import { seriesOf } from './series.ts';
import { listenForUploads } from './uploads.ts';
import { beginningOf, stepsOf } from './watch-transfer.ts';

/** Transfers files with a program that is kept for each arm, so that transfers exclude its start. */
export const measuring: Measurer = {
  open(bench) {
    const { client } = transfersOf(bench);
    const kept = new KeptPrograms<TransferClient>();
    let needsNewClients = false;
    return clientFrom({
      isWorn: () => needsNewClients || kept.running.some((each) => each.isWorn),
      async prepare({ arm }) {
        const transferClient = await kept.of(arm, () => startTransferClient(client, arm, bench));
        await transferClient.prepare();
        return transferClient;
      },
      async measure(prepared) {
        const { isBroken, ...made } = await profileOrExplain(
          await measure(prepared, bench),
          prepared,
          bench,
        );
        if (isBroken) {
          // The next transfer needs a new client and a new warm-up.
          needsNewClients = true;
          await kept.forget(prepared.trial.arm);
        }
        return made;
      },
      // Leaving and preparation take processor time, which must not count for a transfer.
      leave: (transferClient) => transferClient.leave(),
      close: async () => {
        await kept.close();
        needsNewClients = false;
      },
    });
  },
};

interface Ready {
  trial: Trial;
  transferClient: TransferClient;
}

/** An attempt with results of additional transfers. */
interface ExaminedAttempt extends Attempt {
  /** Whether its client has ended or is still busy. */
  isBroken: boolean;
}

/** Adds the requested profiles and explanations by more transfers, which do not change the attempt's result. */
async function profileOrExplain(
  made: Attempt,
  { trial, ready: transferClient }: Prepared<TransferClient>,
  bench: Bench,
): Promise<ExaminedAttempt> {
  if (made.outcome !== 'ok' || transferClient instanceof AttemptEnded) {
    return { ...made, isBroken: false };
  }
  const ready = { trial, transferClient };
  return ready.trial.warmup ? addProfiles(made, ready, bench) : addExplanation(made, ready, bench);
}

/** Adds profiles to a planned warm-up: one more transfer each, with warm programs. */
async function addProfiles(
  made: Attempt,
  { trial, transferClient }: Ready,
  bench: Bench,
): Promise<ExaminedAttempt> {
  const { profiles: kinds = [] } = transfersOf(bench);
  if (!isPlanned(trial) || kinds.length === 0) return { ...made, isBroken: false };
  const server = serverOf(trial.arm, bench.servers);
  const request = transferRequest(trial, server, bench);
  const { profiles, files, isBroken } = await profileTransfer(
    { trial, request },
    { server, transferClient },
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

/**
 * Explains the first transfer of an arm, subject and condition that has a known limit, or gets one from the packets of a
 * repetition.
 */
async function addExplanation(
  made: Attempt,
  { trial, transferClient }: Ready,
  bench: Bench,
): Promise<ExaminedAttempt> {
  const details = made.details as TransferDetails;
  const { limitedBy } = details;
  const server = serverOf(trial.arm, bench.servers);
  const { network, networkSeed } = trial;
  const request = transferRequest(trial, server, bench);
  const isKnown = hasLimit(limitedBy);
  const isReported = details.series.some(({ cwndBytes }) => cwndBytes !== null);
  const captures = isOverQuic(request.protocol) && !isReported;
  if (!(isKnown || captures) || !(await needsExplanation(trial, bench))) {
    return { ...made, isBroken: false };
  }
  const { client } = details;
  const repeatable = { client, server, transferClient, request, network, networkSeed, captures };
  try {
    const limitInRepetition = isKnown ? null : await judgeByPackets(repeatable, bench);
    const found = limitInRepetition ?? limitedBy;
    const explains = hasLimit(found)
      ? await explain({ ...repeatable, limitedBy: found }, bench)
      : null;
    return {
      ...made,
      details: {
        ...details,
        ...(limitInRepetition && { limitInRepetition }),
        ...(explains && { explains }),
      },
      isBroken: false,
    };
  } catch (error) {
    bench.signal?.throwIfAborted();
    bench.warn(`The limit of ${trial.id} is not explained: ${(error as Error).message}`);
    return { ...made, isBroken: true };
  }
}

function measure(
  { trial: planned, ready: transferClient }: Prepared<TransferClient>,
  bench: Bench,
): Promise<Attempt> {
  const { client } = transfersOf(bench);
  const { network } = planned;
  const server = serverOf(planned.arm, bench.servers);
  const request = transferRequest(planned, server, bench);
  return makeAttempt(planned, bench, {
    startedAt: new Date(),
    async begin() {
      if (transferClient instanceof AttemptEnded) throw transferClient;
      const step = startStopwatch();
      await applyPath(planned, bench, beginningOf(request));
      const uploads = request.direction === 'upload' ? listenForUploads(server) : null;
      const steps = stepsOf(
        request,
        { server, transferClient },
        { path: bench.path, rttMs: network.rttMs },
      );
      return {
        ...steps,
        async count(acted) {
          const read = await steps.count(acted);
          const { made } = acted;
          const receivedBytes = (await uploads?.receivedBytes(made.bodyBytes)) ?? null;
          uploads?.close();
          const limitedBy = read.observed && limitedByOf(read.observed);
          const details: TransferDetails = {
            direction: request.direction,
            bytes: request.bytes,
            streams: request.streams,
            client,
            connections: read.connections.opened.length,
            bodyBytes: made.bodyBytes,
            serverReceivedBytes: receivedBytes,
            series: seriesOf(made, read.steps),
            limitedBy,
            error: made.error?.reason ?? null,
          };
          return { ...read, receivedBytes, limitedBy, details, stepsMs: { transfer: step() } };
        },
      };
    },
    write: ({ made }) => writePackets(planned, transfer, async () => made.keyLog, bench),
    failure: (seen) => failureOf(seen, request),
    checks: (seen) => bindChecks(CHECKS, seen, { request, client, network }),
    result: (seen, { judgement }) => ({
      // A transfer without all bytes or packets has no metrics.
      metrics:
        judgement.outcome !== 'failed' || seen.made.error !== null
          ? numbersOf(seen, network.rttMs)
          : {},
      details: seen.details,
    }),
  });
}

function transferRequest(
  trial: Trial,
  server: Bench['servers'][number],
  bench: Bench,
): TransferRequest {
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
    // The path sets TCP's window.
    connectionWindowBytes: isOverQuic(server.stack.protocol) ? receiveWindowBytes : null,
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

function hasLimit(limitedBy: LimitedBy | null): limitedBy is LimitedBy & { limit: Limit } {
  return limitedBy !== null && limitedBy.limit !== null;
}
