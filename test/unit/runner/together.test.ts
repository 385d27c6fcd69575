import assert from 'node:assert/strict';
import { readFile, truncate } from 'node:fs/promises';
import path from 'node:path';
import { before, test } from 'node:test';
import { example } from '../../../experiments/example/experiment.ts';
import type { Observation } from '../../../ground/records/observation.ts';
import { writeReport } from '../../../report/write.ts';
import { withTemporaryFolder } from '../../temporary-folder.ts';
import { assertEach } from '../assert-each.ts';
import { drawsIn, run } from './example-run.ts';
import { fakeTestBedWith } from './fake-test-bed.ts';

// Of this process alone: every test of this file draws the arms of a block together.
before(() => {
  example.together = true;
});

const WORDS = [
  ...['--sites', 'www.example.org', '--stacks', 'lsquic-h3,bun-h2,flask-h1', '--rtt', '0'],
  ...['--seed', '7'],
];

/** The rows of each block, without warm-ups. */
function blocksIn(draws: readonly Observation[]): Observation[][] {
  return [
    ...Map.groupBy(
      draws.filter(({ warmup }) => !warmup),
      ({ block }) => block,
    ).values(),
  ];
}

/** Rows of one measurement share its start. */
function isOneMeasurement(rows: readonly Observation[]): boolean {
  return new Set(rows.map(({ startedAt }) => startedAt)).size === 1;
}

test('writes a row per arm of a jointly measured block, from one measurement', () =>
  withTemporaryFolder(async (folder) => {
    const out = path.join(folder, 'run');
    await run([...WORDS, '--repetitions', '6', '--out', out]);
    const draws = await drawsIn(out);
    const blocks = blocksIn(draws);
    assert.deepEqual(
      blocks.map((rows) => rows.map(({ arm }) => arm).toSorted()),
      Array.from({ length: 6 }, () => ['bun-h2', 'flask-h1', 'lsquic-h3']),
    );
    assert.ok(blocks.every(isOneMeasurement));
    const { primary } = await writeReport(out);
    assertEach(primary, ({ arm, verdict }) => [arm, verdict], [
      ['lsquic-h3', 'faster'],
      ['flask-h1', 'slower'],
    ]);
  }));

test('measures a block anew that was half written when the run was killed', () =>
  withTemporaryFolder(async (folder) => {
    const out = path.join(folder, 'run');
    await run([...WORDS, '--repetitions', '4', '--out', out]);
    const file = path.join(out, example.recordFile);
    const text = await readFile(file, 'utf8');
    const lines = text.trimEnd().split('\n');
    // One row of the last block is whole, and one truncated.
    const left = Buffer.byteLength(`${lines.slice(0, -2).join('\n')}\n`) + 30;
    await truncate(file, left);
    await run(['--resume', out]);
    const blocks = blocksIn(await drawsIn(out));
    assertEach(blocks, (rows) => rows.length, [3, 3, 3, 3]);
    assert.ok(blocks.every(isOneMeasurement), 'rows of two measurements in one block');
    const before = JSON.parse(lines.at(-3) ?? '') as Observation;
    assert.notEqual(blocks.at(-1)?.[0]?.startedAt, before.startedAt);
  }));

test('makes the other arms of a block invalid when one fails, without blaming them', () =>
  withTemporaryFolder(async (folder) => {
    const out = path.join(folder, 'run');
    const testBed = fakeTestBedWith({
      ailmentOf: (arm) => (arm === 'flask-h1' ? 'absent' : null),
    });
    await assert.rejects(
      run([...WORDS, '--repetitions', '8', '--stop-after', '3', '--out', out], { testBed }),
      /flask-h1 server did not start/,
    );
    const rows = blocksIn(await drawsIn(out)).flat();
    assert.ok(rows.length >= 9, String(rows.length));
    for (const { arm, outcome, code, message } of rows) {
      if (arm === 'flask-h1') assert.deepEqual([outcome, code], ['failed', 'server-failed']);
      else {
        assert.deepEqual([outcome, code], ['invalid', 'not-together']);
        assert.match(message ?? '', /together with flask-h1/);
      }
    }
  }));

test('keeps blocks whole in shards', () =>
  withTemporaryFolder(async (folder) => {
    for (const index of [1, 2]) {
      const out = path.join(folder, `part-${index}`);
      const shard = ['--shard', `${index}/2`, '--shard-by', 'blocks', '--out', out];
      await run([...WORDS, '--repetitions', '4', ...shard]);
      const blocks = blocksIn(await drawsIn(out));
      assert.equal(blocks.length, 2);
      assert.ok(blocks.every((rows) => rows.length === 3 && isOneMeasurement(rows)));
    }
  }));
