import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { collectTail } from '../../../ground/system/bounded-body.ts';
import { type Child, startChild } from '../../../ground/system/child-process.ts';
import { withDeadline } from '../../../ground/system/deadline.ts';
import { foldedText, foldStacks, prunedStacks } from './folded-stacks.ts';
import type { Profiler } from './profiler.ts';

/** No multiple of what timers tick with. */
const HZ = 1999;

const BEGIN_MS = 10_000;
const END_MS = 10_000;
/** JavaScript's longest text has 536,870,888 characters. */
const MOST_TEXT_BYTES = 500_000_000;

/** What is narrower is not drawn: a chart has some hundred pixels. */
const LEAST_SHARE = 0.004;

/**
 * Has perf look at what some processes do, again and again: at every thread after the same processor time.
 * @param folder of its own, for what perf writes
 * @throws Error when perf cannot begin
 */
export async function sampleStacks(pids: ReadonlySet<number>, folder: string): Promise<Profiler> {
  const file = path.join(folder, 'perf.data');
  // Processor time by the kernel's clock: virtual machines often have no counter of cycles.
  const child = startChild('perf', [
    ...['record', '-q', '-e', 'cpu-clock', '-F', String(HZ), '-g'],
    // It begins when it is told to on its stdin, and says on its stdout that it has.
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

/** Resolves when perf samples, or with what it said when it ended before. */
async function hasBegun({ process: { stdin, stdout, stderr }, ended }: Child) {
  const said = collectTail(stderr);
  const { promise, resolve } = Promise.withResolvers<true | string>();
  stdout?.once('data', () => resolve(true));
  void ended.then(() => resolve(said().trim() || 'it ended'));
  stdin?.write('enable\n');
  return promise;
}
