import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { runOfStep, STEPS, withLadder } from '../../made-up-ladder.ts';

const PROGRAM = path.resolve(import.meta.dirname, '../../../../../bin/quic-vs-https.ts');

function report(...words: string[]) {
  return spawnSync(process.execPath, [PROGRAM, 'report', ...words], { encoding: 'utf8' });
}

test('writes and prints a ladder again from its runs by npm run report', () =>
  withLadder(
    STEPS.map((step) => runOfStep(step)),
    async (folder) => {
      const { status, stdout, stderr } = report(folder);
      assert.equal(status, 0, stderr);
      assert.match(stdout, /^Compared as in 2018\. .* in document time on these 4 pages/);
      assert.match(stdout, /\n1\. The same bytes +0\.9\d \(.* to .*\) +× \d/);
      assert.match(stdout, /\nLadder: .*03-keep-alive.report\.html\n$/);
      assert.match(
        readFileSync(path.join(folder, '03-keep-alive', 'report.html'), 'utf8'),
        /id="ladder"/,
      );
      for (const [option, value, reason] of [
        ['--metric', 'document', /it holds a series of runs, whose plans fix/],
        [
          '--out',
          `${folder}-other`,
          /--out: the folder holds a series of runs\. Give the folder of one/,
        ],
        ['--charts', `${folder}-other`, /--charts: the folder holds a series of runs\. Give/],
      ] as const) {
        const { status, stderr } = report(folder, option, value);
        assert.equal(status, 2);
        assert.match(stderr, reason);
      }
      assert.ok(!existsSync(`${folder}-other`));
    },
  ));
