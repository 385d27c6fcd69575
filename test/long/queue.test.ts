import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { plannedIdOf } from '../../ground/records/attempt.ts';
import type { Observation } from '../../ground/records/observation.ts';
import { readRun } from '../../ground/records/read.ts';
import type { PlanRecord } from '../../ground/records/run.ts';
import { runFolder } from '../../ground/records/run-folder.ts';
import { EXIT } from '../../ground/system/exit-status.ts';
import { splitAttempts } from '../../report/summary/blocks.ts';
import { type Command, startBenchmark, startProgram } from '../e2e/command.ts';
import { assertNoProcessLeft } from '../e2e/left-behind.ts';

import { readPageLoads } from '../e2e/page-loads.ts';
import { assertMostlyOk, assertStatusOf, lastLoads } from '../e2e/whole-run.ts';

import { withTemporaryFolder } from '../temporary-folder.ts';
import { withRedis } from './queue/redis-server.ts';

const SITES = 'www.example.org,shower-deck';
const OPTIONS = ['--stacks', 'lsquic-h3,bun-h2', '--rtt', '0', '--repetitions', '4'];
const MEASURED = 2 * 2 * 4;

interface SummaryRead {
  progress: { complete: boolean; donePageLoads: number; plannedPageLoads: number };
  warnings: string[];
  rows: Record<'n' | 'nPlanned' | 'nOk' | 'nFailed' | 'nInvalid' | 'nExcluded', number>[];
}

async function readSummary(folder: string): Promise<SummaryRead> {
  return JSON.parse(await readFile(runFolder(folder).summaryJson, 'utf8'));
}

async function freezePlan(folder: string): Promise<{ file: string; plan: PlanRecord }> {
  const file = path.join(folder, 'plan.json');
  const command = startBenchmark(['--sites', SITES, ...OPTIONS, '--freeze', file]);
  assert.equal(await command.ended, EXIT.ok, command.output());
  return { file, plan: JSON.parse(await readFile(file, 'utf8')) };
}

/**
 * Waits for the first counted load of a worker: the second load of its block is in progress then.
 */
function inABlock(worker: Command): Promise<void> {
  return worker.printed(/"event":"attempt-ended".*"warmup":false/);
}

async function merge(folders: string[], out: string): Promise<void> {
  const command = startProgram(['merge', ...folders, '--out', out]);
  assert.equal(await command.ended, EXIT.ok, command.output());
  assert.ok(existsSync(runFolder(out).report));
}

/** One attempt at each block has every planned load once, and the summary counts these. */
async function assertWholePlan(folder: string): Promise<Observation[]> {
  const run = await readRun(folder);
  const { pageLoads } = await readPageLoads(folder);
  assertMostlyOk(pageLoads);
  const { counted, superseded: setAside } = splitAttempts(run, pageLoads);
  const planned = run.trials.filter(({ warmup }) => !warmup);
  assert.deepEqual(
    counted
      .filter(({ warmup }) => !warmup)
      .map(plannedIdOf)
      .sort(),
    planned.map(({ id }) => id).sort(),
  );
  const { progress, rows } = await readSummary(folder);
  assert.deepEqual(
    [progress.complete, progress.donePageLoads, progress.plannedPageLoads],
    [true, MEASURED, MEASURED],
  );
  assert.equal(rows.length, 2 * 2);
  for (const { n, nPlanned, nOk, nFailed, nInvalid, nExcluded } of rows) {
    assert.equal(nPlanned, 4);
    assert.equal(nOk + nFailed + nInvalid, nPlanned);
    assert.equal(n, nOk - nExcluded);
  }
  return [...setAside];
}

test('completes the work of a killed worker by a second one, and merges a whole run', () =>
  withTemporaryFolder((folder) =>
    withRedis(async ({ url }) => {
      const { file } = await freezePlan(folder);
      const outs = ['first', 'second'].map((name) => path.join(folder, name));
      const [first, second] = outs.map((out) =>
        startBenchmark(['--plan', file, '--queue', url, '--out', out, '--progress', 'jsonl']),
      );
      assert.ok(first && second);
      await inABlock(first);
      first.child.kill('SIGKILL');
      await first.ended;
      const status = await second.ended;
      assertStatusOf(await lastLoads(outs[1] ?? ''), status, second.output());
      await assertNoProcessLeft(first);
      await assertNoProcessLeft(second);
      assert.match(second.output(), /"event":"queue-left".*"waiting":0,"taken":0,"finished":10/);
      const merged = path.join(folder, 'merged');
      await merge(outs, merged);
      const setAside = await assertWholePlan(merged);
      assert.equal(setAside.length, 1, 'the load that the killed worker made of its last block');
      const { warnings } = await readSummary(merged);
      assert.ok(warnings.some((sentence) => /^1 block was begun again/.test(sentence)));
    }),
  ));

test('returns the block of an interrupted worker at once, and continues it later', () =>
  withTemporaryFolder((folder) =>
    withRedis(async ({ url }) => {
      const { file } = await freezePlan(folder);
      const out = path.join(folder, 'worker');
      const words = ['--plan', file, '--queue', url, '--out', out, '--progress', 'jsonl'];
      const interrupted = startBenchmark(words);
      await inABlock(interrupted);
      interrupted.child.kill('SIGINT');
      assert.equal(await interrupted.ended, EXIT.interrupted, interrupted.output());
      assert.match(interrupted.output(), /"event":"queue-left".*"taken":0/);
      const alone = startBenchmark(['--resume', out]);
      assert.equal(await alone.ended, EXIT.usage);
      assert.match(alone.output(), /Add --queue URL/);
      const resumed = startBenchmark(['--resume', out, '--queue', url, '--progress', 'jsonl']);
      const status = await resumed.ended;
      assertStatusOf(await lastLoads(out), status, resumed.output());
      await assertNoProcessLeft(resumed);
      await assertWholePlan(out);

      const late = path.join(folder, 'late');
      const tooLate = startBenchmark(['--plan', file, '--queue', url, '--out', late]);
      assert.equal(await tooLate.ended, EXIT.ok, tooLate.output());
      assert.match(tooLate.output(), /nothing was left for this one/);
      assert.ok(!existsSync(late), 'a report without a load reads like a failure');
    }),
  ));

test('reports that a worker lacks a plan, or a Redis', () =>
  withTemporaryFolder(async (folder) => {
    const words = ['--sites', SITES, ...OPTIONS, '--queue', 'redis://127.0.0.1:1'];
    const withoutPlan = startBenchmark(words);
    assert.equal(await withoutPlan.ended, EXIT.usage);
    assert.match(withoutPlan.output(), /--queue needs --plan FILE/);
    const { file } = await freezePlan(folder);
    const out = path.join(folder, 'worker');
    const url = 'redis://:secret@127.0.0.1:1';
    const withoutRedis = startBenchmark(['--plan', file, '--queue', url, '--out', out]);
    assert.equal(await withoutRedis.ended, EXIT.machine, withoutRedis.output());
    assert.match(withoutRedis.output(), /redis:\/\/:\*\*\*@127\.0\.0\.1:1 cannot be used/);
    assert.ok(!withoutRedis.output().includes('secret'));
    assert.ok(!existsSync(out));
  }));

test('ends a worker whose Redis goes away with its results, and continues when it returns', () =>
  withTemporaryFolder((folder) =>
    withRedis(async (server) => {
      const { file } = await freezePlan(folder);
      const out = path.join(folder, 'worker');
      const words = ['--plan', file, '--queue', server.url, '--out', out, '--progress', 'jsonl'];
      const left = startBenchmark(words);
      await inABlock(left);
      await server.stop();
      assert.equal(await left.ended, EXIT.machine, left.output());
      assert.match(left.output(), /cannot be used: .*ECONNREFUSED.*--resume DIR --queue URL/);
      await assertNoProcessLeft(left);
      const before = (await readPageLoads(out)).pageLoads;
      assert.ok(before.length >= 3);
      assert.equal((await readSummary(out)).progress.complete, false);
      // It is empty now, but the worker knows what it has.
      await server.start();
      const again = startBenchmark(['--resume', out, '--queue', server.url]);
      const status = await again.ended;
      assertStatusOf(await lastLoads(out), status, again.output());
      const { pageLoads } = await readPageLoads(out);
      assert.deepEqual(pageLoads.slice(0, before.length), before);
      assert.deepEqual(await assertWholePlan(out), []);
    }),
  ));

test('merges two shards of a plan to the loads of the whole plan', () =>
  withTemporaryFolder(async (folder) => {
    const { file, plan } = await freezePlan(folder);
    for (const by of ['sites', 'blocks']) {
      const outs: string[] = [];
      for (const part of ['1/2', '2/2']) {
        const out = path.join(folder, `${by}-${part.replace('/', '-of-')}`);
        outs.push(out);
        const shard = ['--shard', part, '--shard-by', by];
        const command = startBenchmark(['--plan', file, ...shard, '--out', out]);
        const status = await command.ended;
        assertStatusOf(await lastLoads(out), status, command.output());
      }
      const merged = path.join(folder, `${by}-merged`);
      await merge(outs, merged);
      assert.deepEqual(await assertWholePlan(merged), []);
      const { pageLoads } = await readPageLoads(merged);
      const made = new Set(pageLoads.map(({ id }) => id));
      for (const { id } of plan.trials) assert.ok(made.has(id), id);
      // Only warm-ups are repeated: of restarted servers, or of a site on two machines.
      const again = pageLoads.filter(({ id }) => id.includes('@'));
      assert.ok(again.every(({ warmup }) => warmup));
      for (const [site, own] of Map.groupBy(pageLoads, (load) => load.subject)) {
        const invocations = new Set(own.map(({ invocation }) => invocation));
        assert.equal(invocations.size, by === 'blocks' ? 2 : 1, `${site} by ${by}`);
      }
      const { planSha256 } = await readRun(merged);
      assert.equal(planSha256, plan.planSha256);
    }
  }));
