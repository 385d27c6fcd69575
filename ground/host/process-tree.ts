import type { Processes, ProcessUse } from './processes.ts';

/**
 * A process with all its descendants, by pid; empty when it has ended. Descendants are found by their parents,
 * and orphans by their session, as all programs that the run starts begin their own session. The session of the
 * process itself is ignored: in a terminal, the shell and all its jobs share it.
 */
export function processTreeOf(processes: Processes, ancestorPid: number): Set<number> {
  const ancestor = processes.get(ancestorPid);
  const family = new Set<number>();
  if (!ancestor) return family;
  const byParent = Map.groupBy(processes.values(), ({ parentPid }) => parentPid);
  const bySession = Map.groupBy(processes.values(), ({ session }) => session);
  const sessions = new Set([ancestor.session]);
  const found: ProcessUse[] = [ancestor];
  for (let one = found.pop(); one; one = found.pop()) {
    if (family.has(one.pid)) continue;
    family.add(one.pid);
    found.push(...(byParent.get(one.pid) ?? []));
    if (sessions.has(one.session)) continue;
    sessions.add(one.session);
    found.push(...(bySession.get(one.session) ?? []));
  }
  return family;
}
