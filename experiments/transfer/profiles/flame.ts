import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { collectTail } from '../../../ground/system/bounded-body.ts';
import { type Child, startChild } from '../../../ground/system/child-process.ts';
import { withDeadline } from '../../../ground/system/deadline.ts';
import { foldedText, foldStacks, prunedStacks } from './folded-stacks.ts';
import type { Profiler } from './profiler.ts';

/** Samples per second of processor time, coprime to common timer frequencies. */
const HZ = 1999;

const BEGIN_MS = 10_000;
const END_MS = 10_000;
/** Largest text, below JavaScript's maximum string length of 536,870,888. */
const MOST_TEXT_BYTES = 500_000_000;

/** Narrower frames are not drawn: a chart is a few hundred pixels wide. */
const LEAST_SHARE = 0.004;

/**
 * Samples the stacks of processes with perf: each thread at intervals of its processor time.
 * @param folder for perf's files only
 * @throws Error if perf cannot start
 */
export async function sampleStacks(pids: ReadonlySet<number>, folder: string): Promise<Profiler> {
  const file = path.join(folder, 'perf.data');
  // The kernel's clock: virtual machines often have no cycle counter.
  const child = startChild('perf', [
    ...['record', '-q', '-e', 'cpu-clock', '-F', String(HZ), '-g'],
    // Starts on a command on stdin, and confirms it on stdout.
    ...['-D', '-1', '--control', 'fd:0,1'],
    ...['-p', [...pids].join(), '-o', file],
  ]);
  const begun = await withDeadline(hasBegun(child), BEGIN_MS, () => null);
  if (begun !== true) {
    await child.stop(END_MS);
    throw new Error(`perf could not begin: ${begun ?? 'it took too long'}`);
  }
  return {
    stop: () => child.stop(END_MS),
    async end() {
      await child.stop(END_MS);
      const args = ['script', '-i', file, '-F', 'comm,ip,sym,dso'];
      const { stdout } = await promisify(execFile)('perf', args, { maxBuffer: MOST_TEXT_BYTES });
      const stacks = foldStacks(stdout);
      return {
        suffix: 'folded',
        text: foldedText(stacks),
        found: { hz: HZ, stacks: prunedStacks(stacks, LEAST_SHARE) },
      };
    },
  };
}

/** Resolves to true when perf samples, or to its error output if it ends before. */
async function hasBegun({ process: { stdin, stdout, stderr }, ended }: Child) {
  const said = collectTail(stderr);
  const { promise, resolve } = Promise.withResolvers<true | string>();
  stdout?.once('data', () => resolve(true));
  void ended.then(() => resolve(said().trim() || 'it ended'));
  stdin?.write('enable\n');
  return promise;
}
