import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { transportDifferences } from '../../../../ground/records/like-for-like.ts';
import { readRun } from '../../../../ground/records/read.ts';
import { startBenchmark } from '../../../../test/e2e/command.ts';
import { readPageLoads } from '../../../../test/e2e/page-loads.ts';
import { assertStatusOf } from '../../../../test/e2e/whole-run.ts';
import { withTemporaryFolder } from '../../../../test/temporary-folder.ts';

test('it differs from its HTTP/2 in how lsquic sends, and in nothing that is not known', () =>
  withTemporaryFolder(async (temporary) => {
    const out = path.join(temporary, 'run');
    const command = startBenchmark([
      ...['--sites', 'www.example.org', '--rtt', '10', '--repetitions', '1'],
      ...['--stacks', 'bun-dual,bun-h2', '--out', out],
    ]);
    const status = await command.ended;
    assertStatusOf((await readPageLoads(out)).pageLoads, status, command.output());
    const { fairness } = await readRun(out);
    const pair = fairness.pairs.find(({ a, b }) => a === 'bun-dual' && b === 'bun-h2');
    assert.ok(pair);
    assert.deepEqual(transportDifferences(pair), {
      differing: ['window growth', 'back-off after a loss', 'pacing', 'response order'],
      unknown: [],
    });
  }));
