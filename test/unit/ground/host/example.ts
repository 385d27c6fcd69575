import type { Processes, ProcessUse } from '../../../../ground/host/processes.ts';

/**
 * Processes as [pid, parent's pid, more] from short rows; a process is its own session by default.
 */
export function processes(
  ...rows: [pid: number, parentPid: number, more?: Partial<ProcessUse>][]
): Processes {
  return new Map(
    rows.map(([pid, parentPid, more]) => [
      pid,
      { pid, parentPid, session: pid, kernel: false, cpuMs: 0, endedChildrenCpuMs: 0, ...more },
    ]),
  );
}
