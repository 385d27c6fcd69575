import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { example } from '../../../experiments/example/experiment.ts';
import { pageLoad } from '../../../experiments/page-load/experiment.ts';
import { inFolder } from '../../../ground/records/file-name.ts';
import { FORMAT } from '../../../ground/records/format.ts';
import { planSha256 } from '../../../ground/records/plan-digest.ts';
import {
  problemOfCalibration,
  problemOfInvocation,
  problemOfLook,
  problemOfObservation,
  problemOfPackets,
  problemOfRun,
} from '../../../ground/records/problems.ts';
import {
  readCalibrations,
  readInvocations,
  readObservations,
  readRun,
} from '../../../ground/records/read.ts';
import type { PlanRecord } from '../../../ground/records/run.ts';
import { runFolder } from '../../../ground/records/run-folder.ts';
import { ExitError } from '../../../ground/system/exit-status.ts';
import { createQlogs } from '../../../packets/qlog/write.ts';
import { pageOf } from '../../../packets/run-captures.ts';
import { prepareRun } from '../../../runner/campaign/prepare.ts';
import { keptFiles } from '../../../runner/kept-files.ts';
import { mergeRuns } from '../../../runner/merge/merge.ts';
import { readOptions } from '../../../runner/options.ts';
import { openResults, resultsFolder } from '../../../runner/results.ts';
import { readTraces, writeTraces } from '../../../runner/traces.ts';
import { withTemporaryFolder } from '../../temporary-folder.ts';
import { type Fixture, fixtureRun, NONE, ONE_SITE, writeRun } from '../report/fixture-run.ts';
import { run } from './example-run.ts';
import { fakeMachineState } from './fake-test-bed.ts';

type FieldPath = readonly (string | number)[];

/**
 * Every leaf of a value with this type, at any position, and the name of every field of a map as
 * well.
 */
function* leavesOf<Type>(
  value: unknown,
  isLeaf: (value: unknown) => value is Type,
  fieldPath: FieldPath = [],
): Generator<FieldPath> {
  if (isLeaf(value)) yield fieldPath;
  if (typeof value !== 'object' || value === null) return;
  for (const [key, below] of Object.entries(value)) {
    yield* leavesOf(below, isLeaf, [...fieldPath, Array.isArray(value) ? Number(key) : key]);
  }
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isNumber = (value: unknown): value is number => typeof value === 'number';

function changedAt<Value>(value: Value, fieldPath: FieldPath, to: unknown): Value {
  const copy = JSON.parse(JSON.stringify(value));
  const parent = fieldPath.slice(0, -1).reduce((at, key) => at[key], copy);
  parent[fieldPath.at(-1) ?? ''] = to;
  return copy;
}

/** Names that leave a folder, or lead nowhere, for a folder where `outside` is. */
function hostileNames(outside: string): string[] {
  return [
    '../../outside/x',
    '../../../../outside/x',
    path.join(outside, 'x'),
    'a/../../../outside/x',
    '..',
    '.',
    '.hidden',
    'a\u0000b',
    'a\\..\\b',
    'a\nb',
    'x'.repeat(5000),
    '',
  ];
}

/**
 * A folder deep enough that files outside it are still detected, next to one with a file that must
 * stay unchanged.
 */
async function inDepth(
  use: (at: { deep: string; outside: string; all: () => unknown }) => Promise<void>,
) {
  await withTemporaryFolder(async (temporary) => {
    const deep = path.join(temporary, 'a', 'b');
    const outside = path.join(temporary, 'outside');
    await mkdir(deep, { recursive: true });
    await mkdir(outside);
    await writeFile(path.join(outside, 'x'), 'untouched');
    // Without the contents of `deep`, which has many files.
    const all = () => [
      ...[temporary, path.dirname(deep)].map((folder) => readdirSync(folder)),
      readdirSync(outside, { recursive: true }),
    ];
    const before = all();
    await use({ deep, outside, all });
    assert.deepEqual(all(), before);
    assert.equal(await readFile(path.join(outside, 'x'), 'utf8'), 'untouched');
  });
}

/**
 * Runs what may reject; only a user error counts as a rejection.
 * @returns whether it was rejected
 */
async function isRefused(act: () => Promise<unknown>, about: string): Promise<boolean> {
  try {
    await act();
    return false;
  } catch (error) {
    assert.ok(error instanceof ExitError, `${about}: ${(error as Error).stack}`);
    assert.equal(error.exitStatus, 2, about);
    return true;
  }
}

/** The frozen plan of the example. */
async function examplePlan(): Promise<PlanRecord> {
  const words = ['--sites', 'www.example.org', '--stacks', 'lsquic-h3,bun-h2', '--seed', '7'];
  const options = readOptions(
    [
      ...words,
      '--rtt',
      '0',
      '--repetitions',
      '1',
      '--control',
      '--out',
      '/tmp/unused-by-this-test',
    ],
    example,
  );
  return (await prepareRun(options, words, { readMachineState: fakeMachineState })).record;
}

async function writePlan(file: string, plan: PlanRecord): Promise<void> {
  const { planSha256: _, ...rest } = plan;
  await writeFile(file, JSON.stringify({ ...rest, planSha256: planSha256(rest) }));
}

test('rejects a plan with a hostile name in any text, or leaves nothing outside of its run', () =>
  inDepth(async ({ deep, outside, all }) => {
    const plan = await examplePlan();
    const before = all();
    const results = readdirSync(resultsFolder).filter((name) => name !== 'latest');
    const names = hostileNames(outside);
    let number = 0;
    let refused = 0;
    for (const fieldPath of leavesOf(plan, isText)) {
      for (const name of names) {
        number += 1;
        const file = path.join(deep, `plan-${number}.json`);
        await writePlan(file, changedAt(plan, fieldPath, name));
        const about = `${fieldPath.join('.')} = ${JSON.stringify(name.slice(0, 40))}`;
        const out = path.join(deep, `run-${number}`);
        const wasRefused = await isRefused(() => run(['--plan', file, '--out', out]), about);
        if (wasRefused) refused += 1;
        assert.deepEqual(all(), before, about);
        // Free text is accepted unchanged: one value of it is enough.
        if (!wasRefused) break;
      }
    }
    assert.ok(refused > 100, `${refused}`);
    assert.deepEqual(
      readdirSync(resultsFolder).filter((name) => name !== 'latest'),
      results,
    );
  }));

test('rejects a run with a hostile name in any text of its records, or touches nothing outside of it', () =>
  inDepth(async ({ deep, outside, all }) => {
    const fixture = fixtureRun({ ...ONE_SITE, repetitions: 1 });
    const traced = { name: 'a.trace', sha256: 'ab'.repeat(32), meanKbps: 1000, durationMs: 10 };
    const own = {
      ...fixture,
      run: {
        ...fixture.run,
        networks: [{ ...NONE, trace: traced }],
        trials: fixture.run.trials
          .slice(0, 3)
          .map((trial) => ({ ...trial, network: { ...NONE, trace: traced } })),
      },
      observations: fixture.observations
        .slice(0, 3)
        .map((load) => ({ ...load, network: { ...load.network, trace: traced } })),
      calibrations: fixture.calibrations.slice(0, 1),
    };
    const before = all();
    const other = path.join(deep, 'other');
    await mkdir(other);
    await writeRun(other, {
      ...own,
      observations: [],
      invocations: own.invocations.map((each) => ({ ...each, id: 'another' })),
    });
    const parts = {
      run: own.run,
      observations: own.observations,
      invocations: own.invocations,
      calibrations: own.calibrations,
    };
    let number = 0;
    for (const fieldPath of leavesOf(parts, isText)) {
      // Similar records have the same schema: the first of each list represents all.
      if (fieldPath.some((step) => typeof step === 'number' && step > 0)) continue;
      for (const name of hostileNames(outside)) {
        number += 1;
        const about = `${fieldPath.join('.')} = ${JSON.stringify(name.slice(0, 40))}`;
        // The checks that readers make of each record, which are quicker than reading all of them.
        if (refusesRecords(changedAt(parts, fieldPath, name))) continue;
        const folder = path.join(deep, `run-${number}`);
        await mkdir(runFolder(folder).har, { recursive: true });
        const changed = changedAt(own, fieldPath, name) as typeof own;
        const isRecordFile = fieldPath.at(-1) === 'recordFile';
        await writeRun(folder, isRecordFile ? { ...changed, run: own.run } : changed);
        if (isRecordFile) await writeFile(runFolder(folder).run, JSON.stringify(changed.run));
        const wasRefused = await isRefused(() => useRun(folder, other, deep, number), about);
        assert.deepEqual(all(), before, about);
        assert.equal(await readFile(path.join(outside, 'x'), 'utf8'), 'untouched', about);
        // Free text is accepted unchanged: one value of it is enough.
        if (!wasRefused) break;
      }
    }
    assert.ok(number > 300);
  }));

const problemOfLoad = problemOfObservation(pageLoad.details);

function refusesRecords({ run, observations, invocations, calibrations }: Fixture): boolean {
  return [
    problemOfRun(run),
    ...observations.map(problemOfLoad),
    ...invocations.map(problemOfInvocation),
    ...calibrations.map(problemOfCalibration),
  ].some((problem) => problem !== null);
}

/** Reads a run, and writes, moves and removes files by its names as commands do. */
async function useRun(folder: string, other: string, deep: string, number: number): Promise<void> {
  const run = await readRun(folder);
  const { observations } = await readObservations(folder, pageLoad);
  await readInvocations(folder);
  await readCalibrations(folder);
  await mergeRuns([folder, other], path.join(deep, `merged-${number}`));
  const kept = keptFiles(folder, { ...run, choices: { ...run.choices, hars: 'none' } });
  const traces = run.networks.flatMap(({ trace }) => trace ?? []);
  await writeTraces(
    runFolder(folder).traces,
    traces.map((trace) => ({ ...trace, bytes: new Uint8Array() })),
  );
  const results = await openResults(folder, run);
  try {
    for (const load of observations) {
      await results.writeHar(load.id, {});
      await results.writePackets(load.id, new Uint8Array(), async () => {});
      await results.writeTcpInfo(load.id, async () => {});
      await results.writeLink(load.id, '');
      const { qlog } = runFolder(folder);
      await createQlogs(qlog, load.id).close();
      inFolder(folder, pageOf(load));
      await kept.made(load);
    }
  } finally {
    await results.close();
  }
  await isRefused(
    async () => readTraces(runFolder(folder).traces, run.networks, '--resume'),
    'traces',
  );
}

test('rejects hostile names in lines of other files of a run', () => {
  const { observations } = fixtureRun({ repetitions: 1 });
  const [load] = observations;
  const packets = {
    ...FORMAT,
    id: load?.id,
    file: 'packets/a.pcapng',
    page: 'packets/a.html',
    qlogs: ['qlog/a.sqlog'],
    packets: 0,
    bytes: 0,
    earlierPackets: 0,
    cutPackets: 0,
    otherPackets: 0,
    connections: [],
    complaints: [],
  };
  const look = {
    ...FORMAT,
    invocation: 'a',
    at: '2026-11-20T10:02:00.000Z',
    order: 48,
    elapsedMs: 1,
    fraction: 0.5,
    decided: [],
    end: null,
  };
  assert.equal(problemOfPackets(packets), null);
  assert.equal(problemOfLook(look), null);
  for (const name of hostileNames('/outside')) {
    for (const fieldPath of leavesOf(packets, isText)) {
      assert.notEqual(
        problemOfPackets(changedAt(packets, fieldPath, name)),
        null,
        fieldPath.join('.'),
      );
    }
    assert.notEqual(problemOfLook({ ...look, invocation: name }), null);
  }
});

test('accepts no name that leaves a folder', () => {
  for (const name of hostileNames('/outside')) {
    assert.throws(() => inFolder('/tmp/run', name), ExitError, JSON.stringify(name));
  }
  for (const name of ['a.har', 'har/a.har', 'www.a.test.30ms.bun-h2~2@x.har', '[::1]:443.log']) {
    assert.equal(inFolder('/tmp/run', name), path.join('/tmp/run', name));
  }
});

test('rejects a plan with an extreme number, or one that options could not have made', () =>
  withTemporaryFolder(async (folder) => {
    const plan = await examplePlan();
    let number = 0;
    const accepted = new Set<string>();
    for (const fieldPath of leavesOf(plan, isNumber)) {
      for (const value of [-1, 0, 0.5, 1e12, 1e308]) {
        number += 1;
        const file = path.join(folder, `plan-${number}.json`);
        await writePlan(file, changedAt(plan, fieldPath, value));
        const out = path.join(folder, `run-${number}`);
        const about = `${fieldPath.join('.')} = ${value}`;
        const words = ['--plan', file, '--out', out];
        const prepare = () =>
          prepareRun(readOptions(words, example), words, { readMachineState: fakeMachineState });
        if (!(await isRefused(prepare, about))) accepted.add(`${fieldPath.join('.')}=${value}`);
        assert.ok(!existsSync(out));
      }
    }
    // Only a zero or a fraction where options accept one.
    const large = [...accepted].filter((each) => /=(-1|1e\+(12|308)|1000000000000)$/.test(each));
    assert.deepEqual(
      large.filter((each) => !each.startsWith('formatMinor')),
      [],
    );
  }));
