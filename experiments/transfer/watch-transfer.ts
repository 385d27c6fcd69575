import type {
  TransferClient,
  TransferRequest,
  TransferResult,
} from '../../clients/transfer-client.ts';
import { startMachineWatch } from '../../ground/host/machine-watch.ts';
import { type ProcessorStep, watchProcessor } from '../../ground/host/processor-steps.ts';
import type { ObservedConnections } from '../../ground/records/connection.ts';
import type { LinkSample } from '../../ground/records/link-sample.ts';
import { isOverQuic } from '../../ground/records/protocol.ts';
import type { QuicConnection } from '../../ground/records/quic-sample.ts';
import { SENDER_SAMPLE_MS } from '../../ground/records/sender.ts';
import type { LoadOptions } from '../../network/agent.ts';
import type { Bench, ReadyServer } from '../measuring.ts';
import { countPath, observe, type PathObservation } from '../trial.ts';
import type { LinkStep, ObservedTransfer, OccupationStep } from './limits/observed-transfer.ts';
import { kernelSamples, offeredBy, quicSamples } from './sender.ts';
import { type SenderFromPackets, senderFromPackets } from './wire/sender-from-packets.ts';

export type WatchedTransfer = Awaited<ReturnType<typeof watchTransfer>>;

/** Readings after the end of a transfer. */
interface TransferReading extends PathObservation {
  /** Bytes of the TCP connection that sent most; null: no such connection, or samples are missing. */
  mostSentBytes: number | null;
  /** Exact processor time; null: not reported by the kernel, or the server's process is not known. */
  processor: ProcessorTotals | null;
  /** Observations that determine the limit; null: the transfer failed. */
  observed: ObservedTransfer | null;
  /** State of the sender from packets on the path; null: not captured, or packets are missing. */
  ofPackets: SenderFromPackets | null;
  /** Steps of the transfer, also of a failed one. */
  steps: Pick<ObservedTransfer, 'sender' | 'link' | 'occupation'>;
}

interface ProcessorTotals {
  clientCpuMs: number;
  serverCpuMs: number;
  contextSwitches: number;
}

export interface TransferEnds {
  server: ReadyServer;
  transferClient: TransferClient;
}

/** A path, and the round-trip time that it adds. */
interface AppliedPath extends Pick<Bench, 'path'> {
  rttMs: number;
  /** Whether it captures packets, to derive the state of a QUIC sender that does not report it. */
  captures?: boolean;
}

/** Path options that sample the sender. */
export function beginningOf(
  { direction, protocol }: TransferRequest,
  { captures = false }: Pick<AppliedPath, 'captures'> = {},
): Partial<LoadOptions> {
  return {
    tcpInfoMs: SENDER_SAMPLE_MS,
    tcpInfoEnd: direction === 'download' ? 'server' : 'client',
    ...(captures && isOverQuic(protocol) && { captures }),
  };
}

/**
 * Makes a transfer over a path that was just applied, and observes path, processor and sender.
 * @throws errors of the path and of the client's program
 */
export function watchTransfer(request: TransferRequest, ends: TransferEnds, applied: AppliedPath) {
  return observe(stepsOf(request, ends, applied));
}

export function stepsOf(
  request: TransferRequest,
  { server, transferClient }: TransferEnds,
  { path, rttMs, captures = false }: AppliedPath,
) {
  const client = transferClient.pid;
  return {
    watch: () => startMachineWatch({ serverPid: server.pid, clientPid: client }),
    async act() {
      const processor = server.pid === null ? null : watchProcessor({ client, server: server.pid });
      let made: TransferResult;
      let took: ProcessorStep<'client' | 'server'>[] | null;
      try {
        made = await transferClient.transfer(request);
      } finally {
        took = processor?.end() ?? null;
      }
      return { made, took };
    },
    async count({
      made,
      took,
    }: {
      made: TransferResult;
      took: ProcessorStep<'client' | 'server'>[] | null;
    }): Promise<TransferReading> {
      const { requestedAtMs, connectMs, firstByteMs, lastByteMs } = made;
      const onPath = await countPath(path, {
        samples: () => path.samples(),
        keyLog: () => made.keyLog,
      });
      const { link, connections } = onPath;
      const quic = await quicConnection(request, made, server, connections);
      const tcp = isOverQuic(request.protocol) ? null : await kernelSamples(path, requestedAtMs);
      const isCaptured = captures && isOverQuic(request.protocol);
      const ofPackets = isCaptured ? await senderFromPackets(path, made, request) : null;
      const reported = tcp?.samples ?? (quic && quicSamples(quic, requestedAtMs));
      const steps = {
        sender: reported ?? ofPackets?.sender ?? null,
        link: link?.map((sample) => linkStep(sample, request, requestedAtMs)) ?? null,
        occupation: took?.map((step) => occupationStep(step, requestedAtMs)) ?? null,
      };
      const isWhole = made.error === null && firstByteMs !== null && lastByteMs !== null;
      return {
        ...onPath,
        mostSentBytes: tcp?.mostSentBytes ?? null,
        ofPackets,
        processor: took && totalsOf(took),
        steps,
        observed: isWhole
          ? {
              sends: request.direction === 'download' ? 'server' : 'client',
              connectMs,
              firstByteMs,
              lastByteMs,
              serverMs: made.serverMs ?? null,
              pathRttMs: rttMs,
              ...steps,
              ...(!reported && ofPackets && { packets: ofPackets.packets }),
              linkCpuMs: onPath.path.linkCpuMs,
              offered: quic && offeredBy(quic, request),
            }
          : null,
      };
    },
  };
}

/** The connection according to its sender; null: not QUIC, or not reported. */
async function quicConnection(
  { direction }: TransferRequest,
  { transport = [] }: TransferResult,
  { transportSamples }: ReadyServer,
  { opened }: ObservedConnections,
): Promise<QuicConnection | null> {
  // Also clears the samples that the server keeps until they are requested.
  const server = (await transportSamples?.()) ?? [];
  const connections = direction === 'download' ? server : transport;
  const ports = opened.map(({ clientPort }) => clientPort);
  // The samples may include the end of an earlier connection.
  return (
    connections.find(({ client }) => ports.some((port) => client.endsWith(`:${port}`))) ?? null
  );
}

function linkStep(
  { atMs, forMs, toServer, toClient }: LinkSample,
  { direction }: TransferRequest,
  requestedAtMs: number,
): LinkStep {
  const carried = direction === 'download' ? toClient : toServer;
  return { ...carried, atMs: atMs - requestedAtMs, forMs };
}

function occupationStep(
  { atMs, forMs, programs }: ProcessorStep<'client' | 'server'>,
  requestedAtMs: number,
): OccupationStep {
  return { atMs: atMs - requestedAtMs, forMs, ...programs };
}

function totalsOf(steps: readonly ProcessorStep<'client' | 'server'>[]): ProcessorTotals {
  const sum = (of: (step: ProcessorStep<'client' | 'server'>) => number) =>
    steps.reduce((total, step) => total + of(step), 0);
  return {
    clientCpuMs: sum(({ programs }) => programs.client.cpuMs),
    serverCpuMs: sum(({ programs }) => programs.server.cpuMs),
    contextSwitches: sum(({ programs }) => programs.client.switches + programs.server.switches),
  };
}
