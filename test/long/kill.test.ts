import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Command, startBenchmark } from '../e2e/command.ts';
import { assertNoProcessLeft, temporaryFoldersOf } from '../e2e/left-behind.ts';
import { assertStatusOf, assertWhole, lastLoads } from '../e2e/whole-run.ts';
import { withTemporaryFolder } from '../temporary-folder.ts';
import { choicesOf } from './fuzz-importers/random.ts';

const SEED = Number(process.env.KILL_SEED ?? 1);
const KILLS = Number(process.env.KILL_TIMES ?? 10);
/** Enough loads for a run to outlast all kills. */
const REPETITIONS = 20;
/** Longest delay from the start for every second kill: while path and servers are made. */
const STARTING_MS = 12_000;
/** Longest delay of the remaining kills after the invocation's first load. */
const LOADING_MS = 5_000;

test(`completes a run with every row once and none lost after ${KILLS} kills by kill -9 at random moments`, async (t) => {
  const choices = choicesOf(SEED, 0);
  await withTemporaryFolder(async (temporary) => {
    const out = path.join(temporary, 'run');
    const rows = path.join(out, 'page-loads.jsonl');
    const start = () =>
      startBenchmark(
        existsSync(path.join(out, 'run.json'))
          ? ['--resume', out]
          : [
              '--sites',
              'www.example.org',
              '--stacks',
              'lsquic-h3,bun-h2',
              '--rtt',
              '0',
              '--repetitions',
              `${REPETITIONS}`,
              '--out',
              out,
            ],
      );
    let before = Buffer.alloc(0);
    let killed: Command | null = null;
    for (let kill = 1; kill <= KILLS; kill++) {
      const command = start();
      const loads = kill % 2 === 0;
      const afterMs = choices.number(loads ? LOADING_MS : STARTING_MS);
      if (loads) await command.printed(/^\d+ of/m);
      await Promise.race([sleep(afterMs), command.ended]);
      assert.equal(command.child.exitCode, null, `it ended by itself:\n${command.output()}`);
      command.child.kill('SIGKILL');
      await command.ended;
      await assertNoProcessLeft(command);
      const now = existsSync(rows) ? readFileSync(rows) : Buffer.alloc(0);
      const since = loads ? 'the first load of its invocation' : 'its start';
      t.diagnostic(
        `kill ${kill}: ${(afterMs / 1000).toFixed(1)} s after ${since}; ${linesOf(now)} rows so far`,
      );
      // A truncated last line is no row; every earlier row is there to the byte.
      const whole = now.subarray(0, now.lastIndexOf('\n') + 1);
      assert.deepEqual(whole.subarray(0, before.length), before);
      before = Buffer.from(whole);
      killed = command;
    }
    const last = start();
    const status = await last.ended;
    assertStatusOf(await lastLoads(out), status, last.output());
    await assertNoProcessLeft(last);
    assert.deepEqual(readFileSync(rows).subarray(0, before.length), before);
    await assertWhole(out, 2 * REPETITIONS);
    assert.deepEqual(temporaryFoldersOf(killed?.child.pid), []);
    for (const folder of [out, path.join(out, 'har')]) {
      const unfinished = readdirSync(folder).filter((name) => name.endsWith('.unfinished'));
      assert.deepEqual(unfinished, [], folder);
    }
  });
});

function linesOf(bytes: Buffer): number {
  return bytes.filter((byte) => byte === 0x0a).length;
}
