import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { startChild } from '../../../system/child-process.ts';
import { foldedText, foldStacks, prunedStacks } from './folded-stacks.ts';
import type { Profiler } from './profiler.ts';

/** No multiple of what timers tick with. */
const HZ = 1999;

const BEGIN_MS = 10_000;
const END_MS = 10_000;
const MOST_TEXT_BYTES = 1_000_000_000;

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
    ...['-p', [...pids].join(), '-o', file],
  ]);
  let said = '';
  child.process.stderr?.on('data', (text) => {
    said += text;
  });
  // The header is written right before it begins.
  for (let waitedMs = 0; !(await hasBytes(file)); waitedMs += 10) {
    if (child.end !== null || waitedMs > BEGIN_MS) {
      await child.stop(END_MS);
      throw new Error(`perf could not begin: ${said.trim() || 'it took too long'}`);
    }
    await sleep(10);
  }
  return {
    stop: () => child.stop(END_MS),
    async end() {
      await child.stop(END_MS);
      const args = ['script', '-i', file, '-F', 'comm,ip,sym,dso'];
      const { stdout } = await promisify(execFile)('perf', args, { maxBuffer: MOST_TEXT_BYTES });
      const stacks = foldStacks(stdout);
      return {
        ending: 'folded',
        text: foldedText(stacks),
        found: { hz: HZ, stacks: prunedStacks(stacks, LEAST_SHARE) },
      };
    },
  };
}

async function hasBytes(file: string): Promise<boolean> {
  const found = await stat(file).catch(() => null);
  return (found?.size ?? 0) > 0;
}
