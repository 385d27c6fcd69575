import type { Processes } from './processes.ts';

/**
 * Processor time in ms that some processes took between two moments, with their children that were
 * started and ended in between. What a process had used before the first moment is not counted a second
 * time when it ends and its time goes to the process that waited for it. Single processes are exact to
 * 20 ms, with errors of either sign; what the kernel gives to nobody (a child that nobody waits for) is missing.
 */
export function cpuTimeMs(
  before: Processes,
  after: Processes,
  isMember: (pid: number) => boolean,
): number {
  let ownMs = 0;
  const fromEndedMs = new Map<number, number>();
  for (const process of after.values()) {
    if (!isMember(process.pid)) continue;
    const earlier = before.get(process.pid);
    ownMs += Math.max(0, process.cpuMs - (earlier?.cpuMs ?? 0));
    const gainedMs = process.endedChildrenCpuMs - (earlier?.endedChildrenCpuMs ?? 0);
    if (gainedMs > 0) fromEndedMs.set(process.pid, gainedMs);
  }
  for (const process of before.values()) {
    if (after.has(process.pid)) continue;
    const heir = heirOf(process.pid, before, after);
    const gainedMs = heir === null ? undefined : fromEndedMs.get(heir);
    if (heir === null || gainedMs === undefined) continue;
    fromEndedMs.set(heir, gainedMs - process.cpuMs - process.endedChildrenCpuMs);
  }
  for (const gainedMs of fromEndedMs.values()) ownMs += Math.max(0, gainedMs);
  return ownMs;
}

/** The nearest ancestor that is still there: ended processes hand their time on, from child to parent. */
function heirOf(pid: number, before: Processes, after: Processes): number | null {
  let heir = before.get(pid)?.parentPid;
  while (heir !== undefined && !after.has(heir)) heir = before.get(heir)?.parentPid;
  return heir ?? null;
}
