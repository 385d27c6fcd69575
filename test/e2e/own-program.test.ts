import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { readRun } from '../../ground/records/read.ts';
import { EXIT } from '../../ground/system/exit-status.ts';
import { withTemporaryFolder } from '../temporary-folder.ts';
import { startBenchmark } from './command.ts';
import { assertNoProcessLeft } from './left-behind.ts';
import { readPageLoads } from './page-loads.ts';
import { assertMostlyOk, assertStatusOf, OF_THE_MACHINE } from './whole-run.ts';

const MINIMAL = path.join(import.meta.dirname, 'own-program', 'minimal-program.ts');

interface OwnRun {
  out: string;
  status: number | null;
  output: string;
}

/** Measures a program that behaves as an own server in this variant. */
function withOwnProgram<T>(
  variant: string,
  words: readonly string[],
  use: (run: OwnRun) => Promise<T>,
): Promise<T> {
  return withOwnPrograms({ own: variant }, words, use);
}

/** Measures programs of these names that behave as own servers in these variants. */
async function withOwnPrograms<T>(
  variants: Readonly<Record<string, string>>,
  words: readonly string[],
  use: (run: OwnRun) => Promise<T>,
): Promise<T> {
  return withTemporaryFolder(async (temporary) => {
    const servers: string[] = [];
    for (const [name, variant] of Object.entries(variants)) {
      const program = path.join(temporary, `${name}-start.sh`);
      const command = [process.execPath, MINIMAL, variant].map((word) => `'${word}'`).join(' ');
      await writeFile(program, `#!/bin/sh\nexec ${command} "$@"\n`, { mode: 0o755 });
      servers.push('--server', name === 'own' ? program : `${name}=${program}`);
    }
    const out = path.join(temporary, 'run');
    const site = ['--sites', 'shower-deck', '--rtt', '0', '--seed', '1', '--out', out];
    const run = startBenchmark([...servers, ...site, ...words]);
    const status = await run.ended;
    await assertNoProcessLeft(run);
    return use({ out, status, output: run.output() });
  });
}

test('needs only a ready line and responses from a --server program', () =>
  withOwnProgram(
    'honest',
    ['--stacks', 'own-h2,own-h1', '--repetitions', '2', '--warm-ups', '0'],
    async ({ out, status, output }) => {
      const { pageLoads } = await readPageLoads(out);
      assertStatusOf(pageLoads, status, output);
      const { fairness, arms } = await readRun(out);
      assert.deepEqual(fairness.readings['own-h2']?.serverProgram, {
        value: null,
        from: 'not reported by the server',
      });
      assert.ok(arms.every(({ own }) => own?.program?.endsWith('/own-start.sh')));
      const report = await readFile(path.join(out, 'report.html'), 'utf8');
      assert.match(report, /Your own server<[\s\S]{0,200}own-start\.sh/);
    },
  ));

test('calls a server slower that waits before every response', () =>
  withOwnProgram(
    'slow',
    ['--stacks', 'own-h2,bun-h2', '--repetitions', '8', '--warm-ups', '1'],
    async ({ out, output }) => {
      const { pageLoads } = await readPageLoads(out);
      assertMostlyOk(pageLoads);
      const { comparisons } = JSON.parse(await readFile(path.join(out, 'summary.json'), 'utf8'));
      assert.deepEqual(
        comparisons.map(({ arm, verdict }: Record<string, string>) => ({ arm, verdict })),
        [{ arm: 'own-h2', verdict: 'slower' }],
        output,
      );
    },
  ));

test('finds the slower of two programs in one run', () =>
  withOwnPrograms(
    { old: 'honest', new: 'slow' },
    ['--stacks', 'old-h2,new-h2', '--repetitions', '8', '--warm-ups', '1'],
    async ({ out, output }) => {
      const { pageLoads } = await readPageLoads(out);
      assertMostlyOk(pageLoads);
      const { comparisons } = JSON.parse(await readFile(path.join(out, 'summary.json'), 'utf8'));
      assert.deepEqual(
        comparisons.map(({ arm, baseline, verdict }: Record<string, string>) => ({
          arm,
          baseline,
          verdict,
        })),
        [{ arm: 'new-h2', baseline: 'old-h2', verdict: 'slower' }],
        output,
      );
      const { arms } = await readRun(out);
      assert.deepEqual(
        arms.map(({ arm, own }) => [arm, path.basename(own?.program ?? '')]),
        [
          ['old-h2', 'old-start.sh'],
          ['new-h2', 'new-start.sh'],
        ],
      );
      const report = await readFile(path.join(out, 'report.html'), 'utf8');
      assert.match(report, /Your own server old<[\s\S]*Your own server new</);
    },
  ));

for (const [variant, words, pattern] of [
  [
    'other protocol',
    ['--stacks', 'own-h2'],
    /own-h2 .*ready line that does not say protocol h2, but http\/1\.1/,
  ],
  [
    'chatty',
    ['--stacks', 'own-h2'],
    /printed something else than a ready line first: "Listening!"/,
  ],
  [
    'endless line',
    ['--stacks', 'own-h2'],
    /own-h2 .*printed a line of more than 1 MB and was ended/,
  ],
  ['refuses', [], /own-h3 .*ended \(1\) before it was ready[\s\S]*this server has no HTTP\/3/],
] as const) {
  test(`ends the run with the program's output if it does not start correctly: ${variant}`, () =>
    withOwnProgram(variant, [...words, '--repetitions', '2'], async ({ status, output }) => {
      assert.equal(status, EXIT.server, output);
      assert.match(output, pattern);
    }));
}

test('counts no load of a server with another site', () =>
  withOwnProgram(
    'other site',
    ['--stacks', 'own-h2', '--repetitions', '1', '--warm-ups', '0'],
    async ({ out, status, output }) => {
      assert.equal(status, EXIT.someLoadsNotOk, output);
      const { pageLoads } = await readPageLoads(out);
      assert.ok(pageLoads.every(({ outcome }) => outcome !== 'ok'));
    },
  ));

for (const variant of ['wrong bodies', 'other bytes']) {
  test(`counts no load of a server with a wrong response to style sheets: ${variant}`, () =>
    withOwnProgram(
      variant,
      ['--stacks', 'own-h2', '--repetitions', '1', '--warm-ups', '1'],
      async ({ out, output }) => {
        const { pageLoads } = await readPageLoads(out);
        assert.equal(pageLoads.length, 2);
        const judged = pageLoads.filter(({ code }) => !OF_THE_MACHINE.includes(code));
        assert.deepEqual([...new Set(judged.map(({ code }) => code))], ['wrong-body'], output);
      },
    ));
}

for (const variant of ['dies', 'endless line later']) {
  test(`fails only the loads of a server that ends under load: ${variant}`, () =>
    withOwnProgram(
      variant,
      ['--stacks', 'own-h2,bun-h2', '--repetitions', '2', '--warm-ups', '0'],
      async ({ out, output }) => {
        const { pageLoads } = await readPageLoads(out);
        const outcomesOf = (arm: string) =>
          new Set(pageLoads.flatMap((load) => (load.arm === arm ? [load.outcome] : [])));
        assert.deepEqual([...outcomesOf('own-h2')], ['failed'], output);
        assertMostlyOk(pageLoads.filter(({ arm }) => arm === 'bun-h2'));
      },
    ));
}

test('kills a program that ignores its termination', () =>
  withOwnProgram(
    'stays',
    ['--stacks', 'own-h2', '--repetitions', '1', '--warm-ups', '0'],
    async ({ out, status, output }) =>
      assertStatusOf((await readPageLoads(out)).pageLoads, status, output),
  ));
