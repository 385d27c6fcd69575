import { setTimeout as sleep } from 'node:timers/promises';
import { SIZED_PATHS } from '../../cache/sized-site.ts';
import type { AskedTransfer, TransferMade, Transferrer } from '../../clients/transferrer.ts';
import { startTransferrer } from '../../clients/transferrers.ts';
import { startWatch } from '../../ground/host/watch.ts';
import { congestionControlOf } from '../../ground/records/congestion-control.ts';
import type { MachineUse } from '../../ground/records/machine-use.ts';
import type { Trial } from '../../ground/records/run.ts';
import { withDeadline } from '../../ground/system/deadline.ts';
import { stopwatch } from '../../ground/system/stopwatch.ts';
import { mean } from '../../statistics/mean.ts';
import { failed, type Problem } from '../checks.ts';
import { KeptPrograms } from '../kept-programs.ts';
import {
  type Attempt,
  type Bench,
  type Measuring,
  NOTHING_SEEN,
  notTogether,
  serverOf,
} from '../measuring.ts';
import { writePackets } from '../packets.ts';
import { applyPath, clientFailure, counted, observe } from '../trial.ts';
import { arrivalsOf, startOrders, stepBytesOf } from './arrivals.ts';
import { queueOf } from './bottleneck-queue.ts';
import { judgeFlows, type MadeFlow } from './checks.ts';
import { share } from './experiment.ts';
import { flowsInOrder, mixOf, type PlannedFlow } from './flows.ts';
import { flowsOf } from './planning.ts';
import type { Flow, SharingDetails } from './records.ts';
import { type Sender, SILENT_SENDER, sendersOf, TCP_INFO_MS } from './senders.ts';
import { type Counted, countedOf, sharingOf } from './sharing.ts';

/** A client's program ends its flow by itself; one that does not hangs. */
const ENDED_LATE_MS = 5_000;

/** How flows share a bottleneck: each by a program of its own, kept, so that its start is in no trial. */
export const measuring: Measuring = {
  open(bench) {
    const kept = new KeptPrograms<Transferrer>();
    return {
      isWorn: false,
      async prepare(trial): Promise<Prepared> {
        const block = bench.blockOf(trial);
        const flows = flowsIn(block, bench);
        const left = Promise.withResolvers<void>();
        try {
          const clients = await Promise.all(
            flows.map(({ flow, arm }) =>
              kept.of(flow, () => startTransferrer(share.client, arm, bench)),
            ),
          );
          await Promise.all(clients.map((each) => each.prepare()));
          return { trial, block, flows, clients, left };
        } catch (error) {
          return { trial, block, flows, clients: error as Error, left };
        }
      },
      // The next trial has the same clients.
      settling: (prepared) => (prepared as Prepared).left.promise,
      async measure(prepared) {
        const { clients, ...planned } = prepared as Prepared;
        const made =
          clients instanceof Error
            ? notMade(planned, { code: 'client-failed', message: clients.message })
            : await measure({ ...planned, clients }, bench);
        // One that broke, or is still busy, is started again for the next trial.
        if (made.outcome !== 'ok') await kept.close();
        return made;
      },
      async dispose(prepared) {
        const { clients, left } = prepared as Prepared;
        try {
          if (!(clients instanceof Error)) await Promise.all(clients.map((each) => each.leave()));
        } finally {
          left.resolve();
        }
      },
      close: () => kept.close(),
    };
  },
};

/** The trials of a block with their flows in the order of their starts. */
interface Planned {
  trial: Trial;
  block: readonly Trial[];
  flows: readonly PlannedFlow[];
}

/** The same with a client for each flow. */
interface Ready extends Planned {
  clients: readonly Transferrer[];
}

/** The same, or why there are no clients. */
interface Prepared extends Planned {
  clients: readonly Transferrer[] | Error;
  /** Settled when nothing of it is left. */
  left: PromiseWithResolvers<void>;
}

function flowsIn(block: readonly Trial[], bench: Bench): PlannedFlow[] {
  const [first] = block;
  if (!first) throw new Error('a block without trials');
  const stackOf = (arm: string) => serverOf(arm, bench.servers).stack;
  return flowsInOrder(block, mixOf(flowsOf(bench), first.subject), (arm) => {
    const { stack, controlOf = null } = stackOf(arm);
    return controlOf ?? stack;
  });
}

async function measure(prepared: Ready, bench: Bench): Promise<Attempt> {
  const { trial, block } = prepared;
  const { path, signal } = bench;
  const startedAt = new Date();
  const step = stopwatch();
  try {
    await applyPath(trial, bench, { tcpInfoMs: TCP_INFO_MS });
    const {
      acted: flows,
      machine: machines,
      time,
    } = await observe(
      () => watchAll(prepared, bench),
      () => letFlow(prepared, bench),
    );
    signal?.throwIfAborted();
    const arrivals = flows.map((flow) => flow.arrivals);
    const span = countedOf(arrivals, flowsOf(bench).durationMs);
    const keyLog = flows.map(({ made }) => made.keyLog).join('');
    const { path: counts, connections } = await counted(path, { keyLog: () => keyLog });
    const trialSeen = await trialOf(flows, span, trial, bench);
    const packets = await writePackets(trial, share, async () => keyLog, bench);
    const { isWhole, judgementOf } = judgeFlows(
      { flows, counted: span, packets, time, path: counts },
      trial,
    );
    const sharing = isWhole ? sharingOf(arrivals, span) : null;
    const stepsMs = { flows: step() };
    const attemptOf = (arm: string): Attempt => {
      const own = flows.flatMap((flow, index) => {
        if (flow.arm !== arm) return [];
        const goodputKbps = sharing?.goodputsKbps[index] ?? null;
        const sender = trialSeen.senderOf(flow);
        return [
          flowOf(flow, { goodputKbps, totalKbps: sharing?.totalKbps ?? null, sender }, bench),
        ];
      });
      const { queue, queueMs } = trialSeen;
      const details: SharingDetails = {
        measuredBy: trial.id,
        flows: own,
        path: counts,
        countedFromMs: finite(span.fromMs),
        countedMs: finite(Math.max(0, span.untilMs - span.fromMs)),
        queue,
      };
      const address = Object.values(serverOf(arm, bench.servers).origins);
      return {
        ...judgementOf(arm),
        metrics:
          sharing === null ? {} : metricsOf(own, { ...sharing, flows: flows.length, queueMs }),
        client: null,
        machine: machines.get(arm) ?? null,
        // The link counts the flows of all arms together.
        path: block.length === 1 ? counts : null,
        connections: {
          ...connections,
          opened: connections.opened.filter((each) => address.includes(each.address)),
        },
        details,
        files: arm === trial.arm ? packets.files : {},
        stepsMs,
        startedAt,
      };
    };
    return together(block, trial, attemptOf);
  } catch (error) {
    return notMade(prepared, clientFailure(error as Error, bench), startedAt);
  }
}

/** What is said of a block of which nothing came. */
function notMade(
  { block, trial }: Planned,
  failure: Problem,
  startedAt: Date = new Date(),
): Attempt {
  return together(block, trial, (arm) => ({
    ...(arm === trial.arm ? failed(failure) : notTogether(trial, failure)),
    ...NOTHING_SEEN,
    startedAt,
  }));
}

/** What came of a block, as that of the trial that carried it out. */
function together(
  block: readonly Trial[],
  trial: Trial,
  attemptOf: (arm: string) => Attempt,
): Attempt {
  const others = block.filter(({ arm }) => arm !== trial.arm);
  return {
    ...attemptOf(trial.arm),
    others: new Map(others.map(({ arm }) => [arm, attemptOf(arm)])),
  };
}

/** Watches for each arm its server and its clients. */
function watchAll(prepared: Ready, bench: Bench): { end(): Map<string, MachineUse> } {
  const watches = prepared.block.map(
    ({ arm }) => [arm, startWatch(watchedOf(arm, prepared, bench))] as const,
  );
  return { end: () => new Map(watches.map(([arm, watch]) => [arm, watch.end()])) };
}

/** The server of an arm and the clients of its flows. */
function watchedOf(arm: string, { flows, clients }: Ready, { servers }: Bench) {
  const [client, ...others] = clients.filter((_, index) => flows[index]?.arm === arm);
  if (!client) throw new Error(`no flow of ${arm}`);
  return {
    serverPid: serverOf(arm, servers).pid,
    clientPid: client.pid,
    otherClientPids: others.map(({ pid }) => pid),
  };
}

/** Lets all flows go, one after the other, until all have been there at once for as long as is asked for. */
async function letFlow({ flows, clients }: Ready, bench: Bench): Promise<MadeFlow[]> {
  const { startGapMs } = flowsOf(bench);
  const made = await Promise.all(
    flows.map(async (flow, index) => {
      await sleep(index * startGapMs, null, { signal: bench.signal });
      const durationMs = flowMs({ later: flows.length - 1 - index }, bench);
      const asked = askedOf(flow, durationMs, bench);
      const late = () => {
        throw new Error(`the client of ${flow.flow} did not end its flow in time`);
      };
      const transferring = clients[index]?.transfer(asked) ?? late();
      return withDeadline(transferring, durationMs + 2 * ENDED_LATE_MS, late, bench.signal);
    }),
  );
  const zeroMs = Math.min(...made.map(({ askedAtMs }) => askedAtMs));
  const letGo = flows.map((flow, index) => {
    const own = made[index] as TransferMade;
    const durationMs = flowMs({ later: flows.length - 1 - index }, bench);
    return { ...flow, made: own, arrivals: arrivalsOf(own, { zeroMs, durationMs }) };
  });
  const orders = startOrders(letGo.map(({ arrivals }) => arrivals));
  return letGo.map((flow, index) => ({ ...flow, startOrder: orders[index] as number }));
}

/**
 * How long a flow is let, in ms.
 * @param later how many flows begin after it
 */
function flowMs({ later }: { later: number }, bench: Bench): number {
  const { durationMs, startGapMs } = flowsOf(bench);
  return later * startGapMs + durationMs;
}

function askedOf({ arm }: PlannedFlow, durationMs: number, bench: Bench): AskedTransfer {
  const { hostname: host } = new URL(bench.url);
  const file = bench.manifest?.resources.find(({ url }) => url.endsWith(SIZED_PATHS.download));
  const server = serverOf(arm, bench.servers);
  return {
    protocol: server.stack.protocol,
    host,
    address: server.origins[host] ?? '',
    direction: 'download',
    path: SIZED_PATHS.download,
    bytes: file?.wireBytes ?? 0,
    streams: 1,
    streamWindowBytes: null,
    connectionWindowBytes: null,
    keyExchange: bench.choices.keyExchange,
    congestionControl: null,
    durationMs,
    timeoutMs: durationMs + ENDED_LATE_MS,
  };
}

/** What path and kernel tell of a trial. */
async function trialOf(
  flows: readonly MadeFlow[],
  counted: Counted,
  { network }: Trial,
  bench: Bench,
) {
  const zeroMs = Math.min(...flows.map(({ made }) => made.askedAtMs));
  const senders = await sendersOf(bench, {
    fromMs: zeroMs + counted.fromMs,
    untilMs: zeroMs + counted.untilMs,
  });
  const { longestPacketBytes } = bench.path;
  const seen = queueOf(
    await bench.path.samples(),
    { network, longestPacketBytes },
    { zeroMs, counted },
  );
  return {
    ...seen,
    senderOf: ({ made }: MadeFlow) => senders.get(portOf(made) ?? 0) ?? SILENT_SENDER,
  };
}

function portOf({ clientPorts = [] }: TransferMade): number | null {
  return clientPorts[0] ?? null;
}

function flowOf(
  { arm, flow, startOrder, made, arrivals }: MadeFlow,
  {
    goodputKbps,
    totalKbps,
    sender,
  }: { goodputKbps: number | null; totalKbps: number | null; sender: Sender },
  { choices, servers }: Bench,
): Flow {
  return {
    flow,
    startOrder,
    beganMs: arrivals.beganMs,
    clientPort: portOf(made),
    congestionControl: congestionControlOf(serverOf(arm, servers).stack, choices),
    goodputKbps,
    sharePercent: goodputKbps === null || !totalKbps ? null : (100 * goodputKbps) / totalKbps,
    ...sender,
    stepBytes: stepBytesOf(arrivals),
    error: made.error?.reason ?? null,
  };
}

function metricsOf(
  own: readonly Flow[],
  {
    totalKbps,
    jain,
    timeToFairMs,
    flows,
    queueMs,
  }: ReturnType<typeof sharingOf> & { flows: number; queueMs: number | null },
): Record<string, number | null> {
  const goodputKbps = meanOf(own.map((flow) => flow.goodputKbps));
  return {
    goodputKbps,
    fairSharePercent: goodputKbps === null ? null : (100 * goodputKbps * flows) / totalKbps,
    totalKbps,
    jainIndex: jain,
    timeToFairMs,
    queueMs,
    rttMs: meanOf(own.map(({ rttMs }) => rttMs)),
    retransmitted: meanOf(own.map(({ retransmitted }) => retransmitted)),
  };
}

/** null as soon as one is not known. */
function meanOf(values: readonly (number | null)[]): number | null {
  const known = values.flatMap((value) => value ?? []);
  return known.length < values.length ? null : mean(known);
}

function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
