import { isIPv6 } from 'node:net';
import {
  type ConnectionRequest,
  type Connector,
  startConnector,
  trustedFiles,
} from '../../clients/connector.ts';
import { clientCommand, clientFor } from '../../clients/index.ts';
import { startMachineWatch } from '../../ground/host/machine-watch.ts';
import type {
  ConnectDetails,
  FailureReason,
  Resumption,
} from '../../ground/records/connection-attempt.ts';
import { defaultTransport } from '../../ground/records/connection-transport.ts';
import type { Trial } from '../../ground/records/run.ts';
import { withDeadline } from '../../ground/system/deadline.ts';
import { startStopwatch } from '../../ground/system/stopwatch.ts';
import { type AsTable, readAsTable } from '../../network/as-table.ts';
import { AttemptEnded, bindChecks } from '../checks.ts';
import { KeptPrograms } from '../kept-programs.ts';
import { type Attempt, type Bench, clientFrom, type Measurer, serverOf } from '../measuring.ts';
import { writePackets } from '../packets.ts';
import { applyPath, clientFailure, countPath, makeAttempt, PATH_NOT_COUNTED } from '../trial.ts';
import { CHECKS, connectionFailure } from './checks.ts';
import { type ConnectionChoices, connectionsOf } from './choices.ts';
import { connect } from './experiment.ts';
import { type IpVersion, type Lookup, sharedLookups } from './lookups.ts';

/** Clients of live hosts, kept for the whole run. */
const OF_RUN = new KeptPrograms<Connector>();

export const measuring: Measurer = {
  open(bench) {
    const choices = choicesOf(bench);
    const connectors = choices.live ? OF_RUN : new KeptPrograms<Connector>();
    const lookups = sharedLookups(bench.timeoutS * 1000);
    return clientFrom({
      measure: ({ trial }) =>
        measure(trial, { ...bench, connectors, lookups, connectionChoices: choices }),
      close: async () => {
        if (!choices.live) await connectors.close();
      },
    });
  },
  end: () => OF_RUN.close(),
};

const USUAL: ConnectionChoices = {
  live: false,
  client: 'bun',
  requests: 0,
  requestPath: null,
  localPort: null,
  trust: null,
  asTable: null,
  everyMs: null,
};

/** Choices of the run; defaults for runs before format 5.4. */
function choicesOf(bench: Bench): ConnectionChoices {
  return connectionsOf(bench) ?? USUAL;
}

interface ConnectBench extends Bench {
  connectors: KeptPrograms<Connector>;
  lookups: ReturnType<typeof sharedLookups>;
  connectionChoices: ConnectionChoices;
}

async function measure(planned: Trial, bench: ConnectBench): Promise<Attempt> {
  const { connectionChoices, path, connectors } = bench;
  const { hostname, port, host: authority } = new URL(bench.url);
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const server = serverOf(planned.arm, bench.servers);
  // Read before the run, unless another invocation began it.
  const { asTable = null } = connectionChoices;
  const systems = asTable === null ? null : await readAsTable(asTable);
  const startedAt = new Date();
  const { address, lookupMs, error, ...system } = connectionChoices.live
    ? await lookUpAddress(planned, host, port, bench, systems)
    : { address: server.origins[hostname] ?? null, lookupMs: null, error: null };
  const details: ConnectDetails = {
    transport: server.stack.serverStack?.transport ?? defaultTransport(server.stack.protocol),
    host,
    address,
    ...system,
    lookupMs,
    client: connectionChoices.client,
    resumption: resumptionOf(planned),
    facts: null,
    error,
  };
  const { transport, resumption } = details;
  return makeAttempt(planned, bench, {
    startedAt,
    async begin() {
      const unable = error ?? unsupportedReason(details);
      if (unable)
        throw new AttemptEnded(connectionFailure(unable), {
          details: { ...details, error: unable },
        });
      const step = startStopwatch();
      const stepsMs: Record<string, number> = {};
      const connector = await connectors.of(planned.arm, () => {
        const client = clientFor('connect', connectionChoices.client);
        const command = clientCommand(client, client.connect.program, bench.programs.bun);
        return startConnector(command, {
          enter: bench.enter,
          reads: trustedFiles(connectionChoices.trust),
        });
      });
      const connection: ConnectionRequest = {
        transport,
        host,
        authority,
        address: address ?? '',
        resumption,
        awaitsTicket: false,
        // TCP alone carries no request.
        request:
          connectionChoices.requests === 0 || transport === 'tcp'
            ? null
            : { path: connectionChoices.requestPath ?? pathOf(bench) },
        keyExchange: bench.choices.keyExchange,
        localPort: connectionChoices.localPort,
        trust: connectionChoices.trust,
        timeoutMs: bench.timeoutS * 1000,
      };
      if (resumption !== 'none') {
        await applyPath(planned, bench, { captures: false });
        const primed = await withTimeout(connector.connect(primingRequest(connection)), bench);
        stepsMs.prime = step();
        if (primed.error !== null) {
          const found = { ...details, facts: primed.facts, error: primed.error };
          throw new AttemptEnded(connectionFailure(primed.error), { stepsMs, details: found });
        }
      }
      await applyPath(planned, bench);
      return {
        watch: () => startMachineWatch({ serverPid: server.pid, clientPid: connector.pid }),
        async act() {
          const made = await withTimeout(connector.connect(connection), bench);
          stepsMs.connect = step();
          return { made };
        },
        async count({ made: { facts, error, keyLog } }) {
          const onPath = connectionChoices.live
            ? PATH_NOT_COUNTED
            : await countPath(path, { keyLog: () => keyLog });
          return { ...onPath, details: { ...details, facts, error }, stepsMs };
        },
      };
    },
    async endedBy(thrown) {
      const { judgement } = await connectors.endedBy(planned.arm, thrown, bench);
      const { code, message: reason } = clientFailure(thrown, bench);
      return new AttemptEnded(judgement, {
        details: { ...details, error: { layer: 'client', code, reason } },
      });
    },
    write: ({ made }) => writePackets(planned, connect, async () => made.keyLog, bench),
    failure: ({ details: { error } }) => error && connectionFailure(error),
    checks: (seen) => bindChecks(CHECKS, seen, { keyExchange: server.keyExchange ?? null }),
    result({ made, details }) {
      const { keyLog: _, facts: __, error: ___, ...times } = made;
      return { metrics: { ...times, lookupMs }, details };
    },
  });
}

/** Added to the client's own timeout, for a client that does not keep it. */
const GRACE_MS = 10_000;

function withTimeout<Made>(made: Promise<Made>, { timeoutS, signal }: ConnectBench): Promise<Made> {
  const late = () => {
    throw new Error(`no result of the client within ${timeoutS + GRACE_MS / 1000} s`);
  };
  return withDeadline(made, timeoutS * 1000 + GRACE_MS, late, signal);
}

/** Why the client cannot make such a connection, which is then not attempted; null: it can. */
function unsupportedReason({
  client,
  transport,
  resumption,
}: ConnectDetails): FailureReason | null {
  const { label, connect } = clientFor('connect', client);
  const { resumptions } = connect;
  if (resumptions[transport]?.includes(resumption)) return null;
  const reason = `${label} cannot connect by ${transport} with ${resumption}; supported: ${resumptions[transport]?.join(', ') ?? 'nothing'}.`;
  return { layer: 'client', code: 'unsupported', reason };
}

function pathOf({ url }: ConnectBench): string {
  const { pathname, search } = new URL(url);
  return `${pathname}${search}`;
}

/** The connection that obtains the ticket. */
function primingRequest(connection: ConnectionRequest): ConnectionRequest {
  return { ...connection, resumption: 'none', awaitsTicket: true, request: null };
}

async function lookUpAddress(
  { subject, block, factors }: Trial,
  host: string,
  port: string,
  { lookups }: ConnectBench,
  systems: AsTable | null,
): Promise<Lookup & Pick<ConnectDetails, 'autonomousSystem'>> {
  const family = (factors.ipv ?? '4') as IpVersion;
  const found = await lookups.of(host, family, `${subject} ${block}`);
  const { address } = found;
  if (address === null) return found;
  return {
    ...found,
    address: `${isIPv6(address) ? `[${address}]` : address}:${port || 443}`,
    ...(systems && { autonomousSystem: systems.find(address) }),
  };
}

function resumptionOf({ factors }: Trial): Resumption {
  return (factors.resumption ?? 'none') as Resumption;
}
