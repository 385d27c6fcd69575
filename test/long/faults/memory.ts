import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type RunProcess, signalAll } from '../../e2e/run-processes.ts';

const LIMIT_BYTES = 256 * 1024;

/**
 * Limits processes to little more memory than they have, so that the kernel's OOM killer ends them;
 * without control groups, they are ended as it would end them.
 */
export async function withLittleMemory(
  processes: readonly RunProcess[],
): Promise<(() => Promise<void>) | null> {
  if (processes.length === 0) return null;
  const group = makeGroup();
  if (group === null) {
    signalAll(processes, 'SIGKILL');
    return async () => {};
  }
  for (const { pid } of processes) {
    try {
      writeFileSync(path.join(group, 'cgroup.procs'), `${pid}`);
    } catch {
      // It ended meanwhile.
    }
  }
  return async () => {
    signalAll(processes, 'SIGKILL');
    for (let wait = 0; wait < 50; wait++) {
      try {
        rmdirSync(group);
        return;
      } catch {
        await sleep(100); // Killed processes may take a moment to go.
      }
    }
  };
}

/** Whether this machine lets us limit the memory of processes. */
export function canLimitMemory(): boolean {
  const group = makeGroup();
  if (group !== null) rmdirSync(group);
  return group !== null;
}

/**
 * A control group of version 2 or 1; memory that its processes have already does not count in it.
 */
function makeGroup(): string | null {
  const name = `quic-vs-https-faults-${process.pid}`;
  for (const [folder, limit] of [
    ['/sys/fs/cgroup', 'memory.max'],
    ['/sys/fs/cgroup/memory', 'memory.limit_in_bytes'],
  ] as const) {
    const group = path.join(folder, name);
    try {
      mkdirSync(group, { recursive: true });
      if (existsSync(path.join(group, limit))) {
        writeFileSync(path.join(group, limit), `${LIMIT_BYTES}`);
        return group;
      }
      rmdirSync(group);
    } catch {
      // We may not make it.
    }
  }
  return null;
}
