import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, test } from 'node:test';
import { startBenchmark } from '../e2e/command.ts';
import { readPageLoads } from '../e2e/page-loads.ts';
import { SITE, startRun, withRunning } from '../e2e/running-servers.ts';
import { withTemporaryFolder } from '../temporary-folder.ts';

const skip = process.getuid?.() !== 0 && 'only root may make a device of the machine';

describe('existing servers', { skip }, () => {
  test('are called slower when they are', () =>
    withTemporaryFolder((temporary) =>
      withRunning('bun-h2', { delayMs: 100 }, async (port) => {
        const out = path.join(temporary, 'run');
        const own = `slow-h2=https://localhost:${port}`;
        const run = startRun(out, [own, 'bun-h2'], 12);
        assert.equal(await run.ended, 0, run.output());
        const { comparisons } = JSON.parse(await readFile(path.join(out, 'summary.json'), 'utf8'));
        const [{ verdict, ratio }] = comparisons;
        assert.equal(verdict, 'slower');
        assert.ok(ratio.low > 1, JSON.stringify(ratio));
      }),
    ));

  test('are not blamed for a network over which nothing can be loaded in time', () =>
    withTemporaryFolder((temporary) =>
      withRunning('bun-h2', { delayMs: 2000 }, async (port) => {
        const out = path.join(temporary, 'run');
        const own = ['--sites', SITE, '--stacks', `mine-h2=https://localhost:${port}`];
        // Three round trips and the delay are more than an examination may take.
        const network = ['--rtt', '3000', '--timeout', '5'];
        const more = ['--repetitions', '2', '--stop-after', '2', '--out', out];
        const run = startBenchmark([...own, ...network, ...more]);
        assert.equal(await run.ended, 6, run.output());
        const { pageLoads } = await readPageLoads(out);
        const made = pageLoads.filter(({ code }) => code !== 'given-up');
        assert.ok(made.length >= 2, run.output());
        for (const { code, message } of made) assert.equal(code, 'timeout', message ?? '');
      }),
    ));
});
