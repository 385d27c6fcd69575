import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { before, test } from 'node:test';
import { example } from '../../../experiments/example/experiment.ts';
import { pageLoad } from '../../../experiments/page-load/experiment.ts';
import { readRun } from '../../../ground/records/read.ts';
import { writeReport } from '../../../report/write.ts';
import { readOptions } from '../../../runner/options.ts';
import { withTemporaryFolder } from '../../temporary-folder.ts';
import { assertEach } from '../assert-each.ts';
import { withMadeUpStacks } from '../servers/made-up-stacks.ts';
import { run } from './example-run.ts';

const STACKS = 'lsquic-h3,bun-h2,made-up-h3,made-up-h2,flask-h1';
const MINE = 'mine-h3=https://192.0.2.1:8443,mine-h2=https://192.0.2.1:8443';
before(() => {
  Object.assign(example, withMadeUpStacks(example));
});

const WORDS = ['--sites', 'www.example.org', '--stacks', STACKS, '--seed', '7', '--rtt', '0'];

/** Planned comparison of each arm, where it differs from the usual baseline. */
function twinsIn(words: readonly string[], experiment = pageLoad) {
  const { stacks, analysis } = readOptions(words, withMadeUpStacks(experiment));
  const exceptions = stacks.flatMap(({ stack, comparedWith }) =>
    comparedWith === undefined ? [] : [`${stack} with ${comparedWith}`],
  );
  return [analysis.baseline, ...exceptions];
}

test('compares a QUIC stack with its twin if that is measured, and every other stack with the baseline', () => {
  assert.deepEqual(twinsIn([]), ['bun-h2']);
  assert.deepEqual(twinsIn(['--stacks', STACKS]), ['bun-h2', 'made-up-h3 with made-up-h2']);
  assert.deepEqual(twinsIn(['--stacks', 'lsquic-h3,bun-h2,made-up-h3']), ['bun-h2']);
  // Without the usual baseline it is the first measured twin.
  assert.deepEqual(twinsIn(['--stacks', 'lsquic-h3,made-up-h3,made-up-h2']), ['made-up-h2']);
  assert.deepEqual(twinsIn(['--stacks', `made-up-h3,made-up-h2,${MINE}`]), [
    'made-up-h2',
    'mine-h3 with mine-h2',
  ]);
  // A stack that offers both is compared with HTTP/2 alone.
  assert.deepEqual(twinsIn(['--stacks', 'lsquic-h3,bun-h2,made-up-dual,made-up-h2']), [
    'bun-h2',
    'made-up-dual with made-up-h2',
  ]);
});

test('compares all stacks with a named baseline, even if it is the usual one', () => {
  assert.deepEqual(twinsIn(['--stacks', STACKS, '--baseline', 'bun-h2']), ['bun-h2']);
  assert.deepEqual(twinsIn(['--stacks', STACKS, '--baseline', 'made-up-h2']), ['made-up-h2']);
});

test('pairs a user’s own servers by their names', () => {
  assert.deepEqual(twinsIn(['--stacks', `lsquic-h3,bun-h2,${MINE}`]), [
    'bun-h2',
    'mine-h3 with mine-h2',
  ]);
});

test('compares a control with the stack that it repeats', () => {
  const { stacks } = readOptions(
    ['--stacks', STACKS, '--control', 'made-up-h3'],
    withMadeUpStacks(pageLoad),
  );
  const control = stacks.find(({ controlOf }) => controlOf !== undefined);
  assert.equal(control?.stack, 'made-up-h3-control');
  assert.equal(control?.comparedWith, undefined);
});

test("keeps comparisons in the plan, and marks a report's own choice", () =>
  withTemporaryFolder(async (folder) => {
    const out = path.join(folder, 'run');
    await run([...WORDS, '--repetitions', '12', '--out', out]);
    const { arms } = await readRun(out);
    assert.deepEqual(
      arms.map(({ comparedWith }) => comparedWith ?? null),
      [null, null, 'made-up-h2', null, null],
    );
    const pairs = [
      ['lsquic-h3', 'bun-h2'],
      ['made-up-h3', 'made-up-h2'],
      ['made-up-h2', 'bun-h2'],
      ['flask-h1', 'bun-h2'],
    ];
    const summary = await writeReport(out);
    const namesOf = (each: { arm: string; baseline: string }) => [each.arm, each.baseline];
    assert.deepEqual(summary.analysis.pairs.map(namesOf), pairs);
    assert.deepEqual(summary.primary.map(namesOf), pairs);
    assert.deepEqual(summary.comparisons.map(namesOf), pairs);
    assert.equal(summary.analysis.chosenAfterTheRun, false);
    const csv = await readFile(path.join(out, 'summary.csv'), 'utf8');
    assert.match(csv, /made-up-h3,.*,made-up-h2,/);

    const other = await writeReport(out, { choice: { baseline: 'bun-h2' } });
    assertEach(other.primary, ({ baseline }) => baseline, ['bun-h2', 'bun-h2', 'bun-h2', 'bun-h2']);
    assert.equal(other.analysis.chosenAfterTheRun, true);
    assert.match(
      other.warnings.join(),
      /Baseline was chosen after the run: bun-h2, where the plan had bun-h2 \(made-up-h2 for made-up-h3\)\./,
    );
    const margin = await writeReport(out, { choice: { marginPercent: 10 } });
    assert.deepEqual(margin.analysis.pairs.map(namesOf), pairs);
  }));
