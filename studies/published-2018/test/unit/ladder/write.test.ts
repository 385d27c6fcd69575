import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { schemaCheck } from '../../../../../ground/records/schema-check.ts';
import { closed } from '../../../../../test/unit/closed-schema.ts';
import { ladderFolder } from '../../../ladder/names.ts';
import { ladderSummarySchema } from '../../../ladder/summary.ts';
import { ladderText } from '../../../ladder/text.ts';
import { writeLadder } from '../../../ladder/write.ts';
import { runOfStep, SITES, STEPS, withLadder } from './made-up-ladder.ts';

const problemOf = schemaCheck(closed(ladderSummarySchema));

const all = () => STEPS.map((step) => runOfStep(step));

test('both files are written, whole, and the same input gives the same bytes', () =>
  withLadder(STEPS, all(), async (folder) => {
    const files = ladderFolder(folder);
    await writeLadder(folder);
    const [summary, page] = [
      await readFile(files.summaryJson, 'utf8'),
      await readFile(files.page, 'utf8'),
    ];
    assert.equal(problemOf(JSON.parse(summary)), null);
    assert.match(page, /<h1>From the published comparison to a fair one<\/h1>/);
    assert.match(page, /href="01-keep-alive\/report\.html"/);
    const [, main = ''] = page.split(/<\/?main>/);
    assert.doesNotMatch(main, /NaN|undefined|null/);
    await writeLadder(folder);
    assert.equal(await readFile(files.summaryJson, 'utf8'), summary);
    assert.equal(await readFile(files.page, 'utf8'), page);
  }));

test('each step has the ratio of its own run, and each change is the ratio of two steps', () =>
  withLadder(STEPS, all(), async (folder) => {
    const { steps, whole } = await writeLadder(folder);
    for (const [index, { ratio }] of STEPS.entries()) {
      const { result, ratioChange } = steps[index] ?? {};
      assert.ok(Math.abs((result?.ratio?.estimate ?? 0) / ratio - 1) < 0.03, `step ${index}`);
      assert.ok(Math.abs((result?.medianOfSites ?? 0) / ratio - 1) < 0.05, `step ${index}`);
      assert.equal(result?.nPairs, 8 * SITES.length);
      const before = STEPS[index - 1]?.ratio;
      if (before === undefined) assert.equal(ratioChange, null);
      else assert.ok(Math.abs((ratioChange?.estimate ?? 0) / (ratio / before) - 1) < 0.05);
    }
    assert.deepEqual(
      steps.map(({ changeVerdict }) => changeVerdict),
      [null, 'higher', 'lower', 'same'],
    );
    // Steps multiply to the whole way, as long as every step has every site.
    const product = steps.reduce((sum, step) => sum * (step.ratioChange?.estimate ?? 1), 1);
    assert.ok(Math.abs(product / (whole?.estimate ?? 0) - 1) < 1e-9);
  }));

test('steps that are not there or were interrupted are missing with a warning, and no change is told across them', () => {
  const runs = all();
  const interrupted = runs[2];
  if (interrupted) interrupted.observations = interrupted.observations.slice(0, -3);
  return withLadder(
    STEPS,
    [runs[0] ?? null, null, interrupted ?? null, runs[3] ?? null],
    async (folder) => {
      const summary = await writeLadder(folder);
      assert.deepEqual(
        summary.steps.map(({ state }) => state),
        ['measured', 'not measured', 'interrupted', 'measured'],
      );
      assert.ok(summary.steps.every(({ ratioChange }) => ratioChange === null));
      assert.match(
        summary.warnings.join('\n'),
        /Step 1 .* has not been measured\.\nStep 2 .* was interrupted/,
      );
      assert.ok(summary.whole, 'both ends are there');
      const page = await readFile(ladderFolder(folder).page, 'utf8');
      assert.match(page, /It has not been measured\./);
      assert.match(page, /Its run was interrupted before its end\./);
      assert.doesNotMatch(page, /href="02-both-cold/);
      assert.equal(problemOf(JSON.parse(JSON.stringify(summary))), null);
      assert.match(ladderText(summary), /1\. The step keep-alive +not measured\n/);
    },
  );
});

test('a ladder without any run yet is a page that says so', () =>
  withLadder(STEPS, [], async (folder) => {
    const summary = await writeLadder(folder);
    assert.equal(summary.warnings.length, STEPS.length);
    assert.equal(summary.network, null);
    assert.equal(problemOf(JSON.parse(JSON.stringify(summary))), null);
    assert.match(await readFile(ladderFolder(folder).page, 'utf8'), /It has not been measured\./);
  }));

test('a run in a step’s folder that is of another step, sites or repetitions is refused', async () => {
  const [first, second] = STEPS;
  if (!first || !second) throw new Error('the ladder has steps');
  for (const [run, problem] of [
    [
      runOfStep({ ...second, name: 'both-cold' }),
      /of the preset ladder\/both-cold, expected one of ladder\/keep-alive/,
    ],
    [
      runOfStep({ ...second, subjects: SITES.slice(1) }),
      /00-published and 01-keep-alive have other sites/,
    ],
    [runOfStep({ ...second, repetitions: 9 }), /have other repetitions/],
  ] as const) {
    await withLadder([first, second], [runOfStep(first), run], (folder) =>
      assert.rejects(writeLadder(folder), { name: 'DamagedRunError', message: problem }),
    );
  }
});

test('a folder that is no ladder is told from one whose record is damaged', () =>
  withLadder(STEPS, [], async (folder) => {
    await writeFile(ladderFolder(folder).ladder, '{"formatVersion": 1');
    await assert.rejects(writeLadder(folder), /ladder\.json is not valid JSON/);
    await writeFile(ladderFolder(folder).ladder, '{"formatVersion": 3}');
    await assert.rejects(writeLadder(folder), /ladder\.json: .*formatVersion/);
    await rm(ladderFolder(folder).ladder);
    await assert.rejects(
      writeLadder(folder),
      /ladder\.json is missing\. Expected the folder of a ladder/,
    );
    await assert.rejects(writeLadder(path.join(folder, 'elsewhere')), /ladder\.json is missing/);
  }));

test('a ladder of the first format, whose steps were called rungs, is reported alike', () =>
  withLadder(STEPS, all(), async (folder) => {
    const { ladder, summaryJson } = ladderFolder(folder);
    await writeLadder(folder);
    const before = await readFile(summaryJson, 'utf8');
    const { steps, ...others } = JSON.parse(await readFile(ladder, 'utf8'));
    await writeFile(ladder, JSON.stringify({ ...others, formatVersion: 1, rungs: steps }));
    await writeLadder(folder);
    assert.equal(await readFile(summaryJson, 'utf8'), before);
  }));

test('pairs left out on a step are told', () => {
  const [first, second] = STEPS.map((step) => runOfStep(step));
  const load = second?.observations.find(({ warmup }) => !warmup);
  Object.assign(load ?? {}, {
    outcome: 'invalid',
    code: 'other-protocol',
    message: 'It came by h2.',
  });
  return withLadder(STEPS.slice(0, 2), [first ?? null, second ?? null], async (folder) => {
    const { warnings, steps } = await writeLadder(folder);
    assert.deepEqual(warnings, [
      'Step 1 (The step keep-alive): 1 pair of loads is left out, because a load failed or was not what was asked. Its own report says why.',
    ]);
    assert.equal(steps[1]?.result?.nPairs, (steps[1]?.result?.nPairsPlanned ?? 0) - 1);
  });
});

test('the published claim stands beside the ladder where its delay and sites were published', () =>
  withLadder(STEPS, all(), async (folder) => {
    const { published } = await writeLadder(folder);
    assert.deepEqual(
      published.muchFaster.map(({ rttMs, count, nSites }) => [rttMs, count, nSites]),
      [
        [0, 18, 30],
        [30, 12, 19],
      ],
    );
    assert.equal(published.allSites?.nSites, 19);
    assert.equal(published.sameSites?.nSites, 4);
    const page = await readFile(ladderFolder(folder).page, 'utf8');
    assert.match(page, /more than 50 % faster on 18 of 30 sites/);
    assert.match(page, /Published in 2018/);
  }));
