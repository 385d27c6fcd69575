import { setTimeout as sleep } from 'node:timers/promises';
import { SIZED_PATHS } from '../../cache/sized-site.ts';
import { startTransferClient } from '../../clients/start-transfer-client.ts';
import type {
  TransferClient,
  TransferRequest,
  TransferResult,
} from '../../clients/transfer-client.ts';
import { startMachineWatch } from '../../ground/host/machine-watch.ts';
import { congestionControlOf } from '../../ground/records/congestion-control.ts';
import type { MachineUse } from '../../ground/records/machine-use.ts';
import type { Trial } from '../../ground/records/run.ts';
import { withDeadline } from '../../ground/system/deadline.ts';
import { startStopwatch } from '../../ground/system/stopwatch.ts';
import { mean } from '../../statistics/mean.ts';
import { AttemptEnded } from '../checks.ts';
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
import { applyPath, countPath, makeAttempt } from '../trial.ts';
import { arrivalsOf, startOrders, stepBytesOf } from './arrivals.ts';
import { queueOf } from './bottleneck-queue.ts';
import { type FinishedFlow, failureOf, failuresOf } from './checks.ts';
import { share } from './experiment.ts';
import { flowsInOrder, mixOf, type PlannedFlow } from './flows.ts';
import { flowsOf } from './planning.ts';
import type { Flow, SharingDetails } from './records.ts';
import { type Sender, SILENT_SENDER, sendersOf, TCP_INFO_MS } from './senders.ts';
import { type CountedSpan, countedSpanOf, sharingOf } from './sharing.ts';

/** Time after a flow's duration until the client's own timeout; twice as much until that of the run. */
const ENDED_LATE_MS = 5_000;

/** Each flow has its own client process, kept between trials so that no trial contains its start. */
export const measuring: Measurer = {
  open(bench) {
    const kept = new KeptPrograms<TransferClient>();
    return clientFrom<readonly TransferClient[]>({
      async prepare(trial) {
        const clients = await Promise.all(
          flowsIn(bench.blockOf(trial), bench).map(({ flow, arm }) =>
            kept.of(flow, () => startTransferClient(share.client, arm, bench)),
          ),
        );
        await Promise.all(clients.map((each) => each.prepare()));
        return clients;
      },
      async measure(prepared) {
        const made = await measure(prepared, bench);
        // Failed or busy clients are started again for the next trial.
        if (made.outcome !== 'ok') await kept.close();
        return made;
      },
      // Clients run on for the next trial.
      leave: async (clients) => void (await Promise.all(clients.map((each) => each.leave()))),
      close: () => kept.close(),
    });
  },
};

/** The flows of a block in the order of their starts, with their clients. */
interface Ready {
  block: readonly Trial[];
  flows: readonly PlannedFlow[];
  clients: readonly TransferClient[];
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

function measure(
  { trial: planned, ready: clients }: Prepared<readonly TransferClient[]>,
  bench: Bench,
): Promise<Attempt> {
  const { path, servers } = bench;
  const block = bench.blockOf(planned);
  const step = startStopwatch();
  return makeAttempt(planned, bench, {
    block,
    startedAt: new Date(),
    async begin() {
      if (clients instanceof AttemptEnded) throw clients;
      const ready = { block, flows: flowsIn(block, bench), clients };
      await applyPath(planned, bench, { tcpInfoMs: TCP_INFO_MS });
      return {
        watch: () => watchAll(ready, bench),
        act: async () => ({ flows: await runFlows(ready, bench) }),
        async count({ flows }) {
          const arrivals = flows.map((flow) => flow.arrivals);
          const span = countedSpanOf(arrivals, flowsOf(bench).durationMs);
          const keyLog = flows.map(({ made }) => made.keyLog).join('');
          const onPath = await countPath(path, { keyLog: () => keyLog });
          const bottleneck = await observeBottleneck(flows, span, planned, bench);
          return { ...onPath, ...bottleneck, span, keyLog, stepsMs: {} };
        },
      };
    },
    async write({ keyLog }) {
      const packets = await writePackets(planned, share, async () => keyLog, bench);
      return { ...packets, stepsMs: { flows: step() } };
    },
    failure: (seen, { written, arm }) => failureOf(failuresOf(seen, written.failure), arm),
    checks: () => [],
    result({ flows, span, connections, ...seen }, { written, arm }) {
      const isWhole = failuresOf({ flows, span }, written.failure).size === 0;
      const arrivals = flows.map((flow) => flow.arrivals);
      const sharing = isWhole ? sharingOf(arrivals, span) : null;
      const own = flows.flatMap((flow, index) => {
        if (flow.arm !== arm) return [];
        const goodputKbps = sharing?.goodputsKbps[index] ?? null;
        const sender = seen.senderOf(flow);
        return [
          flowOf(flow, { goodputKbps, totalKbps: sharing?.totalKbps ?? null, sender }, bench),
        ];
      });
      const { queue, queueMs } = seen;
      const details: SharingDetails = {
        measuredBy: planned.id,
        flows: own,
        path: seen.path,
        countedFromMs: finite(span.fromMs),
        countedMs: finite(Math.max(0, span.untilMs - span.fromMs)),
        queue,
      };
      const address = Object.values(serverOf(arm, servers).origins);
      return {
        metrics:
          sharing === null ? {} : metricsOf(own, { ...sharing, flows: flows.length, queueMs }),
        // The link counts the flows of all arms together.
        path: block.length === 1 ? seen.path : null,
        connections: {
          ...connections,
          opened: connections.opened.filter((each) => address.includes(each.address)),
        },
        details,
        stepsMs: written.stepsMs,
      };
    },
  });
}

function watchAll(ready: Ready, bench: Bench): { end(): Map<string, MachineUse> } {
  const watches = ready.block.map(
    ({ arm }) => [arm, startMachineWatch(watchedProcesses(arm, ready, bench))] as const,
  );
  return { end: () => new Map(watches.map(([arm, watch]) => [arm, watch.end()])) };
}

function watchedProcesses(arm: string, { flows, clients }: Ready, { servers }: Bench) {
  const [client, ...otherClients] = clients.filter((_, index) => flows[index]?.arm === arm);
  if (!client) throw new Error(`no flow of ${arm}`);
  return {
    serverPid: serverOf(arm, servers).pid,
    clientPid: client.pid,
    otherClientPids: otherClients.map(({ pid }) => pid),
  };
}

/** Starts all flows, one after another, and runs them until all have been active at once for the planned duration. */
async function runFlows({ flows, clients }: Ready, bench: Bench): Promise<FinishedFlow[]> {
  const { startGapMs } = flowsOf(bench);
  const made = await Promise.all(
    flows.map(async (flow, index) => {
      await sleep(index * startGapMs, null, { signal: bench.signal });
      const durationMs = flowMs({ later: flows.length - 1 - index }, bench);
      const request = transferRequest(flow, durationMs, bench);
      const late = () => {
        throw new Error(`the client of ${flow.flow} did not end its flow in time`);
      };
      const transferring = clients[index]?.transfer(request) ?? late();
      return withDeadline(transferring, durationMs + 2 * ENDED_LATE_MS, late, bench.signal);
    }),
  );
  const zeroMs = Math.min(...made.map(({ requestedAtMs }) => requestedAtMs));
  const finished = flows.map((flow, index) => {
    const own = made[index] as TransferResult;
    const durationMs = flowMs({ later: flows.length - 1 - index }, bench);
    return { ...flow, made: own, arrivals: arrivalsOf(own, { zeroMs, durationMs }) };
  });
  const orders = startOrders(finished.map(({ arrivals }) => arrivals));
  return finished.map((flow, index) => ({ ...flow, startOrder: orders[index] as number }));
}

/**
 * Duration of a flow, in ms.
 * @param later number of flows that begin after it
 */
function flowMs({ later }: { later: number }, bench: Bench): number {
  const { durationMs, startGapMs } = flowsOf(bench);
  return later * startGapMs + durationMs;
}

function transferRequest({ arm }: PlannedFlow, durationMs: number, bench: Bench): TransferRequest {
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

async function observeBottleneck(
  flows: readonly FinishedFlow[],
  counted: CountedSpan,
  { network }: Trial,
  bench: Bench,
) {
  const zeroMs = Math.min(...flows.map(({ made }) => made.requestedAtMs));
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
    senderOf: ({ made }: FinishedFlow) => senders.get(portOf(made) ?? 0) ?? SILENT_SENDER,
  };
}

function portOf({ clientPorts = [] }: TransferResult): number | null {
  return clientPorts[0] ?? null;
}

function flowOf(
  { arm, flow, startOrder, made, arrivals }: FinishedFlow,
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

/** Mean of values; null: one is unknown. */
function meanOf(values: readonly (number | null)[]): number | null {
  const known = values.flatMap((value) => value ?? []);
  return known.length < values.length ? null : mean(known);
}

function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
