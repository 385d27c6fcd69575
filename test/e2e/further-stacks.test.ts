import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import path from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { readRun } from '../../ground/records/read.ts';
import { onDemandRuntimes } from '../../ground/runtimes/runtime.ts';
import { isSetUp, readMachine, setUpCommand } from '../../runner/machine.ts';
import { versions as versionsOf } from '../../runner/versions.ts';
import { withTemporaryFolder } from '../temporary-folder.ts';
import { startMeasuring } from './command.ts';
import { assertNoProcessLeft } from './left-behind.ts';
import { readPageLoads } from './page-loads.ts';
import { STACKS_ON_DEMAND } from './tested-stacks.ts';
import { assertStatusOf, assertWhole, lastLoads } from './whole-run.ts';

const REPETITIONS = 1;
const BY_DEFAULT = ['lsquic-h3', 'bun-h2'];

const further = STACKS_ON_DEMAND.filter(isSetUp).map(({ stack }) => stack);

for (const { stack } of STACKS_ON_DEMAND) {
  if (further.includes(stack)) continue;
  test(`measures ${stack} in a run`, { skip: `not set up: ${setUpCommand([stack])}` });
}

test(
  'measures on-demand stacks in a run together with those of every machine',
  {
    skip: further.length === 0 && 'none is set up',
  },
  () =>
    withTemporaryFolder(async (temporary) => {
      const out = path.join(temporary, 'run');
      const stacks = [...BY_DEFAULT, ...further];
      const command = startMeasuring(
        `benchmark --sites www.example.org --rtt 20 --stacks ${stacks} --warm-ups 1
         --repetitions ${REPETITIONS}`,
        out,
      );
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
      const withoutThem = await versionsOf(readMachine(), 'chromium', []);
      for (const { program, versionArgs } of onDemandRuntimes(STACKS_ON_DEMAND.filter(isSetUp))) {
        const { stdout } = await promisify(execFile)(program, versionArgs);
        const own = Object.entries<string>(JSON.parse(stdout));
        assert.ok(
          own.some(([name]) => withoutThem[name] === undefined),
          stdout,
        );
        for (const [name, version] of own) assert.equal(versions[name], version, name);
      }
    }),
);
