import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { withTemporaryFolder } from '../temporary-folder.ts';
import { FORMATS } from './fuzz-importers/formats.ts';
import { choicesOf } from './fuzz-importers/random.ts';
import type { Finding, WorkerTally, WorkerTask } from './fuzz-importers/worker.ts';

const INPUTS = 2_000;
/** A capture takes some hundred times as long as an archive. */
const SLOWER = 50;

const USAGE = `Usage: node test/long/fuzz-importers.ts [--format FORMAT] [--seed N] [--inputs N] [--from N] [--keep FOLDER]
  Imports archives, and reads traces, tables and captures, that are damaged or hostile, each into a cache of its own. Finds: any
  error but one for users, more than a second of processor time, memory that runs out, files outside of the cache, sites that cannot
  be read.
  --format FORMAT  one of ${Object.keys(FORMATS).join(', ')}; default: all, one after the other
  --seed N         the same seed gives the same archives; default 1
  --inputs N       archives for each format; default ${INPUTS}, of captures, which tshark reads, ${INPUTS / SLOWER}: some minutes
  --from N         number of the first one; default 0. With --inputs 1: this one alone
  --keep FOLDER    writes the archives of findings there`;

/** An input that takes longer than this wall time, twice, hangs on any machine. */
const HANG_MS = 30_000;
const HANGS = 'it hangs';
/** Interval of progress reports. */
const PROGRESS_MS = 60_000;
/** Findings of one format after which it is given up. */
const MAX_FINDINGS = 20;

const { values } = parseArgs({
  options: {
    format: { type: 'string' },
    seed: { type: 'string', default: '1' },
    inputs: { type: 'string' },
    from: { type: 'string', default: '0' },
    keep: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  },
});

if (values.help) console.log(USAGE);
else process.exitCode = await main();

async function main(): Promise<number> {
  const seed = Number(values.seed);
  const from = Number(values.from);
  const inputsOf = (format: string) =>
    Number(values.inputs ?? (format === 'capture' ? INPUTS / SLOWER : INPUTS));
  const formats = values.format === undefined ? Object.keys(FORMATS) : [values.format];
  if (
    ![seed, from, inputsOf('')].every(Number.isSafeInteger) ||
    formats.some((name) => !FORMATS[name])
  ) {
    console.error(USAGE);
    return 2;
  }
  let found = 0;
  for (const format of formats) {
    const to = from + inputsOf(format);
    const { tally, findings } = await fuzz(format, seed, from, to);
    found += findings.length;
    const count = (n: number) => n.toLocaleString('en-US');
    console.log(
      `${format}, seed ${seed}, inputs ${from} to ${to - 1}: ${count(tally.imported)} taken, ${count(tally.refused)} refused, ${findings.length} findings`,
    );
  }
  return found === 0 ? 0 : 1;
}

async function fuzz(format: string, seed: number, from: number, to: number) {
  const tally: WorkerTally = { imported: 0, refused: 0 };
  const findings: Finding[] = [];
  let hungAt = -1;
  await withTemporaryFolder(async (folder) => {
    for (let next = from; next < to && findings.length < MAX_FINDINGS; ) {
      const ended = await runWorker(
        { format, seed, from: next, to, folder, progress: new SharedArrayBuffer(4) },
        tally,
        findings,
      );
      if (ended.problem === null) break;
      if (ended.problem === HANGS && ended.input !== hungAt) {
        // The whole machine may have stood still.
        hungAt = ended.input;
        next = ended.input;
        continue;
      }
      const finding = { input: ended.input, problem: ended.problem };
      findings.push(finding);
      reportFinding({ format, seed }, finding);
      next = ended.input + 1;
    }
  });
  return { tally, findings };
}

/** Runs until the worker is done, or something ends it; then `input` is the current one. */
function runWorker(task: WorkerTask, tally: WorkerTally, findings: Finding[]) {
  return new Promise<{ input: number; problem: string | null }>((resolve) => {
    const worker = new Worker(new URL('./fuzz-importers/worker.ts', import.meta.url), {
      workerData: task,
      resourceLimits: { maxOldGenerationSizeMb: 2048 },
    });
    const progress = new Int32Array(task.progress);
    let seen = { input: -1, atMs: performance.now() };
    let saidAtMs = performance.now();
    const end = (problem: string | null) => {
      clearInterval(watch);
      void worker.terminate().then(() => resolve({ input: Atomics.load(progress, 0), problem }));
    };
    const watch = setInterval(() => {
      const input = Atomics.load(progress, 0);
      if (performance.now() - saidAtMs > PROGRESS_MS) {
        saidAtMs = performance.now();
        console.error(`${task.format}: at input ${input}, ${findings.length} findings`);
      }
      if (input !== seen.input) seen = { input, atMs: performance.now() };
      else if (performance.now() - seen.atMs > HANG_MS) end(HANGS);
    }, 1000);
    worker.on('message', (message: Finding | WorkerTally) => {
      if ('problem' in message) {
        findings.push(message);
        reportFinding(task, message);
        if (findings.length >= MAX_FINDINGS) end('there are more: stopped here');
        return;
      }
      tally.imported += message.imported;
      tally.refused += message.refused;
      end(null);
    });
    worker.on('error', (error) => end(`the worker ended: ${(error as Error).stack ?? error}`));
  });
}

/** Prints a finding, and keeps it on request. */
function reportFinding(
  { format, seed }: Pick<WorkerTask, 'format' | 'seed'>,
  { input, problem }: Finding,
) {
  console.log(`${format}, input ${input}: ${problem}`);
  console.log(
    `  node test/long/fuzz-importers.ts --format ${format} --seed ${seed} --from ${input} --inputs 1`,
  );
  if (values.keep !== undefined) keep(values.keep, format, seed, input);
}

function keep(folder: string, format: string, seed: number, input: number): void {
  const make = FORMATS[format] as (typeof FORMATS)[string];
  for (const [name, content] of make(choicesOf(seed, input)).files) {
    if (!Buffer.isBuffer(content)) continue;
    const file = path.join(folder, `${format}-${seed}-${input}`, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
}
