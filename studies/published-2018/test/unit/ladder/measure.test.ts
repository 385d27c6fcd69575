import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import type { Given } from '../../../../../ground/options/row.ts';
import { runFolder } from '../../../../../ground/records/run-folder.ts';
import { readCommandLine } from '../../../../../runner/command-line/command-line.ts';
import { withTemporaryFolder } from '../../../../../test/temporary-folder.ts';
import { type LadderOrder, measureLadder, readLadderOrder } from '../../../ladder/measure.ts';
import { readLadderRecord } from '../../../ladder/record.ts';
import { LADDER } from '../../../ladder/steps.ts';

const FAST = ['--preset', 'ladder', '--repetitions', '1'];

function withFolder(use: (folder: string) => Promise<void>): Promise<void> {
  return withTemporaryFolder((above) => use(path.join(above, 'results')));
}

function read(...words: string[]) {
  const line = readCommandLine(['benchmark', ...words]);
  assert.ok(line);
  return readLadderOrder(line);
}

async function orderOf(...words: string[]): Promise<LadderOrder> {
  const order = await read(...words);
  assert.ok(order);
  return order;
}

/** Measures with runs that are made up: each ends with the status given for its number, 0 by itself, or is thrown. */
async function measure(order: LadderOrder, ends: Record<number, number | Error> = {}) {
  const measured: Given[] = [];
  let reports = 0;
  const ended = measureLadder(order, {
    async measure(given) {
      measured.push(given);
      const end = ends[measured.length] ?? 0;
      if (end instanceof Error) throw end;
      if (given.out !== undefined) {
        await mkdir(given.out);
        await writeFile(runFolder(given.out).run, '{}');
      }
      return end;
    },
    async report(folder) {
      assert.equal(folder, order.folder);
      reports++;
    },
  });
  const status = await ended.catch((error: Error) => error.message);
  return { measured, reports, status };
}

test('every step is a run in a folder of its own, in order, with a report after each', () =>
  withFolder(async (folder) => {
    const { measured, reports, status } = await measure(await orderOf(...FAST, '--out', folder));
    assert.equal(status, 0);
    assert.equal(reports, LADDER.length);
    const { steps, command } = await readLadderRecord(folder);
    assert.deepEqual(command, [...FAST, '--out', folder]);
    assert.deepEqual(
      measured,
      LADDER.map(({ name }, index) => ({
        preset: `ladder/${name}`,
        repetitions: '1',
        out: path.join(folder, steps[index]?.folder ?? ''),
      })),
    );
  }));

test('a step that does not end well does not end the ladder, and the first such status is that of the ladder', () =>
  withFolder(async (folder) => {
    const order = await orderOf(...FAST, '--out', folder);
    const { measured, reports, status } = await measure(order, { 2: 6, 4: 5 });
    assert.deepEqual([measured.length, reports, status], [LADDER.length, LADDER.length, 6]);
  }));

test('an interrupted ladder has its report, and goes on where it was', () =>
  withFolder(async (folder) => {
    const interrupted = await measure(await orderOf(...FAST, '--out', folder), {
      3: new Error('interrupted'),
    });
    assert.deepEqual([interrupted.reports, interrupted.status], [3, 'interrupted']);
    const resumed = await measure(await orderOf('--resume', folder, '--resume-anyway'));
    assert.equal(resumed.status, 0);
    // What was begun is resumed, which does nothing where nothing is left; the others begin.
    assert.deepEqual(
      resumed.measured.map((given) => Object.keys(given)),
      LADDER.map((_, index) =>
        index < 2 ? ['resume', 'resume-anyway'] : ['preset', 'repetitions', 'out'],
      ),
    );
  }));

test('a ladder is never written over, and one of other steps is refused', () =>
  withFolder(async (folder) => {
    await measure(await orderOf(...FAST, '--out', folder));
    const again = await measure(await orderOf(...FAST, '--out', folder));
    assert.match(`${again.status}`, /not empty|already/);
    assert.deepEqual(again.measured, []);
    const record = await readLadderRecord(folder);
    const others = { ...record, steps: record.steps.slice(1) };
    await writeFile(path.join(folder, 'ladder.json'), JSON.stringify(others));
    const refused = await measure(await orderOf('--resume', folder));
    assert.match(`${refused.status}`, /other steps than this version/);
    assert.deepEqual(refused.measured, []);
  }));

test('with a ladder to resume goes nothing else, and other words are not of a ladder', () =>
  withFolder(async (folder) => {
    await measure(await orderOf(...FAST, '--out', folder));
    await assert.rejects(read('--resume', folder, '--repetitions', '3'), {
      name: 'UsageError',
      message: /Only --resume-anyway/,
    });
    for (const words of [[], ['--preset', 'published'], ['--resume', tmpdir()]]) {
      assert.equal(await read(...words), null, words.join(' '));
    }
  }));
