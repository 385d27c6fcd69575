import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { processTreeOf } from '../../ground/host/process-tree.ts';
import { readProcesses } from '../../ground/host/processes.ts';
import { temporaryPrefix } from '../../ground/system/temporary-folder.ts';

/** A process of this machine. */
export interface Process {
  pid: number;
  parent: number;
  /** With a null character after each argument. */
  command: string;
}

/** Processes of this machine, without ended ones that are not reaped yet. */
export function processes(): Process[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
        const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
        if (state === 'Z' || state === 'X') return [];
        const command = readFileSync(`/proc/${name}/cmdline`, 'utf8');
        return [{ pid: Number(name), parent: Number(parent), command }];
      } catch {
        // It ended meanwhile.
        return [];
      }
    });
}

/** The path agent of a process. */
export function agentOf(pid: number): Process {
  const agent = processes().find(
    ({ parent, command }) => parent === pid && command.includes('agent.py'),
  );
  assert.ok(agent, `process ${pid} has a path agent`);
  return agent;
}

export function childrenOf({ pid }: Process): Process[] {
  return processes().filter(({ parent }) => parent === pid);
}

/** Processes of the browser that this process started, its main one first. */
export function browserFamily(): Process[] {
  const all = processes();
  const profile = temporaryPrefix('profile', process.pid);
  const main = all.find(
    ({ command }) =>
      [`--profile\0${profile}`, `--user-data-dir=${profile}`].some((each) =>
        command.includes(each),
      ) && !/--type=|-contentproc/.test(command),
  );
  const family = main ? [...processTreeOf(readProcesses(), main.pid)] : [];
  return family.flatMap((pid) => all.find((each) => each.pid === pid) ?? []);
}

/** Waits until processes have ended: a killed one takes a moment. */
export function untilEnded(family: readonly Process[]): Promise<void> {
  return eventually(() => {
    const alive = new Set(processes().map(({ pid }) => pid));
    assert.deepEqual(
      family.filter(({ pid }) => alive.has(pid)),
      [],
    );
  });
}

/** Checks until it holds, for half a minute: on a busy machine starting and ending takes time. */
export async function eventually(check: () => unknown): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt++) {
    try {
      await check();
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
  await check();
}

/** Bytes that have left the network namespace of a process. */
export function sentBytes(pid: number): number {
  const devices = readFileSync(`/proc/${pid}/net/dev`, 'utf8').split('\n').slice(2);
  const counts = devices.map((line) => line.trim().split(/[:\s]+/));
  return counts.reduce(
    (sum, [name, ...each]) => sum + (name === 'lo' ? 0 : Number(each[8] ?? 0)),
    0,
  );
}
