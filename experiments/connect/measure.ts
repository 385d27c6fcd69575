import { isIPv6 } from 'node:net';
import { type AskedConnection, type Connector, startConnector } from '../../clients/connector.ts';
import { clientCommand, clientNamed } from '../../clients/index.ts';
import { startWatch } from '../../interference/watch.ts';
import type {
  ConnectDetails,
  FailureReason,
  Resumption,
} from '../../records/connection-attempt.ts';
import type { RunChoices, Trial } from '../../records/run.ts';
import { usualVia } from '../../records/via.ts';
import { withDeadline } from '../../system/deadline.ts';
import { NetworkError } from '../../system/errors.ts';
import { stopwatch } from '../../system/stopwatch.ts';
import { type Attempt, type Bench, type Measuring, NOTHING_SEEN, serverOf } from '../measuring.ts';
import { capturesPackets, writePackets } from '../packets.ts';
import { connect } from './experiment.ts';
import { type IpVersion, type Lookup, sharedLookups } from './lookups.ts';
import { verdictOn } from './verdict.ts';

type Choices = NonNullable<RunChoices['connections']>;

/** Programs that connect, kept for one arm of a group each, so that their own start is in no attempt; with live hosts, for all of a run. */
class Connectors {
  readonly #kept = new Map<string, Connector>();

  of(arm: string, { programs, enter, asked }: ConnectBench): Connector {
    const command = () => clientCommand(clientNamed(asked.client), programs.bun);
    const found = this.#kept.get(arm) ?? startConnector([...enter, ...command()]);
    this.#kept.set(arm, found);
    return found;
  }

  /** Forgets one that has ended or must not be used again. */
  async replace(arm: string): Promise<void> {
    const found = this.#kept.get(arm);
    this.#kept.delete(arm);
    await found?.close();
  }

  async close(): Promise<void> {
    const all = [...this.#kept.values()];
    this.#kept.clear();
    await Promise.all(all.map((each) => each.close()));
  }
}

const OF_RUN = new Connectors();

/** How connections are made. */
export const measuring: Measuring = {
  open(bench) {
    const choices = choicesOf(bench);
    const connectors = choices.live ? OF_RUN : new Connectors();
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
const USUAL: Choices = {
  live: false,
  client: 'bun',
  requests: 0,
  requestPath: null,
  localPort: null,
  trust: null,
  everyMs: null,
};

/** Runs of earlier versions have no such choices. */
function choicesOf({ choices }: Bench): Choices {
  return choices.connections ?? USUAL;
}

/** A bench with what connections need beside it. */
interface ConnectBench extends Bench {
  connectors: Connectors;
  lookups: ReturnType<typeof sharedLookups>;
  asked: Choices;
}

async function measure(trial: Trial, bench: ConnectBench): Promise<Attempt> {
  const { asked, signal } = bench;
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
  if (error !== null || address === null) {
    return { ...verdictOn(error, details), ...NOTHING_SEEN, startedAt, details };
  }
  try {
    const of = { ...details, address, authority };
    return await connected(trial, server, of, startedAt, bench);
  } catch (thrown) {
    // One that has ended, or is still busy, is started again for the next attempt.
    await bench.connectors.replace(trial.arm);
    signal?.throwIfAborted();
    const code = thrown instanceof NetworkError ? 'network-failed' : 'client-failed';
    const message = (thrown as Error).message;
    const failed = { ...details, error: { layer: 'client' as const, code, reason: message } };
    return { outcome: 'failed', code, message, ...NOTHING_SEEN, startedAt, details: failed };
  }
}

async function connected(
  trial: Trial,
  server: Bench['servers'][number],
  { authority, ...details }: ConnectDetails & { address: string; authority: string },
  startedAt: Date,
  bench: ConnectBench,
): Promise<Attempt> {
  const { path, choices, asked, timeoutS } = bench;
  const unable = unableTo(details);
  if (unable !== null) {
    const found = { ...details, error: unable };
    return { ...verdictOn(unable, found), ...NOTHING_SEEN, startedAt, details: found };
  }
  const step = stopwatch();
  const connector = bench.connectors.of(trial.arm, bench);
  const { via, host, address, resumption } = details;
  const connection: AskedConnection = {
    via,
    host,
    authority,
    address,
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
    await path.apply({ ...trial.network, seed: trial.networkSeed });
    const first = await within(connector.connect(primed(connection)), bench);
    stepsMs.prime = step();
    if (first.error !== null) {
      const found = { ...details, facts: first.facts, error: first.error };
      return {
        ...verdictOn(first.error, found),
        ...NOTHING_SEEN,
        stepsMs,
        startedAt,
        details: found,
      };
    }
  }
  await path.apply(
    { ...trial.network, seed: trial.networkSeed },
    { captures: capturesPackets(choices, trial) },
  );
  const watch = startWatch({ serverPid: server.pid, clientPid: connector.pid });
  const { keyLog, facts, error, ...instants } = await within(connector.connect(connection), bench);
  stepsMs.connect = step();
  const found: ConnectDetails = { ...details, facts, error };
  const seen = {
    client: null,
    machine: watch.end(),
    path: asked.live ? null : await path.count(),
    connections: asked.live ? null : await path.connections(keyLog),
    details: found,
    metrics: { ...instants, lookupMs: details.lookupMs },
    stepsMs,
    startedAt,
  };
  const { files, message } = await writePackets(trial, connect, async () => keyLog, bench);
  const verdict = verdictOn(error, found, server.keyExchange);
  if (verdict.outcome !== 'ok' || message === null) return { ...seen, ...verdict, files };
  return { ...seen, outcome: 'failed', code: 'packets-failed', message, files };
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
