import { isIPv6 } from 'node:net';
import {
  type AskedConnection,
  type Connector,
  startConnector,
  trustedFiles,
} from '../../clients/connector.ts';
import { clientCommand, clientNamed } from '../../clients/index.ts';
import { startWatch } from '../../ground/host/watch.ts';
import type {
  ConnectDetails,
  FailureReason,
  Resumption,
} from '../../ground/records/connection-attempt.ts';
import type { Trial } from '../../ground/records/run.ts';
import { usualVia } from '../../ground/records/via.ts';
import { withDeadline } from '../../ground/system/deadline.ts';
import { stopwatch } from '../../ground/system/stopwatch.ts';
import { failed } from '../checks.ts';
import { KeptPrograms } from '../kept-programs.ts';
import { type Attempt, type Bench, type Measuring, NOTHING_SEEN, serverOf } from '../measuring.ts';
import { writePackets } from '../packets.ts';
import { applyPath, clientFailure, counted, NOT_COUNTED, observe } from '../trial.ts';
import { judgeConnection, unmade } from './checks.ts';
import { type ConnectionChoices, connectionsOf } from './choices.ts';
import { connect } from './experiment.ts';
import { type IpVersion, type Lookup, sharedLookups } from './lookups.ts';

/** Of live hosts, whose programs are kept for all of a run. */
const OF_RUN = new KeptPrograms<Connector>();

/** How connections are made. */
export const measuring: Measuring = {
  open(bench) {
    const choices = choicesOf(bench);
    const connectors = choices.live ? OF_RUN : new KeptPrograms<Connector>();
    const lookups = sharedLookups(bench.timeoutS * 1000);
    return {
      isWorn: false,
      prepare: async (trial) => trial,
      settling: async () => {},
      measure: (trial) =>
        measure(trial as Trial, { ...bench, connectors, lookups, asked: choices }),
      dispose: async () => {},
      close: async () => {
        if (!choices.live) await connectors.close();
      },
    };
  },
  end: () => OF_RUN.close(),
};

/** What holds for connections where nothing else is said. */
const USUAL: ConnectionChoices = {
  live: false,
  client: 'bun',
  requests: 0,
  requestPath: null,
  localPort: null,
  trust: null,
  everyMs: null,
};

/** Runs of earlier versions have no such choices. */
function choicesOf(bench: Bench): ConnectionChoices {
  return connectionsOf(bench) ?? USUAL;
}

/** A bench with what connections need beside it. */
interface ConnectBench extends Bench {
  connectors: KeptPrograms<Connector>;
  lookups: ReturnType<typeof sharedLookups>;
  asked: ConnectionChoices;
}

async function measure(trial: Trial, bench: ConnectBench): Promise<Attempt> {
  const { asked } = bench;
  const { hostname, port, host: authority } = new URL(bench.url);
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const server = serverOf(trial.arm, bench.servers);
  const startedAt = new Date();
  const { address, lookupMs, error } = asked.live
    ? await lookedUp(trial, host, port, bench)
    : { address: server.origins[hostname] ?? null, lookupMs: null, error: null };
  const details: ConnectDetails = {
    via: server.stack.asked?.via ?? usualVia(server.stack.protocol),
    host,
    address,
    lookupMs,
    client: asked.client,
    resumption: resumptionOf(trial),
    facts: null,
    error,
  };
  const notTried = (reason: FailureReason): Attempt => ({
    ...unmade(reason),
    ...NOTHING_SEEN,
    startedAt,
    details: { ...details, error: reason },
  });
  const unable = error ?? unableTo(details);
  if (unable !== null) return notTried(unable);
  try {
    return await connected(trial, server, { ...details, authority }, startedAt, bench);
  } catch (thrown) {
    await bench.connectors.forget(trial.arm);
    const { code, message } = clientFailure(thrown as Error, bench);
    return {
      ...notTried({ layer: 'client', code, reason: message }),
      ...failed({ code, message }),
    };
  }
}

async function connected(
  trial: Trial,
  server: Bench['servers'][number],
  { authority, ...details }: ConnectDetails & { authority: string },
  startedAt: Date,
  bench: ConnectBench,
): Promise<Attempt> {
  const { path, choices, asked, timeoutS } = bench;
  const step = stopwatch();
  const connector = await bench.connectors.of(trial.arm, () => {
    const command = clientCommand(clientNamed(asked.client), bench.programs.bun);
    return startConnector(command, { enter: bench.enter, reads: trustedFiles(asked.trust) });
  });
  const { via, host, address, resumption } = details;
  const connection: AskedConnection = {
    via,
    host,
    authority,
    address: address ?? '',
    resumption,
    awaitsTicket: false,
    // Nothing that is asked for goes over TCP alone.
    request:
      asked.requests === 0 || via === 'tcp' ? null : { path: asked.requestPath ?? pathOf(bench) },
    keyExchange: choices.keyExchange,
    localPort: asked.localPort,
    trust: asked.trust,
    timeoutMs: timeoutS * 1000,
  };
  const stepsMs: Record<string, number> = {};
  if (resumption !== 'none') {
    await applyPath(trial, bench, { captures: false });
    const { facts, error } = await within(connector.connect(primed(connection)), bench);
    stepsMs.prime = step();
    if (error !== null) {
      const found = { ...details, facts, error };
      return { ...unmade(error), ...NOTHING_SEEN, stepsMs, startedAt, details: found };
    }
  }
  await applyPath(trial, bench);
  const { acted, machine, time } = await observe(
    () => startWatch({ serverPid: server.pid, clientPid: connector.pid }),
    async () => {
      const made = await within(connector.connect(connection), bench);
      stepsMs.connect = step();
      return made;
    },
  );
  const { keyLog, facts, error, ...instants } = acted;
  const { path: counts, connections } = asked.live
    ? NOT_COUNTED
    : await counted(path, { keyLog: () => keyLog });
  const found: ConnectDetails = { ...details, facts, error };
  const packets = await writePackets(trial, connect, async () => keyLog, bench);
  return {
    ...judgeConnection(
      { time, path: counts, details: found, packets },
      { network: trial.network, keyExchange: server.keyExchange ?? null },
    ),
    client: null,
    machine,
    path: counts,
    connections,
    details: found,
    metrics: { ...instants, lookupMs: details.lookupMs },
    files: packets.files,
    stepsMs,
    startedAt,
  };
}

/** The client keeps the time itself; one that does not is not waited for. */
const GRACE_MS = 10_000;

function within<Made>(made: Promise<Made>, { timeoutS, signal }: ConnectBench): Promise<Made> {
  const late = () => {
    throw new Error(`the client said nothing within ${timeoutS + GRACE_MS / 1000} s`);
  };
  return withDeadline(made, timeoutS * 1000 + GRACE_MS, late, signal);
}

/** Why the client cannot make such a connection at all, so that nobody is asked for it; null: it can. */
function unableTo({ client, via, resumption }: ConnectDetails): FailureReason | null {
  const { label, resumptions } = clientNamed(client);
  if (resumptions[via]?.includes(resumption)) return null;
  const reason = `${label} cannot connect by ${via} with ${resumption}; it can with ${resumptions[via]?.join(', ') ?? 'nothing'}.`;
  return { layer: 'client', code: 'unsupported', reason };
}

function pathOf({ url }: ConnectBench): string {
  const { pathname, search } = new URL(url);
  return `${pathname}${search}`;
}

/** The connection that brings the ticket for another one. */
function primed(connection: AskedConnection): AskedConnection {
  return { ...connection, resumption: 'none', awaitsTicket: true, request: null };
}

async function lookedUp(
  { subject, block, factors }: Trial,
  host: string,
  port: string,
  { lookups }: ConnectBench,
): Promise<Lookup> {
  const family = (factors.ipv ?? '4') as IpVersion;
  const found = await lookups.of(host, family, `${subject} ${block}`);
  const { address } = found;
  if (address === null) return found;
  return { ...found, address: `${isIPv6(address) ? `[${address}]` : address}:${port || 443}` };
}

function resumptionOf({ factors }: Trial): Resumption {
  return (factors.resumption ?? 'none') as Resumption;
}
