import { type ChildProcess, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { withTemporaryFolder } from '../temporary-folder.ts';
import { copyProject } from './copy.ts';
import { cutSlice } from './cut.ts';
import { KINDS, removableSlices, type Slice } from './kinds.ts';
import { idsOf, mentionsOf, sourcesOf } from './mentions.ts';
import { halvesOf, outermost } from './rounds.ts';

const USAGE = `Usage: npm run test:amputation -- [--each] [SLICE...]
  Removes slices from copies of the project, and runs type check and unit tests in each: a slice is a folder of ${KINDS.map(({ folder }) => folder).join(', ')}.
  By default unit tests run without one half of the slices of every kind, and without the other half; the type check also runs
  without each slice alone.
  SLICE   name of a folder, or its path; default: all
  --each  runs unit tests without each slice alone`;

const root = path.join(import.meta.dirname, '..', '..');
const bin = path.join(root, 'node_modules', '.bin');

interface Outcome {
  slices: readonly Slice[];
  removed: readonly string[];
  /** Output of a failed step; null: it passed; absent: it was not run. */
  docs?: string | null;
  types?: string | null;
  tests?: string | null;
  seconds: number;
}

const STEPS = {
  docs: ['node', 'bin/docs.ts'],
  types: ['tsc', '--noEmit'],
  tests: ['npm', 'run', '--silent', 'test:unit'],
} as const;

/** Characters kept of a failed step's output. */
const MAX_SHOWN = 20_000;

let running: ChildProcess | null = null;
/** Path of the copy while it exists. */
let copy: string | null = null;

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    endRunning();
    if (copy !== null) rmSync(copy, { recursive: true, force: true });
    process.exit(signal === 'SIGINT' ? 130 : 143);
  });
}

const { values, positionals } = parseArgs({
  options: { each: { type: 'boolean', default: false }, help: { type: 'boolean', short: 'h' } },
  allowPositionals: true,
});

if (values.help) console.log(USAGE);
else process.exitCode = await main(positionals, values.each);

async function main(names: readonly string[], each: boolean): Promise<number> {
  const all = removableSlices(root);
  const isNamed = ({ name, folder }: Slice) => names.includes(name) || names.includes(folder);
  const unknown = names.find(
    (word) => !all.some(({ name, folder }) => [name, folder].includes(word)),
  );
  if (unknown !== undefined) {
    console.error(
      `No slice ${unknown} can be removed. Slices: ${all.map(({ folder }) => folder).join(', ')}.`,
    );
    return 2;
  }
  const slices = names.length === 0 ? all : all.filter(isNamed);
  const together = each || slices.length === 1 ? [] : halvesOf(slices);
  const stepsAlone = together.length === 0 ? STEPS : { docs: STEPS.docs, types: STEPS.types };
  const sources = sourcesOf(root);
  console.log(row(['removed', 'lines', 'documentation', 'type check', 'unit tests', 'seconds']));
  const rounds = [
    ...together.map((round) => ({ round, steps: STEPS })),
    ...slices.map((slice) => ({ round: [slice], steps: stepsAlone })),
  ];
  let isEveryOneOk = true;
  for (const { round, steps } of rounds) {
    const outcome = await removed(await withDependents(round, all, sources), steps);
    console.log(lineOf(outcome));
    for (const output of [outcome.docs, outcome.types, outcome.tests]) {
      if (output != null) console.log(output);
    }
    isEveryOneOk &&= isOk(outcome);
  }
  return isEveryOneOk ? 0 : 1;
}

/** These slices with those that depend on them. */
async function withDependents(
  slices: readonly Slice[],
  all: readonly Slice[],
  sources: ReadonlyMap<string, string>,
): Promise<Slice[]> {
  const found = new Set(slices);
  for (const slice of slices) {
    const files = mentionsOf(slice, await idsOf(root, slice), sources).map(({ file }) => file);
    for (const other of all) {
      const builds = other.kind.buildsOn?.includes(slice.kind.kind);
      if (builds && files.some((file) => file.startsWith(`${other.folder}/`))) found.add(other);
    }
  }
  return outermost([...found]);
}

/** State of the project without these slices. */
async function removed(slices: readonly Slice[], steps: Partial<typeof STEPS>): Promise<Outcome> {
  const started = performance.now();
  return withTemporaryFolder(async (folder) => {
    copy = folder;
    try {
      copyProject(root, folder);
      const lines = slices.flatMap((slice) => cutSlice(folder, slice));
      const results: Partial<Record<keyof typeof STEPS, string | null>> = {};
      for (const [step, command] of Object.entries(steps)) {
        results[step as keyof typeof STEPS] = await run(command, folder);
      }
      const seconds = (performance.now() - started) / 1000;
      return { slices, removed: lines, ...results, seconds };
    } finally {
      copy = null;
    }
  });
}

/**
 * Runs a command in its own process group. Returns the end of its output if it fails, else null.
 */
async function run([program, ...words]: readonly string[], cwd: string): Promise<string | null> {
  const child = spawn(program as string, words, {
    cwd,
    env: { ...process.env, PATH: `${bin}${path.delimiter}${process.env.PATH}` },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  running = child;
  let output = '';
  const add = (text: string) => {
    output += text;
  };
  child.stdout.setEncoding('utf8').on('data', add);
  child.stderr.setEncoding('utf8').on('data', add);
  const { promise, resolve, reject } = Promise.withResolvers<number | null>();
  child.once('error', reject).once('close', resolve);
  try {
    const status = await promise;
    return status === 0 ? null : failures(output);
  } finally {
    running = null;
  }
}

/** The list of failing tests if there is one, else the end. */
function failures(output: string): string {
  const [, list = output] = output.split(/^.*failing tests:$/m);
  return list.slice(-MAX_SHOWN);
}

function endRunning(): void {
  if (running?.pid === undefined) return;
  try {
    process.kill(-running.pid, 'SIGKILL');
  } catch {
    // It has just ended.
  }
}

function isOk({ docs, types, tests }: Outcome): boolean {
  return [docs, types, tests].every((output) => output == null);
}

function lineOf({ slices, removed: lines, docs, types, tests, seconds }: Outcome): string {
  const words = [docs, types, tests].map((output) =>
    output === undefined ? 'not run' : output === null ? 'ok' : 'FAILED',
  );
  const name = slices.map((slice) => `${slice.kind.kind} ${slice.name}`).join(', ');
  return row([name, String(lines.length), ...words, seconds.toFixed(0)]);
}

function row([name = '', ...cells]: readonly string[]): string {
  return [...cells.map((cell) => cell.padEnd(13)), name].join(' ');
}
