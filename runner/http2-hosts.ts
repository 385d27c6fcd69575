import { http2ArmOf } from '../ground/records/hosts-by-protocol.ts';
import { isOverQuic } from '../ground/records/protocol.ts';
import type { PlannedSubject, PlanRecord } from '../ground/records/run.ts';
import type { ServerError } from '../ground/system/errors.ts';
import type { Server } from './servers.ts';

/** Arms over HTTP/3 that load hosts of a subject from the server of an arm over HTTP/2, with that arm. */
export function http2Arms(
  { hostsByProtocol }: Pick<PlannedSubject, 'hostsByProtocol'>,
  plan: Pick<PlanRecord, 'arms' | 'analysis'>,
): ReadonlyMap<string, string> {
  const arms = hostsByProtocol?.h2.length
    ? plan.arms.filter(({ protocol }) => isOverQuic(protocol))
    : [];
  return new Map(
    arms.flatMap((each) => {
      const other = http2ArmOf(each, plan);
      return other === null ? [] : [[each.arm, other] as const];
    }),
  );
}

interface Started {
  servers: readonly Server[];
  /** Arms whose servers did not start, and why. */
  failed: ReadonlyMap<string, ServerError>;
}

/** Lets the hosts without HTTP/3 of each of these arms lead to the server of its arm over HTTP/2, and fails the arm if that did not start. */
export function withHttp2Hosts(
  { servers, failed }: Started,
  hosts: readonly string[],
  arms: ReadonlyMap<string, string>,
): Started {
  const allFailed = new Map(failed);
  const composed = servers.flatMap((server) => {
    const arm = server.stack.stack;
    const other = arms.get(arm);
    if (other === undefined) return server;
    const reason = failed.get(other);
    if (reason) allFailed.set(arm, reason);
    const overTcp = servers.find(({ stack }) => stack.stack === other);
    return overTcp ? composedOf(server, overTcp, hosts) : [];
  });
  return { servers: composed, failed: allFailed };
}

function composedOf(server: Server, overTcp: Server, hosts: readonly string[]): Server {
  const both = [server, overTcp];
  const origins = Object.entries(overTcp.origins).filter(([host]) => hosts.includes(host));
  return {
    ...server,
    origins: { ...server.origins, ...Object.fromEntries(origins) },
    http2Hosts: hosts,
    http2Pids: overTcp.pid === null ? [] : [overTcp.pid],
    spkiPins: [...new Set(both.flatMap(({ spkiPins }) => spkiPins))],
    assertAlive() {
      for (const each of both) each.assertAlive();
    },
    async assertAnswers() {
      for (const each of both) await each.assertAnswers?.();
    },
  };
}
