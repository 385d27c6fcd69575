import type { ConnectDetails } from '../../ground/records/connection-attempt.ts';
import {
  type ConnectionTransport,
  defaultTransport,
} from '../../ground/records/connection-transport.ts';
import type { InvocationRecord } from '../../ground/records/invocation.ts';
import type { Observation } from '../../ground/records/observation.ts';
import type { RunRecord } from '../../ground/records/run.ts';

export interface ConnectionLine {
  attempt: Observation;
  /** null: the attempt never began. */
  details: ConnectDetails | null;
  transport: ConnectionTransport;
  server: { ip: string; port: string } | null;
  family: 4 | 6 | null;
  /** Path of the subject's URL. */
  path: string;
  /** Name of the machine that measured; null: unknown. */
  machine: string | null;
}

/** A line for each attempt, in the given order. */
export function connectionLines(
  run: Pick<RunRecord, 'subjects' | 'arms'>,
  attempts: readonly Observation[],
  invocations: readonly Pick<InvocationRecord, 'id' | 'machine'>[] = [],
): ConnectionLine[] {
  const pathOf = new Map(run.subjects.map(({ subject, url }) => [subject, pathIn(url)]));
  const transportOf = new Map(
    run.arms.map(({ arm, transport, protocol }) => [arm, transport ?? defaultTransport(protocol)]),
  );
  const machineOf = new Map(invocations.map(({ id, machine }) => [id, machine]));
  return attempts.map((attempt) => {
    const details = attempt.details as ConnectDetails | null;
    const server = serverIn(details?.address ?? null);
    return {
      attempt,
      details,
      transport:
        details?.transport ?? transportOf.get(attempt.arm) ?? defaultTransport(attempt.protocol),
      server,
      family: server && (server.ip.includes(':') ? 6 : 4),
      path: pathOf.get(attempt.subject) ?? '',
      machine: machineOf.get(attempt.invocation) ?? null,
    };
  });
}

function pathIn(url: string): string {
  return URL.canParse(url) ? new URL(url).pathname : '';
}

/** Parses `ip:port`, `[ip]:port` with IPv6. */
function serverIn(address: string | null): ConnectionLine['server'] {
  const [, bracketed, plain, port] = /^(?:\[(.+)\]|([^[\]]*)):(\d+)$/.exec(address ?? '') ?? [];
  const ip = bracketed ?? plain;
  return ip === undefined || port === undefined ? null : { ip, port };
}
