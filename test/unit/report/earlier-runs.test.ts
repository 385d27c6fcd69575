import assert from 'node:assert/strict';
import { cpSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { writeReport } from '../../../report/write.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { root } from '../shipped-files.ts';

/** Runs that an earlier version measured, with the numbers that it wrote. */
const RUNS = globSync('experiments/*/test/fixtures/run', { cwd: root }).toSorted();

test('an experiment keeps a run of an earlier version', () => {
  assert.ok(RUNS.length > 0);
});

for (const folder of RUNS) {
  test(`${folder} has the same summary.json as when it was measured`, async (t) => {
    const copy = path.join(temporaryFolder(t), 'run');
    cpSync(path.join(root, folder), copy, { recursive: true });
    const summaryIn = (place: string): unknown =>
      JSON.parse(readFileSync(path.join(place, 'summary.json'), 'utf8'));
    await writeReport(copy);
    assert.deepEqual(summaryIn(copy), summaryIn(path.join(root, folder)));
  });
}
