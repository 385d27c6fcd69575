import type {
  TransferClient,
  TransferRequest,
  TransferResult,
} from '../../clients/transfer-client.ts';
import { startMachineWatch } from '../../ground/host/machine-watch.ts';
import { type ProcessorStep, watchProcessor } from '../../ground/host/processor-steps.ts';
import type { ObservedConnections } from '../../ground/records/connection.ts';
import type { LinkSample } from '../../ground/records/link-sample.ts';
import type { QuicConnection } from '../../ground/records/quic-sample.ts';
import { SENDER_SAMPLE_MS } from '../../ground/records/sender.ts';
import type { LoadOptions } from '../../network/agent.ts';
import { type Bench, pidOf, type ReadyServer } from '../measuring.ts';
import { countPath, observe, type PathObservation } from '../trial.ts';
import type { LinkStep, ObservedTransfer, OccupationStep } from './limits/observed-transfer.ts';
import { kernelSamples, offeredBy, quicSamples } from './sender.ts';

/** A transfer with all that was seen of it. */
export type WatchedTransfer = Awaited<ReturnType<typeof watchTransfer>>;

/** What is read of a transfer when it has ended. */
interface TransferReading extends PathObservation {
  /** What the connection by TCP that sent most had sent, in bytes; null: there is none, or the kernel did not tell all. */
  mostSentBytes: number | null;
  /** What client and server took of the processor, exactly; null: the kernel does not tell. */
  processor: ProcessorTotals | null;
  /** null: it came to no end, of which nothing held it up is known. */
  observed: ObservedTransfer | null;
  /** What is known step by step, also of one that came to no end. */
  steps: Pick<ObservedTransfer, 'sender' | 'link' | 'occupation'>;
}

/** From the beginning of a transfer to its end. */
interface ProcessorTotals {
  clientCpuMs: number;
  serverCpuMs: number;
  /** How often a thread of one of them got a core. */
  contextSwitches: number;
}

/** Who takes part in a transfer. */
export interface TransferEnds {
  server: ReadyServer;
  transferrer: TransferClient;
}

/** How a path is applied for a transfer that is watched. */
export function beginningOf({ direction }: TransferRequest): Partial<LoadOptions> {
  return {
    tcpInfoMs: SENDER_SAMPLE_MS,
    tcpInfoEnd: direction === 'download' ? 'server' : 'client',
  };
}

/**
 * Carries out a transfer over a path that was just applied, and looks at it from all sides meanwhile.
 * @throws what the path and the client's program throw
 */
export function watchTransfer(
  request: TransferRequest,
  ends: TransferEnds,
  bench: Pick<Bench, 'path'>,
) {
  return observe(stepsOf(request, ends, bench));
}

/** The steps of that. */
export function stepsOf(
  request: TransferRequest,
  { server, transferrer }: TransferEnds,
  { path }: Pick<Bench, 'path'>,
) {
  const pids = { client: transferrer.pid, server: pidOf(server) };
  return {
    watch: () => startMachineWatch({ serverPid: pids.server, clientPid: pids.client }),
    async act() {
      const processor = watchProcessor(pids);
      let made: TransferResult;
      let took: ProcessorStep<'client' | 'server'>[] | null;
      try {
        made = await transferrer.transfer(request);
      } finally {
        took = processor.end();
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
      const { askedAtMs, firstByteMs, lastByteMs } = made;
      const onPath = await countPath(path, {
        samples: () => path.samples(),
        keyLog: () => made.keyLog,
      });
      const { link, connections } = onPath;
      const quic = await quicConnection(request, made, server, connections);
      const tcp = request.protocol === 'h3' ? null : await kernelSamples(path, askedAtMs);
      const steps = {
        sender: tcp?.samples ?? (quic && quicSamples(quic, askedAtMs)),
        link: link?.map((sample) => linkStep(sample, request, askedAtMs)) ?? null,
        occupation: took?.map((step) => occupationStep(step, askedAtMs)) ?? null,
      };
      const isWhole = made.error === null && firstByteMs !== null && lastByteMs !== null;
      return {
        ...onPath,
        mostSentBytes: tcp?.mostSentBytes ?? null,
        processor: took && totalsOf(took),
        steps,
        observed: isWhole
          ? {
              sends: request.direction === 'download' ? 'server' : 'client',
              firstByteMs,
              lastByteMs,
              ...steps,
              linkCpuMs: onPath.path.linkCpuMs,
              offered: quic && offeredBy(quic, request),
            }
          : null,
      };
    },
  };
}

/** The connection as the end that sends knew it; null: it is not QUIC, or that end does not tell. */
async function quicConnection(
  { direction }: TransferRequest,
  { transport = [] }: TransferResult,
  { transportSamples }: ReadyServer,
  { opened }: ObservedConnections,
): Promise<QuicConnection | null> {
  // The server is asked in any case: it keeps what nobody has asked for.
  const server = (await transportSamples?.()) ?? [];
  const connections = direction === 'download' ? server : transport;
  const ports = opened.map(({ clientPort }) => clientPort);
  // The end of an earlier one may be among them.
  return (
    connections.find(({ client }) => ports.some((port) => client.endsWith(`:${port}`))) ?? null
  );
}

function linkStep(
  { atMs, forMs, toServer, toClient }: LinkSample,
  { direction }: TransferRequest,
  askedAtMs: number,
): LinkStep {
  const carried = direction === 'download' ? toClient : toServer;
  return { ...carried, atMs: atMs - askedAtMs, forMs };
}

function occupationStep(
  { atMs, forMs, programs }: ProcessorStep<'client' | 'server'>,
  askedAtMs: number,
): OccupationStep {
  return { atMs: atMs - askedAtMs, forMs, ...programs };
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
