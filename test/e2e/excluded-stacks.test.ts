import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { readRun } from '../../ground/records/read.ts';
import { runFolder } from '../../ground/records/run-folder.ts';
import { setUpCommand } from '../../runner/machine.ts';
import { STACKS } from '../../servers/index.ts';
import { withTemporaryFolder } from '../temporary-folder.ts';
import { withRun } from './with-run.ts';

const VERSIONED = STACKS.find(({ runtime }) => runtime?.versions)?.stack;
/** Not set up: no registry has this version. */
const MISSING = `${VERSIONED}@0.0.0`;

test('measures the other arms if some are not set up or do not start, and says which', () =>
  withTemporaryFolder(async (folder) => {
    const broken = path.join(folder, 'broken.sh');
    await writeFile(broken, '#!/bin/sh\necho out of order >&2\nexit 1\n', { mode: 0o755 });
    const stacks = `${MISSING},broken-h2,lsquic-h3,bun-h2`;
    await withRun(
      `benchmark --sites www.example.org --server broken=${broken} --stacks ${stacks} --rtt 0 --repetitions 1 --seed 1`,
      async ({ out, output }) => {
        const { arms, excludedStacks } = await readRun(out);
        assert.deepEqual(
          arms.map(({ arm }) => arm),
          ['lsquic-h3', 'bun-h2'],
        );
        assert.deepEqual(
          excludedStacks?.map(({ stack }) => stack),
          [MISSING, 'broken-h2'],
        );
        const reasons = [
          `Not measured: ${MISSING}: not set up on this machine. Run: ${setUpCommand([MISSING])}`,
          /Not measured: broken-h2: .* ended \(1\) before it was ready\. Its log ends: out of order/,
        ];
        const report = await readFile(runFolder(out).report, 'utf8');
        for (const reason of reasons) {
          // At the start, and after the answers.
          assert.equal(output.split(reason).length, 3, output);
          assert.equal(report.split(reason).length > 1, true);
        }
      },
    );
  }));
