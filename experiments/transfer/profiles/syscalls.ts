import path from 'node:path';
import { collectTail } from '../../../ground/system/bounded-body.ts';
import { type Child, startChild } from '../../../ground/system/child-process.ts';
import { withDeadline } from '../../../ground/system/deadline.ts';
import { readPlainText } from '../../../ground/system/plain-file.ts';
import type { SystemCall } from './profile.ts';
import type { Profiler } from './profiler.ts';

/** strace attaches to one thread after the other. */
const ATTACH_MS = 10_000;

/** Enough for strace's output on processes with hundreds of threads. */
const ATTACHED_CHARACTERS = 1_000_000;

const END_MS = 10_000;

/**
 * Counts the system calls of processes with strace, including all threads and child processes.
 * @param folder for strace's files only
 * @throws Error if strace cannot attach
 */
export async function countSystemCalls(
  pids: ReadonlySet<number>,
  folder: string,
): Promise<Profiler> {
  const file = path.join(folder, 'strace.txt');
  const targets = [...pids].flatMap((pid) => ['-p', String(pid)]);
  const child = startChild('strace', ['-f', '-c', '-o', file, ...targets]);
  const attached = await withDeadline(attachedTo(child, pids.size), ATTACH_MS, () => null);
  if (attached !== true) {
    await child.stop(END_MS);
    throw new Error(`strace could not be attached: ${attached ?? 'it took too long'}`);
  }
  return {
    stop: () => child.stop(END_MS),
    async end() {
      await child.stop(END_MS);
      const text = await readPlainText(file);
      return { suffix: 'syscalls.txt', text, found: { calls: parseCounts(text) } };
    },
  };
}

/** Resolves to true when strace is attached to all processes, or to its error output if it ends before. */
async function attachedTo({ process: { stderr }, ended }: Child, processes: number) {
  const said = collectTail(stderr, ATTACHED_CHARACTERS);
  const { promise, resolve } = Promise.withResolvers<true | string>();
  stderr?.on('data', () => {
    if ((said().match(/^strace: Process \d+ attached/gm) ?? []).length >= processes) resolve(true);
  });
  void ended.then(() => resolve(said().trim() || 'it ended'));
  return promise;
}

/**
 * Reads the summary of `strace -c`, without its last line, the sum.
 * @example parseCounts('  60.00    0.000300           3       100         5 read') // [{ name: 'read', calls: 100, errors: 5, cpuMs: 0.3 }]
 */
export function parseCounts(text: string): SystemCall[] {
  return text.split('\n').flatMap((line) => {
    const [, seconds, calls, errors = '0', name] =
      /^\s*[\d.]+\s+([\d.]+)\s+\d+\s+(\d+)\s+(?:(\d+)\s+)?([a-z_]\w*)\s*$/.exec(line) ?? [];
    if (seconds === undefined || name === undefined || name === 'total') return [];
    // strace counts microseconds.
    return [
      {
        name,
        calls: Number(calls),
        errors: Number(errors),
        cpuMs: Math.round(1e6 * Number(seconds)) / 1000,
      },
    ];
  });
}
