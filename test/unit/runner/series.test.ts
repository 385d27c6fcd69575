import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import type { RawOptions } from '../../../ground/options/row.ts';
import { runFolder } from '../../../ground/records/run-folder.ts';
import { UsageError } from '../../../ground/system/errors.ts';
import { isSeriesFolder, presetsOfSeries, type Series } from '../../../report/series.ts';
import { readCommandLine } from '../../../runner/command-line/command-line.ts';
import { findSeries } from '../../../runner/series.ts';
import { withTemporaryFolder } from '../../temporary-folder.ts';

const NAMES = ['first', 'second', 'third', 'fourth'];

const SERIES: Series = {
  name: 'made-up',
  of: 'page-load',
  about: 'a series for tests',
  word: 'Part',
  runs: NAMES.map((name, index) => ({
    name,
    title: `The ${name} part`,
    folder: `${index}-${name}`,
    options: { rtt: `${index}` },
  })),
  free: ['sites', 'repetitions', 'out'],
  assertValues({ repetitions }) {
    if (repetitions === '13') throw new UsageError('--repetitions 13: expected another number.');
  },
  report: async () => ({ text: () => '', resultLine: '', reportFolder: null }),
};

function withFolder(use: (folder: string) => Promise<void>): Promise<void> {
  return withTemporaryFolder((above) => use(path.join(above, 'results')));
}

function readSeries(...words: string[]) {
  const line = readCommandLine(['benchmark', ...words]);
  assert.ok(line);
  return findSeries(SERIES, line.given);
}

/**
 * Measures with made-up runs: each ends with the status given for its number, 0 by default, or
 * throws.
 */
async function measure(words: string[], ends: Record<number, number | Error> = {}) {
  const measureSeries = readSeries(...words);
  assert.ok(measureSeries);
  const invocations: RawOptions[] = [];
  let reports = 0;
  const ended = measureSeries({
    async measure(given) {
      invocations.push(given);
      const end = ends[invocations.length] ?? 0;
      if (end instanceof Error) throw end;
      if (given.freeze !== undefined) await writeFile(given.freeze, '{}');
      if (given.out !== undefined) {
        await mkdir(given.out);
        await writeFile(runFolder(given.out).run, '{}');
      }
      return end;
    },
    async report() {
      reports++;
    },
  });
  const status = await ended.catch((error: Error) => error.message);
  return { invocations, reports, status };
}

test('expands a series from a preset without options to runs with their own', () => {
  assert.deepEqual(presetsOfSeries({ ...SERIES, runs: SERIES.runs.slice(0, 1) }), {
    'made-up': { of: 'page-load', about: 'a series for tests', options: null },
    'made-up/first': { of: 'page-load', about: null, options: { rtt: '0' } },
  });
});

test('freezes all plans before the first run, and measures each by its own plan in its own folder', () =>
  withFolder(async (folder) => {
    const { invocations, reports, status } = await measure([
      ...['--preset', 'made-up', '--repetitions', '2', '--out', folder],
    ]);
    const planOf = (name: string, index: number) =>
      path.join(folder, 'plans', `${index}-${name}.json`);
    assert.deepEqual(invocations, [
      ...NAMES.map((name, index) => ({
        repetitions: '2',
        preset: `made-up/${name}`,
        freeze: planOf(name, index),
      })),
      ...NAMES.map((name, index) => ({
        plan: planOf(name, index),
        out: path.join(folder, `${index}-${name}`),
      })),
    ]);
    assert.deepEqual([reports, status], [NAMES.length, 0]);
  }));

test('continues a series after a run that fails, and exits with the first such status', () =>
  withFolder(async (folder) => {
    const { invocations, reports, status } = await measure(
      ['--preset', 'made-up', '--out', folder],
      { 6: 6, 7: 5 },
    );
    assert.deepEqual([invocations.length, reports, status], [2 * NAMES.length, NAMES.length, 6]);
  }));

test('reports an interrupted series, and resumes it with its plans', () =>
  withFolder(async (folder) => {
    const begun = ['--preset', 'made-up', '--out', folder];
    const interrupted = await measure(begun, { 7: new Error('interrupted') });
    assert.deepEqual([interrupted.reports, interrupted.status], [3, 'interrupted']);
    const resumed = await measure(['--resume', folder, '--resume-anyway']);
    assert.equal(resumed.status, 0);
    // Begun runs are resumed, which does nothing for complete ones; the rest begin.
    assert.deepEqual(
      resumed.invocations.map((given) => Object.keys(given)),
      NAMES.map((_, index) => (index < 2 ? ['resume', 'resume-anyway'] : ['plan', 'out'])),
    );
    const again = await measure(begun);
    assert.match(`${again.status}`, /not empty|already/);
    assert.deepEqual(again.invocations, []);
  }));

test('rejects a series in which a plan was not frozen', () =>
  withFolder(async (folder) => {
    await measure(['--preset', 'made-up', '--out', folder], { 3: new Error('interrupted') });
    assert.ok(isSeriesFolder(SERIES, folder));
    const { status, invocations } = await measure(['--resume', folder]);
    assert.match(`${status}`, /no plan of third, fourth: /);
    assert.deepEqual(invocations, []);
    await rm(path.join(folder, 'plans'), { recursive: true });
    assert.equal(readSeries('--resume', folder), null);
  }));

test('rejects options that would change the plans, and invalid values', () =>
  withFolder(async (folder) => {
    const refused = (message: RegExp) => ({ name: 'UsageError', message });
    const begun = ['--preset', 'made-up'];
    assert.throws(
      () => readSeries(...begun, '--rtt', '10'),
      refused(/--rtt: .* --sites, --repetitions, --out/),
    );
    assert.throws(() => readSeries(...begun, '--repetitions', '13'), refused(/another number/));
    await measure([...begun, '--out', folder]);
    assert.throws(
      () => readSeries('--resume', folder, '--repetitions', '3'),
      refused(/no options but --resume-anyway/),
    );
  }));

test('does not start a series for other words', () => {
  for (const words of [[], ['--preset', 'made-up/first'], ['--rtt', '10'], ['--resume', tmpdir()]])
    assert.equal(readSeries(...words), null, words.join(' '));
});
