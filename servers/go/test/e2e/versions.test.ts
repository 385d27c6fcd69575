import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { stackNamed } from '../../../../experiments/stacks.ts';
import { readRun } from '../../../../ground/records/read.ts';
import { projectFolder } from '../../../../ground/system/folders.mjs';
import { isSetUp, setUpCommand } from '../../../../runner/machine.ts';
import { withRun } from '../../../../test/e2e/with-run.ts';
import { go } from '../../runtime.ts';
import { goStacks } from '../../stack.ts';

const [STACK] = goStacks;
const skip = isSetUp(STACK) ? false : `not set up: ${setUpCommand([STACK.stack])}`;

/** The version of quic-go in the program that is set up. */
function installedVersion(): string {
  const { stdout } = spawnSync(go.program, go.versionArgs);
  return (JSON.parse(stdout.toString()) as Record<string, string>)['quic-go'] ?? '';
}

test('measures a version next to the installed one, and reports the version of each', {
  skip,
}, async (t) => {
  const version = installedVersion();
  const name = `${STACK.stack}@${version}`;
  const runtime = stackNamed(name)?.runtime;
  assert.ok(runtime?.install);
  const folder = path.dirname(runtime.program);
  if (!existsSync(folder)) {
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    const problem = await runtime.install.run(async (program, args) => {
      const { status, stdout, stderr } = spawnSync(program, args, { cwd: projectFolder });
      return { ok: status === 0, output: `${stdout}${stderr}` };
    });
    assert.equal(problem, null);
  }
  await withRun(
    `benchmark --sites www.example.org --stacks ${name},${STACK.stack} --rtt 0 --repetitions 2 --seed 1`,
    async ({ out }) => {
      const { arms, versions, fairness } = await readRun(out);
      assert.deepEqual(
        arms.map(({ arm }) => arm),
        [name, STACK.stack],
      );
      assert.ok(versions[runtime.name]?.endsWith(`quic-go ${version}`), JSON.stringify(versions));
      assert.equal(versions['quic-go'], version);
      for (const { arm } of arms) {
        const { serverLibrary, initialWindowPackets } = fairness.readings[arm] ?? {};
        assert.equal(serverLibrary?.value, `quic-go ${version}`, arm);
        assert.equal(initialWindowPackets?.value, STACK.transport?.initialWindowPackets, arm);
      }
    },
  );
});
