import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { projectFolder } from '../../ground/system/folders.mjs';

/** A run of the benchmark's command line, as a user starts it. */
export interface Command {
  child: ChildProcess;
  /** Everything printed so far on both streams. */
  output(): string;
  /** Its part on stdout. */
  results(): string;
  /** Resolves with the exit status when it has ended. */
  ended: Promise<number | null>;
  /** Resolves when the output matches. */
  printed(pattern: RegExp): Promise<void>;
  /** Command lines of all processes that descend from it, whichever parent they have now. */
  leftProcesses(): string[];
}

/** Starts `npm run benchmark` with these arguments, but for npm. */
export function startBenchmark(args: string[], env: Record<string, string> = {}): Command {
  return startProgram(['benchmark', ...args], env);
}

/** Starts a command of the program, as its npm script does. */
export function startProgram(
  words: string[],
  env: Record<string, string> = {},
  input: string | null = null,
): Command {
  const program = path.join(projectFolder, 'bin', 'quic-vs-https.ts');
  return startCommand(process.execPath, [program, ...words], env, input);
}

/** Starts a command that measures into a folder; spaces or line breaks separate its words. */
export function startMeasuring(
  words: string,
  out: string,
  env: Record<string, string> = {},
): Command {
  return startProgram([...words.trim().split(/\s+/), '--out', out], env);
}

/** Starts a command, marked so that its descendants can be found. */
export function startCommand(
  program: string,
  args: string[],
  env: Record<string, string | undefined> = {},
  input: string | null = null,
): Command {
  const mark = `QUIC_VS_HTTPS_TEST=${randomUUID()}`;
  const [name, value] = mark.split('=') as [string, string];
  const child = spawn(program, args, {
    cwd: projectFolder,
    env: { ...process.env, ...env, [name]: value },
    stdio: [input === null ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  });
  child.stdin?.end(input);
  let output = '';
  let results = '';
  const waiting = new Set<() => void>();
  child.stdout?.on('data', (text: Buffer) => {
    results += text;
  });
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (text: Buffer) => {
      output += text;
      for (const check of waiting) check();
    });
  }
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  return {
    child,
    output: () => output,
    results: () => results,
    ended,
    printed(pattern) {
      return new Promise((resolve, reject) => {
        const check = () => {
          if (!pattern.test(output)) return;
          waiting.delete(check);
          resolve();
        };
        waiting.add(check);
        check();
        ended.then(() => reject(new Error(`it ended without printing ${pattern}:\n${output}`)));
      });
    },
    leftProcesses: () => processesMarked(mark),
  };
}

function processesMarked(mark: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        if (!readFileSync(`/proc/${pid}/environ`, 'utf8').includes(mark)) return [];
        return [readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')];
      } catch {
        return []; // It ended during the inspection.
      }
    });
}
