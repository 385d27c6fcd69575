import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { readLooks, readObservations } from '../../../../ground/records/read.ts';
import type { Summary } from '../../../../report/summary/summary.ts';
import { startProgram } from '../../../../test/e2e/command.ts';
import { assertNoProcessLeft } from '../../../../test/e2e/left-behind.ts';
import { assertStatusOf } from '../../../../test/e2e/whole-run.ts';
import { withTemporaryFolder } from '../../../../test/temporary-folder.ts';
import {
  casesOf,
  elementsOf,
  readJunit,
} from '../../../../test/unit/report/findings/junit-file.ts';
import { connect } from '../../experiment.ts';

async function summaryOf(folder: string): Promise<Summary> {
  return JSON.parse(await readFile(path.join(folder, 'summary.json'), 'utf8'));
}

/** Resolves at the first look at a run. */
async function lookedAt(folder: string): Promise<void> {
  for (let waits = 0; (await readLooks(folder)).length === 0; waits++) {
    assert.ok(waits < 1700, 'the run was not looked at within 170 s');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Resolves when a connection has been made that no look has seen. */
async function madeAfterLook(folder: string): Promise<void> {
  const isUnseen = async () => {
    const { observations } = await readObservations(folder, connect);
    return observations.length > ((await readLooks(folder)).at(-1)?.order ?? 0);
  };
  for (let waits = 0; !(await isUnseen()); waits++) {
    assert.ok(waits < 600, 'no connection was made within 60 s of a look');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

test('continues an interrupted run with its looks, and measures nothing more after its end', () =>
  withTemporaryFolder(async (temporary) => {
    const [out, junit] = [path.join(temporary, 'run'), path.join(temporary, 'junit.xml')];
    // Of connections, which are so quick that even a busy machine looks at them long before the budget is used up.
    const first = startProgram([
      // The same connections under two names, so that the first look does not decide both
      // conditions.
      ...['connect', '--sites', 'www.example.org', '--stacks', 'bun-h1,bun-h2', '--rtt', '0,5'],
      ...['--margin', '0.1', '--budget', '3m', '--out', out, '--junit', junit],
    ]);
    await lookedAt(out);
    await madeAfterLook(out);
    first.child.kill('SIGINT');
    assert.equal(await first.ended, 130, first.output());
    const report = readJunit(await readFile(junit, 'utf8'));
    assert.equal(casesOf(report).at(-1), 'ended: error not finished');
    assert.match(elementsOf(report, 'error').at(-1)?.text ?? '', /^Interrupted \(SIGINT\)/);
    const looked = (await readLooks(out)).length;
    assert.ok(looked >= 1);
    const made = (await readObservations(out, connect)).observations.length;
    assert.equal((await summaryOf(out)).looks?.end, null);

    const refused = startProgram(['connect', '--resume', out, '--budget', '6m']);
    assert.equal(await refused.ended, 2, refused.output());
    assert.match(refused.output(), /budget \(180 s\) is part of its plan/);

    const second = startProgram(['connect', '--resume', out]);
    const status = await second.ended;
    const looks = await readLooks(out);
    // Its report has been written, and may have been read: that was a look.
    assert.deepEqual([looks[looked]?.order, looks[looked]?.end], [made, null]);
    assert.ok(looks.length > looked + 1);
    assert.deepEqual(
      looks.map(({ fraction }) => fraction),
      looks.map(({ fraction }) => fraction).toSorted((a, b) => a - b),
    );
    assert.notEqual(looks.at(-1)?.end, null);
    const { observations } = await readObservations(out, connect);
    assertStatusOf(observations.slice(made), status, second.output());

    const third = startProgram(['connect', '--resume', out]);
    assert.equal(await third.ended, 0, third.output());
    assert.equal((await readObservations(out, connect)).observations.length, observations.length);
    await assertNoProcessLeft(third);
  }));
