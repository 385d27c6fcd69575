import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { readRun } from '../../ground/records/read.ts';
import { isSetUp, setUpCommand } from '../../runner/machine.ts';
import { withTemporaryFolder } from '../temporary-folder.ts';
import { startBenchmark } from './command.ts';
import { assertNoProcessLeft } from './left-behind.ts';
import { readPageLoads } from './page-loads.ts';
import { STACKS_ON_DEMAND } from './tested-stacks.ts';
import { assertStatusOf, assertWhole, lastLoads } from './whole-run.ts';

const REPETITIONS = 1;
const BY_DEFAULT = ['lsquic-h3', 'bun-h2'];

/** What a run with a stack records the version of, and one without does not. */
const PROGRAMS = { 'quic-go': 'quic-go-h3', aioquic: 'hypercorn-h3' };

const further = STACKS_ON_DEMAND.filter(isSetUp).map(({ stack }) => stack);

for (const { stack } of STACKS_ON_DEMAND) {
  if (further.includes(stack)) continue;
  test(`${stack} takes part in a run`, { skip: `not set up: ${setUpCommand([stack])}` });
}

test(
  'stacks that are set up on demand take part in a run beside those of every machine',
  {
    skip: further.length === 0 && 'none is set up',
  },
  () =>
    withTemporaryFolder(async (temporary) => {
      const out = path.join(temporary, 'run');
      const stacks = [...BY_DEFAULT, ...further];
      const asked = ['--sites', 'www.example.org', '--rtt', '20', '--stacks', stacks.join()];
      const command = startBenchmark([
        ...asked,
        '--repetitions',
        String(REPETITIONS),
        '--out',
        out,
      ]);
      const status = await command.ended;
      assertStatusOf(await lastLoads(out), status, command.output());
      await assertNoProcessLeft(command);
      await assertWhole(out, REPETITIONS * stacks.length);

      const { pageLoads } = await readPageLoads(out);
      for (const stack of stacks) {
        const loads = pageLoads.filter((load) => load.stack === stack);
        const reasons = loads.map(({ outcome, message }) => `${outcome}: ${message}`);
        assert.ok(
          loads.some(({ outcome }) => outcome === 'ok'),
          `${stack}: ${reasons.join('; ')}`,
        );
      }
      const { arms, versions } = await readRun(out);
      assert.deepEqual(
        arms.map(({ stack }) => stack),
        stacks,
      );
      for (const [program, stack] of Object.entries(PROGRAMS)) {
        assert.equal(versions[program] !== undefined, stacks.includes(stack), program);
      }
    }),
);
