import assert from 'node:assert/strict';
import { readFile, rename } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { parseHTML } from 'linkedom';
import { runFolder } from '../../../../../ground/records/run-folder.ts';
import { writeReport } from '../../../../../report/write.ts';
import { assertEach } from '../../../../../test/unit/assert-each.ts';
import { STUDIES } from '../../../../index.ts';
import { readLadder } from '../../../ladder/ladder.ts';
import { reportLadder } from '../../../ladder/report.ts';
import { MADE_UP, runOfStep, SITES, STEPS, withLadder } from '../../made-up-ladder.ts';

const all = () => STEPS.map((step) => runOfStep(step));

/** The report of a step's run, by the step's position. */
async function reportOf(folder: string, place: number): Promise<string> {
  const own = path.join(folder, MADE_UP[place]?.folder ?? '');
  await writeReport(own, { studies: async () => STUDIES });
  return readFile(runFolder(own).report, 'utf8');
}

/** Rows of the table of steps, and those of the chart's table. */
function rowsIn(page: string): { steps: string[][]; ratios: string[][] } {
  const { document } = parseHTML(page);
  const rowsOf = (table: Element | null | undefined) =>
    [...(table?.querySelectorAll('tbody tr') ?? [])].map((row) =>
      [...row.querySelectorAll('th, td')].map(({ textContent }) => (textContent ?? '').trim()),
    );
  const captioned = [...document.querySelectorAll('table')].find((table) =>
    table.querySelector('caption')?.textContent?.startsWith('Ratios of the times of QUIC'),
  );
  return { steps: rowsOf(document.querySelector('table.steps')), ratios: rowsOf(captioned) };
}

test("takes each step's ratio from its own run, and each change from two steps", () =>
  withLadder(all(), async (folder) => {
    const { steps, whole } = await readLadder(folder, MADE_UP);
    for (const [index, { ratio }] of STEPS.entries()) {
      const { result, ratioChange } = steps[index] ?? {};
      assert.ok(Math.abs((result?.answer.ratio?.estimate ?? 0) / ratio - 1) < 0.03, `${index}`);
      assert.ok(Math.abs((result?.medianOfSites ?? 0) / ratio - 1) < 0.05, `${index}`);
      assert.equal(result?.answer.nPairs, 8 * SITES.length);
      const before = STEPS[index - 1]?.ratio;
      if (before === undefined) assert.equal(ratioChange, null);
      else assert.ok(Math.abs((ratioChange?.estimate ?? 0) / (ratio / before) - 1) < 0.05);
    }
    assertEach(steps, ({ changeVerdict }) => changeVerdict, [null, 'slower', 'faster', 'same']);
    // Steps multiply to the total, as long as every step has every site.
    const product = steps.reduce((sum, step) => sum * (step.ratioChange?.estimate ?? 1), 1);
    assert.ok(Math.abs(product / (whole?.estimate ?? 0) - 1) < 1e-9);
  }));

test('shows the ladder up to its own step, as a table of steps with the published ratio next to them', () =>
  withLadder(all(), async (folder) => {
    const page = await reportOf(folder, 3);
    const { steps, ratios } = rowsIn(page);
    assert.deepEqual(
      steps.map(([title, , compared, trips, pairs, ratio, median, change]) => [
        title,
        compared,
        trips,
        pairs,
        ratio,
        median,
        change,
      ]),
      [
        [
          '0. The published comparison',
          'lsquic (h3), Bun (h2)document time, cold',
          '1 and 4',
          '32',
          '0.300.30 to 0.30',
          '0.30',
          '–',
        ],
        [
          '1. The same bytes',
          'lsquic (h3), Bun (h2)document time, cold',
          '1 and 4',
          '32',
          '0.910.90 to 0.91',
          '0.91',
          '3.012.95 to 3.06worse for QUIC',
        ],
        [
          '2. TLS 1.3',
          'lsquic (h3), Bun (h2)document time, cold',
          '1 and 3',
          '32',
          '0.600.59 to 0.60',
          '0.60',
          '0.660.64 to 0.68better for QUIC',
        ],
        [
          '3. Connections kept open',
          'lsquic (h3), Bun (h2)page load time, cold',
          '1 and 1',
          '32',
          '0.600.60 to 0.61',
          '0.60',
          '1.010.99 to 1.04about equal',
        ],
      ],
    );
    assert.deepEqual(ratios[0], ['Published in 2018', '0.34no interval', '–']);
    assert.equal(ratios.length, 5);
    assert.match(page, /href="\.\.\/01-same-bytes\/report\.html"/);
    assert.match(page, /more than 50 % faster on 18 of 30 sites/);
    assert.equal(rowsIn(await reportOf(folder, 1)).steps.length, 2);
    assert.equal(await reportOf(folder, 3), page, 'the same input gives the same bytes');
  }));

test('shows no ladder for a step that was measured by itself', () =>
  withLadder(all(), async (folder) => {
    const alone = path.join(folder, 'alone');
    await rename(path.join(folder, MADE_UP[2]?.folder ?? ''), alone);
    await writeReport(alone, { studies: async () => STUDIES });
    assert.doesNotMatch(await readFile(runFolder(alone).report, 'utf8'), /The ladder/);
  }));

test('warns of missing and interrupted steps, and shows no change across them', () => {
  const runs = all();
  const interrupted = runs[2];
  if (interrupted) interrupted.observations = interrupted.observations.slice(0, -3);
  return withLadder(
    [runs[0] ?? null, null, interrupted ?? null, runs[3] ?? null],
    async (folder) => {
      const { steps, warnings, whole } = await readLadder(folder, MADE_UP);
      assert.deepEqual(
        steps.map(({ state }) => state),
        ['measured', 'not measured', 'interrupted', 'measured'],
      );
      assert.ok(steps.every(({ ratioChange }) => ratioChange === null));
      assert.match(
        warnings.join('\n'),
        /Step 1 .* has not been measured\.\nStep 2 .* was interrupted/,
      );
      assert.ok(whole, 'both ends are there');
      const page = await reportOf(folder, 3);
      assert.match(page, /It has not been measured\./);
      assert.match(page, /Its run was interrupted\./);
      assert.doesNotMatch(page, /href="\.\.\/02-tls/);
      const { text } = await reportLadder(folder);
      assert.match(text(), /1\. The same bytes +not measured\n/);
    },
  );
});

test('reports a ladder without any run yet', () =>
  withLadder([], async (folder) => {
    const { warnings, network } = await readLadder(folder, MADE_UP);
    assert.equal(warnings.length, STEPS.length);
    assert.equal(network, null);
    const { resultLine: place, reportFolder: shownBy } = await reportLadder(folder);
    assert.deepEqual([place, shownBy], ['No step has been measured.', null]);
  }));

test('rejects a run with the wrong step, sites or repetitions in a step’s folder', async () => {
  const [first, second] = STEPS;
  if (!first || !second) throw new Error('the ladder has steps');
  for (const [run, problem] of [
    [
      runOfStep({ ...second, name: 'tls-1.3' }),
      /of the preset ladder\/tls-1.3, expected one of ladder\/same-bytes/,
    ],
    [
      runOfStep({ ...second, subjects: SITES.slice(1) }),
      /00-published and 01-same-bytes have different sites/,
    ],
    [runOfStep({ ...second, repetitions: 9 }), /have different repetitions/],
  ] as const) {
    await withLadder([runOfStep(first), run], (folder) =>
      assert.rejects(readLadder(folder), { name: 'DamagedRunError', message: problem }),
    );
  }
});

test('reports excluded pairs of a step', () => {
  const [first, second] = STEPS.map((step) => runOfStep(step));
  const load = second?.observations.find(({ warmup }) => !warmup);
  Object.assign(load ?? {}, {
    outcome: 'invalid',
    code: 'other-protocol',
    message: 'It came by h2.',
  });
  return withLadder([first ?? null, second ?? null], async (folder) => {
    const { warnings, steps } = await readLadder(folder, MADE_UP.slice(0, 2));
    assert.deepEqual(warnings, [
      'Step 1 (The same bytes): 1 pair of loads is excluded, because a load failed or was invalid. Its own report has the reasons.',
    ]);
    assert.equal(steps[1]?.result?.answer.nPairs, 8 * SITES.length - 1);
    assert.equal(rowsIn(await reportOf(folder, 1)).steps[1]?.[4], '31of 32');
  });
});

test('compares the published claim with the ladder if its delay and sites were published', () =>
  withLadder(all(), async (folder) => {
    const { published } = await readLadder(folder, MADE_UP);
    assertEach(published.muchFaster, ({ rttMs, count, nSites }) => [rttMs, count, nSites], [
      [0, 18, 30],
      [30, 12, 19],
    ]);
    assert.equal(published.allSites?.nSites, 19);
    assert.equal(published.sameSites?.nSites, 4);
  }));
