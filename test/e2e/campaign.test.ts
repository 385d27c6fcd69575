import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { chmod, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { readInvocations } from '../../ground/records/read.ts';
import { isPlanned, type PlanRecord, type RunRecord } from '../../ground/records/run.ts';
import { readMachine } from '../../runner/machine.ts';
import { withTemporaryFolder } from '../temporary-folder.ts';
import { startBenchmark } from './command.ts';
import { assertNoProcessLeft } from './left-behind.ts';

import { readPageLoads } from './page-loads.ts';
import { assertStatusOf, assertWhole, lastLoads } from './whole-run.ts';

const SMALL = [
  ...['--sites', 'www.example.org', '--stacks', 'lsquic-h3,bun-h2', '--rtt', '0'],
  ...['--warm-ups', '1'],
];

/**
 * Runs a command to its end, with a status or with that of its loads in a folder, and returns its
 * output.
 */
async function ended(
  expected: number | { loadsIn: string },
  args: string[],
  env: Record<string, string> = {},
): Promise<string> {
  const command = startBenchmark(args, env);
  const status = await command.ended;
  await assertNoProcessLeft(command);
  if (typeof expected === 'number') assert.equal(status, expected, command.output());
  else assertStatusOf(await lastLoads(expected.loadsIn), status, command.output());
  return command.output();
}

async function idsOf(folder: string): Promise<string[]> {
  return (await readPageLoads(folder)).pageLoads.map(({ id }) => id);
}

/** A Chromium that reports another version. */
async function otherChromium(folder: string): Promise<Record<string, string>> {
  const file = path.join(folder, 'other-chromium');
  const real = readMachine().chromium;
  await writeFile(
    file,
    `#!/bin/sh\n[ "$1" = --version ] && echo Chromium 999.1 && exit\nexec '${real}' "$@"\n`,
  );
  await chmod(file, 0o755);
  return { CHROMIUM_PATH: file };
}

test('resumes a frozen plan with a truncated last line to every load once, and rejects or marks changes meanwhile', () =>
  withTemporaryFolder(async (temporary) => {
    const planFile = path.join(temporary, 'plan.json');
    const out = path.join(temporary, 'run');
    assert.match(
      await ended(0, [...SMALL, '--repetitions', '4', '--freeze', planFile]),
      /Plan of 10 loads: .*plan\.json/,
    );
    const plan = JSON.parse(await readFile(planFile, 'utf8')) as PlanRecord;

    const first = startBenchmark(['--plan', planFile, '--out', out, '--progress', 'jsonl']);
    await first.printed(/"done":3,/);
    first.child.kill('SIGINT');
    assert.equal(await first.ended, 130, first.output());
    const events = first
      .output()
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line));
    const rows = path.join(out, 'page-loads.jsonl');
    const made = await idsOf(out);
    assert.deepEqual(
      events.filter(({ event }) => event === 'attempt-ended').map(({ id }) => id),
      made,
    );
    assert.equal(events.at(-1)?.event, 'report');
    assert.ok(
      made.length >= 3 && made.filter((id) => isPlanned({ id })).length < plan.trials.length,
    );

    // As after a loss of power.
    await truncate(rows, (await stat(rows)).size - 20);
    const runFile = path.join(out, 'run.json');
    const run = await readFile(runFile, 'utf8');
    await writeFile(runFile, run.replace('"timeoutS": 30', '"timeoutS": 31'));
    assert.match(await ended(2, ['--resume', out]), /run\.json is not the plan.*was changed/);
    await writeFile(runFile, run);

    const other = await otherChromium(temporary);
    const refused = await ended(2, ['--resume', out], other);
    assert.match(refused, /chromium is 999\.1; it was /);
    assert.match(refused, /--resume-anyway/);
    await ended({ loadsIn: out }, ['--resume', out, '--resume-anyway'], other);

    await assertWhole(out, 8);
    const ids = await idsOf(out);
    assert.deepEqual(ids.slice(0, made.length - 1), made.slice(0, -1));
    assert.deepEqual((JSON.parse(run) as RunRecord).trials, plan.trials);
    const [begun, resumed, ...more] = await readInvocations(out);
    assert.deepEqual(begun?.differences, []);
    assert.match(resumed?.differences.join() ?? '', /^chromium is 999\.1; it was /);
    assert.deepEqual(more, []);

    // Nothing is left to do, and nothing is done.
    await ended(0, ['--resume', out]);
    assert.deepEqual(await idsOf(out), ids);
  }));

test('makes all loads of a plan in two shards, each one once', () =>
  withTemporaryFolder(async (temporary) => {
    const planFile = path.join(temporary, 'plan.json');
    await ended(0, [
      '--sites',
      'www.example.org,www.google.com',
      '--stacks',
      'bun-h2',
      '--rtt',
      '0',
      '--repetitions',
      '1',
      '--freeze',
      planFile,
    ]);
    const made: string[] = [];
    for (const shard of ['1/2', '2/2']) {
      const out = path.join(temporary, shard.replace('/', '-of-'));
      await ended({ loadsIn: out }, ['--plan', planFile, '--shard', shard, '--out', out]);
      made.push(...(await idsOf(out)));
      assert.equal((await readInvocations(out))[0]?.part, `shard ${shard} by sites`);
    }
    const { trials } = JSON.parse(await readFile(planFile, 'utf8')) as PlanRecord;
    const planned = made.filter((id) => isPlanned({ id }));
    assert.deepEqual(planned.sort(), trials.map(({ id }) => id).sort());
  }));

test('begins no block after the budget is used up, and reports the skipped ones', () =>
  withTemporaryFolder(async (temporary) => {
    const out = path.join(temporary, 'run');
    const printed = await ended({ loadsIn: out }, [
      ...SMALL,
      '--repetitions',
      '500',
      '--budget',
      '6s',
      '--out',
      out,
    ]);
    const [, left] = /budget is used up\. Not made: (\d+) of www\.example\.org/.exec(printed) ?? [];
    const { pageLoads } = await readPageLoads(out);
    const measured = pageLoads.filter(({ warmup }) => !warmup);
    assert.equal(measured.length + Number(left), 1000);
    assert.match(printed, new RegExp(`--resume ${out}`));
  }));

test('continues to the end when its output is no longer read', () =>
  withTemporaryFolder(async (temporary) => {
    const out = path.join(temporary, 'run');
    const command = startBenchmark([...SMALL, '--repetitions', '2', '--out', out]);
    await command.printed(/^1 of/m);
    command.child.stdout?.destroy();
    command.child.stderr?.destroy();
    const status = await command.ended;
    await assertNoProcessLeft(command);
    assertStatusOf(await lastLoads(out), status, command.output());
    await assertWhole(out, 4);
  }));

test('rejects a changed plan, and an inapplicable rule, before anything is started', () =>
  withTemporaryFolder(async (temporary) => {
    const planFile = path.join(temporary, 'plan.json');
    const out = path.join(temporary, 'run');
    await ended(0, [...SMALL, '--repetitions', '1', '--seed', '1', '--freeze', planFile]);
    const plan = await readFile(planFile, 'utf8');
    await writeFile(planFile, plan.replace('"seed": 1', '"seed": 2'));
    assert.match(
      await ended(2, ['--plan', planFile, '--out', out]),
      /plan\.json: it was changed after it was frozen/,
    );
    assert.match(
      await ended(2, [...SMALL, '--fail-if', 'slower', '--out', out]),
      /lsquic-h3 slower than bun-h2 by 5%/,
    );
    assert.match(
      await ended(2, [...SMALL, '--fail-if', 'flask-h1 slower than bun-h2 by 5%', '--out', out]),
      /flask-h1 is no stack of this run/,
    );
    assert.ok(!existsSync(out));
  }));
