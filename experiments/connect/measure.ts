import { BUN_CONNECT } from '../../clients/bun/connect.ts';
import { type Connector, startConnector } from '../../clients/connector.ts';
import { startWatch } from '../../interference/watch.ts';
import type { ConnectDetails } from '../../records/connection-attempt.ts';
import type { Trial } from '../../records/run.ts';
import { NetworkError } from '../../system/errors.ts';
import { stopwatch } from '../../system/stopwatch.ts';
import { type Attempt, type Bench, type Measuring, serverOf } from '../measuring.ts';
import { capturesPackets, writePackets } from '../packets.ts';
import { connect } from './experiment.ts';

/** How connections are made: by a program that is kept for each arm, so that its own start is in none of them. */
export const measuring: Measuring = {
  open(bench) {
    const connectors = new Map<string, Connector>();
    const connectorOf = (arm: string) => {
      const found =
        connectors.get(arm) ?? startConnector([...bench.enter, bench.programs.bun, BUN_CONNECT]);
      connectors.set(arm, found);
      return found;
    };
    return {
      isWorn: false,
      prepare: async (trial) => trial,
      settling: async () => {},
      measure: (trial) => measure(trial as Trial, connectorOf((trial as Trial).arm), bench),
      dispose: async () => {},
      async close() {
        await Promise.all([...connectors.values()].map((each) => each.close()));
        connectors.clear();
      },
    };
  },
};

async function measure(trial: Trial, connector: Connector, bench: Bench): Promise<Attempt> {
  const { path, manifest, timeoutS, signal } = bench;
  const server = serverOf(trial.arm, bench.servers);
  const { hostname: host } = new URL(manifest.url);
  const address = server.origins[host] ?? '';
  const via = server.stack.protocol === 'h3' ? 'quic' : 'tls1.3';
  const startedAt = new Date();
  const step = stopwatch();
  const captures = capturesPackets(bench.choices, trial);
  try {
    await path.apply({ ...trial.network, seed: trial.networkSeed }, { captures });
    const watch = startWatch({ serverPid: server.pid, clientPid: connector.pid });
    const { keyLog, facts, error, ...instants } = await connector.connect({
      via,
      host,
      address,
      resumption: 'none',
      awaitsTicket: false,
      request: null,
      localPort: null,
      trust: null,
      timeoutMs: timeoutS * 1000,
    });
    const details: ConnectDetails = {
      via,
      host,
      address,
      lookupMs: null,
      client: 'bun',
      resumption: 'none',
      facts,
      error,
    };
    signal?.throwIfAborted();
    const seen = {
      client: null,
      machine: watch.end(),
      path: await path.count(),
      connections: await path.connections(),
      details,
      stepsMs: { connect: step() },
      startedAt,
    };
    const { files, message } = await writePackets(trial, connect, async () => keyLog, bench);
    if (error !== null) return { ...failed('handshake-failed', error.reason), ...seen, files };
    if (message !== null) return { ...failed('packets-failed', message), ...seen, files };
    return { outcome: 'ok', code: null, message: null, metrics: { ...instants }, ...seen, files };
  } catch (error) {
    signal?.throwIfAborted();
    const code = error instanceof NetworkError ? 'network-failed' : 'client-failed';
    return { ...failed(code, (error as Error).message), ...NOTHING_SEEN, startedAt };
  }
}

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
