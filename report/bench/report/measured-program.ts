import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

export interface Usage {
  wallS: number;
  /** User and system, all threads. */
  cpuS: number;
  peakRssMb: number;
}

/**
 * Runs a program of the project in a process of its own and measures it.
 * @param words options of node, the program's file and its arguments
 * @throws Error when it does not end with status 0; its message has what the program said
 */
export async function measureProgram(words: readonly string[]): Promise<Usage> {
  const probe = fileURLToPath(import.meta.resolve('./usage-probe.ts'));
  const startedMs = performance.now();
  const child = spawn(process.execPath, ['--import', probe, ...words], {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  });
  const [, , stderr, usage] = child.stdio;
  const [[status], complaint, measured] = await Promise.all([
    once(child, 'close'),
    text(stderr as NodeJS.ReadableStream),
    text(usage as NodeJS.ReadableStream),
  ]);
  if (status !== 0) throw new Error(`${words.join(' ')} ended with status ${status}: ${complaint}`);
  return { wallS: (performance.now() - startedMs) / 1000, ...JSON.parse(measured) };
}
