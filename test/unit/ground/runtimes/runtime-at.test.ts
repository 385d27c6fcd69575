import assert from 'node:assert/strict';
import { test } from 'node:test';
import { versionsNear } from '../../../../ground/options/nearest-version.ts';
import type { RunCommand, Runtime, RuntimeVersions } from '../../../../ground/runtimes/runtime.ts';
import { runtimeAt } from '../../../../ground/runtimes/runtime-at.ts';

let made = 0;

/** Installs version 1.2.3 of a runtime that behaves like this; returns the problem and the commands. */
async function installed(behaviour: { fetch?: string; build?: string; prints?: string }) {
  const commands: string[] = [];
  const versions: RuntimeVersions = {
    library: 'lib',
    at: (_, folder) => ({
      program: `/${folder}/lib`,
      madeFrom: [],
      needs: { program: 'tool', versionArg: ['--version'], remedy: 'Install it' },
      fetch: async () => behaviour.fetch ?? null,
      build: async () => behaviour.build ?? null,
      known: async () => [
        '1.10.0',
        '1.2.0',
        '1.2.1',
        '1.2.0',
        '1.2.4',
        '1.3.0-beta',
        '0.9.9',
        '1.2.2',
      ],
    }),
  };
  const runtime: Runtime = {
    name: `made-${++made}`,
    title: 'Made',
    program: '/installed',
    versionArgs: ['--versions'],
    versionsText: () => '',
    versions,
  };
  const command: RunCommand = async (program, args) => {
    commands.push([program, ...args].join(' '));
    return { ok: true, output: program.endsWith('/lib') ? (behaviour.prints ?? '') : '' };
  };
  const other = runtimeAt(runtime, versions, '1.2.3');
  assert.equal(runtimeAt(runtime, versions, '1.2.3'), other, 'one runtime for all its stacks');
  return { other, problem: await other.install?.run(command), commands };
}

test('installs a version into its own folder, on demand', async () => {
  const prints = 'a warning\n{"lib":"1.2.3"}\nanother';
  const { other, problem, commands } = await installed({ prints });
  assert.equal(problem, null);
  assert.equal(other.onDemand, true);
  assert.equal(other.program, `/.setup/stacks/${other.name}/lib`);
  assert.deepEqual(commands, ['tool --version', `${other.program} --versions`]);
});

test('names the nearest versions of the registry if a version cannot be fetched', async () => {
  const { other, problem, commands } = await installed({ fetch: 'no such version' });
  assert.equal(
    problem,
    "lib 1.2.3 could not be fetched. The registry's versions nearest to it: 1.2.0, 1.2.1, 1.2.2, 1.2.4, 1.10.0.\nno such version",
  );
  assert.equal(commands.at(-1), `rm -rf .setup/stacks/${other.name}`);
});

for (const [what, behaviour, said] of [
  ['does not build', { build: 'undefined: Listen' }, /not able to run these stacks:\nundefined/],
  ['is another version', { prints: '{"lib":"1.2.4"}' }, /expected version 1\.2\.3, got 1\.2\.4/],
  ['prints no versions', { prints: 'Hello' }, /expected version 1\.2\.3, got undefined/],
] as const) {
  test(`leaves nothing of a version that ${what}`, async () => {
    const { problem, commands } = await installed(behaviour);
    assert.match(problem ?? '', said);
    assert.match(commands.at(-1) ?? '', /^rm -rf /);
  });
}

test('finds the nearest versions at both ends of a list', () => {
  const known = ['1.0', '1.1', '1.2', '1.10'];
  assert.deepEqual(versionsNear('0.1', known, 2), ['1.0', '1.1']);
  assert.deepEqual(versionsNear('9', known, 2), ['1.2', '1.10']);
  assert.deepEqual(versionsNear('1.3', known, 2), ['1.2', '1.10']);
  assert.deepEqual(versionsNear('1', [], 2), []);
});
