import assert from 'node:assert/strict';
import { chmod, symlink } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { hasSandbox } from '../../clients/chromium/sandbox.ts';
import { readRun } from '../../ground/records/read.ts';
import { dropRights, KEEPS_ROOT } from '../../ground/system/unprivileged-user.ts';
import { readMachine } from '../../runner/machine.ts';
import { withTemporaryFolder } from '../temporary-folder.ts';
import { startMeasuring } from './command.ts';
import { readPageLoads } from './page-loads.ts';
import { assertWithoutRights, type Rights, rightsWhile, user } from './program-rights.ts';
import { STACKS_HERE } from './tested-stacks.ts';
import { assertMostlyOk } from './whole-run.ts';

const skip = user === null && 'only root drops rights, in a folder that others can read';

/** Stacks whose runtime other users can reach: Python may be in root's home. */
const STACKS = STACKS_HERE.filter(
  ({ protocol, runtime }) =>
    protocol !== 'http/1.0' && runtime && dropRights(runtime.program).length > 0,
);

test(
  'runs neither Chromium nor servers as root or with a capability in a run of root, and Chromium in its sandbox',
  { skip },
  () =>
    withTemporaryFolder(async (folder) => {
      const out = path.join(folder, 'run');
      const stacks = STACKS.map(({ stack }) => stack).join();
      const command = startMeasuring(
        `benchmark --sites www.example.org --stacks ${stacks} --rtt 0 --repetitions 1
        --warm-ups 0 --packets all`,
        out,
      );
      const all = await rightsWhile(command);
      const { pageLoads } = await readPageLoads(out);
      assertMostlyOk(pageLoads);
      assertWithoutRights(all);
      const of = (kind: Rights['kind']) => all.filter((each) => each.kind === kind);
      assert.ok(of('server').length >= STACKS.length, command.output());
      const browsers = of('chromium').map((each) => each.command);
      assert.ok(browsers.some((line) => line.includes('--type=renderer')));
      const sandboxed = hasSandbox(dropRights(readMachine().chromium));
      assert.equal(
        browsers.some((line) => line.includes('--no-sandbox')),
        !sandboxed,
      );
      assert.ok(!/as root/.test(command.output()), command.output());
      assert.equal((await readRun(out)).host?.programsUid, user?.uid);
      // Captures are read at the end of the run; only root may open them.
      assert.ok(of('tshark').length > 0, command.output());
    }),
);

test('runs Firefox neither as root nor with a capability in a run of root', { skip }, () =>
  withTemporaryFolder(async (folder) => {
    const out = path.join(folder, 'run');
    const command = startMeasuring(
      `benchmark --sites www.example.org --stacks bun-h2 --browser firefox --rtt 0 --repetitions 1
      --warm-ups 0`,
      out,
    );
    const all = await rightsWhile(command);
    assertMostlyOk((await readPageLoads(out)).pageLoads);
    assertWithoutRights(all);
    assert.ok(
      all.some(({ kind }) => kind === 'firefox'),
      command.output(),
    );
  }),
);

test(
  'runs an unreachable Chromium as root, with a note on stderr and in the record',
  { skip },
  () =>
    withTemporaryFolder(async (folder) => {
      await chmod(folder, 0o700);
      const chromium = path.join(folder, 'chromium');
      await symlink(readMachine().chromium, chromium);
      const out = path.join(folder, 'run');
      const command = startMeasuring(
        'benchmark --sites www.example.org --stacks bun-h2 --rtt 0 --repetitions 1 --warm-ups 0',
        out,
        { CHROMIUM_PATH: chromium },
      );
      await command.ended;
      assertMostlyOk((await readPageLoads(out)).pageLoads);
      assert.match(command.output(), /chromium runs as root: uid \d+ cannot read/);
      assert.equal((await readRun(out)).host?.programsUid, 0);
    }),
);

test('runs everything as root with RUN_AS_ROOT=1, without a note', { skip }, () =>
  withTemporaryFolder(async (folder) => {
    const out = path.join(folder, 'run');
    const command = startMeasuring(
      'benchmark --sites www.example.org --stacks bun-h2 --rtt 0 --repetitions 1 --warm-ups 0',
      out,
      { [KEEPS_ROOT]: '1' },
    );
    const all = await rightsWhile(command);
    assertMostlyOk((await readPageLoads(out)).pageLoads);
    assert.deepEqual([...new Set(all.map(({ uid }) => uid))], [0]);
    assert.ok(!/as root/.test(command.output()), command.output());
  }),
);
