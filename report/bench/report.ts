import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, stat, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { runFolder } from '../../ground/records/run-folder.ts';
import { withTemporaryFolder } from '../../ground/system/temporary-folder.ts';
import project from '../../package.json' with { type: 'json' };
import { readOptions } from '../../runner/bench/harness/options.ts';
import { type Fixture, fixtureRun, writeRun } from '../../test/unit/report/fixture-run.ts';
import { summarise } from '../summary/summary.ts';

const SITES = 30;

/** Stacks x conditions of the made-up run: this many loads for each site and repetition. */
const LOADS_OF_A_REPETITION = 3 * 2;

const HEADERS = Array.from({ length: 16 }, (_, index) => ({
  name: `x-example-header-${index}`,
  value: 'a value about as long as those of browsers are'.slice(0, 20 + index),
}));

/** A made-up run of 30 sites, 3 stacks and 2 conditions, with about this number of counted loads. */
function madeRun(loads: number): Fixture {
  return fixtureRun({
    subjects: Array.from({ length: SITES }, (_, index) => `site-${index + 1}.example`),
    repetitions: Math.max(1, Math.round(loads / SITES / LOADS_OF_A_REPETITION)),
  });
}

/**
 * Writes a made-up run into a folder. Only median loads have a HAR, of a real one's size (about 2 kB for each request);
 * the report reads no other HARs.
 */
async function writeMadeRun(
  folder: string,
  fixture: Fixture,
  harsOf: ReadonlySet<string>,
): Promise<void> {
  await writeRun(folder, fixture);
  await mkdir(path.join(folder, 'har'), { recursive: true });
  const requestsOf = new Map(
    fixture.run.subjects.map(({ subject, resources }) => [subject, resources]),
  );
  for (const { id, subject, files, protocol, metrics } of fixture.observations) {
    const { har } = files;
    if (!harsOf.has(id) || har === undefined) continue;
    const text = harText(requestsOf.get(subject) ?? 1, protocol, metrics.pageLoadMs ?? 0);
    await writeFile(path.join(folder, har), text);
  }
}

/** A HAR with evenly spread requests that end by the load event. */
function harText(requests: number, protocol: string, pageLoadMs: number): string {
  const startedMs = Date.UTC(2026, 10, 20, 10);
  const shareMs = pageLoadMs / (requests + 8);
  const entries = Array.from({ length: requests }, (_, index) => {
    const timings = {
      blocked: shareMs,
      dns: 0,
      connect: index === 0 ? shareMs : -1,
      ssl: -1,
      send: 0,
      wait: 3 * shareMs,
      receive: 2 * shareMs,
      _queued: shareMs / 2,
    };
    return {
      pageref: 'page_1',
      startedDateTime: new Date(startedMs + index * shareMs).toISOString(),
      time: 7 * shareMs,
      request: {
        method: 'GET',
        url: `https://www.example.org/assets/of-the-page/${index}/file-${index}.js?version=${index}`,
        httpVersion: protocol,
        headers: HEADERS,
        bodySize: 0,
      },
      response: {
        status: 200,
        httpVersion: protocol,
        headers: HEADERS.slice(0, 5),
        content: { size: 20_000, mimeType: 'text/javascript' },
        _transferSize: 20_300,
      },
      timings,
    };
  });
  const page = {
    id: 'page_1',
    startedDateTime: new Date(startedMs).toISOString(),
    pageTimings: { onContentLoad: pageLoadMs * 0.7, onLoad: pageLoadMs * 0.97 },
  };
  return JSON.stringify({ log: { version: '1.2', pages: [page], entries } });
}

interface Usage {
  wallS: number;
  /** User and system, all threads. */
  cpuS: number;
  peakRssMb: number;
}

/**
 * Runs a program of the project in a process of its own and measures it.
 * @param words options of node, the program's file and its arguments
 * @throws Error with the program's output when its status is not 0
 */
async function measureProgram(words: readonly string[]): Promise<Usage> {
  const probe = fileURLToPath(import.meta.resolve('./report/usage-probe.ts'));
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

/** What `npm run report` has node do. */
const [, ...REPORT] = project.scripts.report.split(' ');

const values = readOptions('Measures npm run report on made-up runs of these numbers of loads.', {
  loads: { type: 'string', default: '2500,5000,10000' },
});
const sizes = values.loads.split(',').map(Number);
if (!sizes.every((loads) => Number.isInteger(loads) && loads > 0)) {
  throw new Error(`--loads ${values.loads}: expected whole numbers from 1, separated by commas`);
}

console.log(
  `npm run report on made-up runs of 30 sites, 3 stacks, 2 conditions; ${availableParallelism()} processors\n`,
);
printRow(['loads', 'wall s', 'CPU s', 'peak MB', 'report MB', 'summary MB', 'records MB']);
for (const loads of sizes) await measure(loads);

/** Makes a run, reports on it, prints what that took, and leaves nothing behind. */
async function measure(loads: number): Promise<void> {
  await withTemporaryFolder('logs', async (folder) => {
    const fixture = madeRun(loads);
    const { rows } = summarise(fixture.run, fixture.observations, fixture.calibrations);
    const medians = new Set(rows.flatMap((row) => row.loads?.median ?? []));
    await writeMadeRun(folder, fixture, medians);
    const { wallS, cpuS, peakRssMb } = await measureProgram([...REPORT, folder]);
    const files = runFolder(folder);
    printRow([
      fixture.observations.length.toLocaleString('en'),
      ...[wallS, cpuS].map((seconds) => seconds.toFixed(1)),
      peakRssMb.toFixed(0),
      ...(await Promise.all(
        [files.report, files.summaryJson, path.join(folder, fixture.run.recordFile)].map(
          async (file) => ((await stat(file)).size / 1e6).toFixed(2),
        ),
      )),
    ]);
  });
}

function printRow(cells: readonly string[]): void {
  console.log(cells.map((cell) => cell.padStart(11)).join(''));
}
