import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { runFolder } from '../../ground/records/run-folder.ts';
import type { Summary } from '../../report/summary/summary.ts';
import { startProgram } from './command.ts';
import { withRun } from './with-run.ts';

const RUN = `benchmark --sites www.iana.org --stacks lsquic-h3,bun-h2
  --mix dsl=40,cable=60 --repetitions 2 --hars none`;

const summaryIn = async (folder: string): Promise<Summary> =>
  JSON.parse(await readFile(runFolder(folder).summaryJson, 'utf8'));

test('--mix measures its networks and weights their differences; report takes another mix', () =>
  withRun(RUN, async ({ out, output, observations }) => {
    const networks = new Set(observations.map(({ network }) => network.name));
    assert.deepEqual([...networks].sort(), ['cable', 'dsl']);
    const { analysis, mix, recommendations } = await summaryIn(out);
    assert.deepEqual(analysis.mix, { dsl: 40, cable: 60 });
    const weighted = (answers: Summary['mix']) =>
      answers.map(({ differenceMs, conditions, isChosenAfterRun }) => {
        const sum = conditions.reduce(
          (total, each) =>
            total + (each.sharePercent / 100) * (each.differenceMs?.estimate ?? Number.NaN),
          0,
        );
        assert.ok(Math.abs(sum - (differenceMs?.estimate ?? Number.NaN)) < 1e-6);
        return [conditions.map(({ sharePercent }) => sharePercent), isChosenAfterRun];
      });
    assert.deepEqual(weighted(mix), [[[40, 60], false]]);
    assert.deepEqual(
      recommendations.map(({ arm, baseline, advice }) => [arm, baseline, advice]),
      // Two pairs cannot decide.
      [['lsquic-h3', 'bun-h2', 'undecided']],
    );
    assert.match(output, /This run cannot decide whether to turn HTTP\/3 on\./);
    assert.match(await readFile(runFolder(out).report, 'utf8'), /This run cannot decide/);

    const other = startProgram(['report', out, '--mix', 'dsl=75,cable=25']);
    assert.equal(await other.ended, 0, other.output());
    assert.match(
      other.output().replaceAll(/\s+/g, ' '),
      /Shares of visits, chosen after the run: /,
    );
    assert.deepEqual(weighted((await summaryIn(out)).mix), [[[75, 25], true]]);

    const wrong = startProgram(['report', out, '--mix', 'dsl=75,cable=20']);
    assert.notEqual(await wrong.ended, 0);
    assert.match(wrong.output().replaceAll(/\s+/g, ' '), /sum to 95 %, expected 100 %/);
  }));
