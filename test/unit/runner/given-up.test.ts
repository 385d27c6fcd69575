import assert from 'node:assert/strict';
import { cp, readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { isGivenUp } from '../../../ground/records/counted-loads.ts';
import type { Observation } from '../../../ground/records/observation.ts';
import { readLooks, readRun } from '../../../ground/records/read.ts';
import { writeReport } from '../../../report/write.ts';
import { measureRun, remainingTrials } from '../../../runner/benchmark.ts';
import { blocksOf } from '../../../runner/campaign/block.ts';
import { FaultsError } from '../../../runner/campaign/faults.ts';
import type { PreparedRun } from '../../../runner/campaign/prepare.ts';
import { statusOf } from '../../../runner/campaign/tally.ts';
import { mergeRuns } from '../../../runner/merge/merge.ts';
import { workOfQueue } from '../../../runner/queue/worker.ts';
import type { TestBed } from '../../../runner/test-bed.ts';
import { withTemporaryFolder } from '../../temporary-folder.ts';
import { assertEach } from '../assert-each.ts';
import { drawsIn, NEVER, run } from './example-run.ts';
import { fakeTestBed, fakeTestBedWith, type ServerFault } from './fake-test-bed.ts';

const [FIRST, SECOND, LAST] = ['www.example.org', 'www.google.com', 'www.wikipedia.org'];
const WORDS = ['--stacks', 'lsquic-h3,bun-h2', '--rtt', '0', '--seed', '7'];
const THREE = [...WORDS, '--sites', `${FIRST},${SECOND},${LAST}`];

/** A test bed in which one stack never delivers one site. */
function without(arm: string, subject: string, ailment: ServerFault = 'mute') {
  return fakeTestBedWith({
    ailmentOf: (stack, site) => (stack === arm && site === subject ? ailment : null),
  });
}

/** The same test bed, with a record of the started servers. */
function recordingServers(
  testBed: ReturnType<typeof fakeTestBedWith>,
  onServers: (...args: Parameters<TestBed['withServers']>) => void,
) {
  return (prepared: PreparedRun): TestBed => ({
    ...testBed(prepared),
    async withServers(...args) {
      onServers(...args);
      await testBed(prepared).withServers(...args);
    },
  });
}

/** Every planned load has one row. */
async function assertWhole(folder: string): Promise<void> {
  const { trials } = await readRun(folder);
  const made = Map.groupBy(await drawsIn(folder), ({ id }) => id);
  for (const { id } of trials) assert.equal(made.get(id)?.length, 1, id);
}

/** Gives a temporary folder, and the folder of a run in it. */
const inFolder = (use: (folder: string, out: string) => Promise<void>) =>
  withTemporaryFolder((folder) => use(folder, path.join(folder, 'run')));

const measured = (loads: readonly Observation[]) => loads.filter(({ warmup }) => !warmup);
const notOk = (loads: readonly Observation[]) => loads.filter(({ outcome }) => outcome !== 'ok');

for (const subject of [FIRST, LAST]) {
  for (const arm of ['lsquic-h3', 'bun-h2']) {
    for (const ailment of ['mute', 'ended', 'absent'] as const) {
      test(`${arm} is ${ailment} on the ${subject === FIRST ? 'first' : 'last'} site: only its part there ends`, () =>
        inFolder(async (_, out) => {
          const testBed = without(arm, subject, ailment);
          const words = [...THREE, '--repetitions', '12', '--out', out];
          const tally = await run(words, { testBed });
          await assertWhole(out);
          const loads = await drawsIn(out);
          const spoilt = notOk(loads);
          assert.ok(spoilt.every((load) => load.arm === arm && load.subject === subject));
          assert.equal(spoilt.filter(({ code }) => !isGivenUp(code)).length, 5);
          assert.equal(measured(spoilt).length, 12);
          assert.equal(statusOf(tally), 6);
          assert.equal(tally.measured.failed, 12);
        }));
    }
  }
}

test('reports a stack that was given up in verdict, notes, warning, exclusions and report, next to complete sites', () =>
  inFolder(async (_, out) => {
    await run([...THREE, '--repetitions', '12', '--out', out], {
      testBed: without('lsquic-h3', FIRST),
    });
    const { comparisons, warnings, exclusions, rows, progress } = await writeReport(out);
    assertEach(comparisons, ({ subject, verdict, nPairs }) => [subject, verdict, nPairs], [
      [FIRST, 'slower', 12],
      [SECOND, 'faster', 12],
      [LAST, 'faster', 12],
    ]);
    const note = comparisons[0]?.notes.find((each) => each.includes('given up')) ?? '';
    assert.match(note, /draws were not made and count as failures/);
    assert.match(note, /5 attempts in a row .* of www\.example\.org by lsquic-h3 .*\(timeout\)/);
    const warning = warnings.find((each) => each.includes('given up')) ?? '';
    assert.match(warning, /lsquic \(h3\) was given up on 1 site \(www\.example\.org\)/);
    const entry = exclusions.entries.find(({ code }) => code === 'given-up');
    const { nFailed } = rows.find((row) => row.subject === FIRST && row.arm === 'lsquic-h3') ?? {};
    const notMade = measured(await drawsIn(out)).filter(({ code }) => isGivenUp(code)).length;
    assert.deepEqual(entry?.countByStack, { 'lsquic-h3': notMade });
    assert.equal(nFailed, 12);
    assert.equal(progress.complete, true);
    const page = (await readFile(path.join(out, 'report.html'), 'utf8')).replaceAll(/\s+/g, ' ');
    assert.ok(page.includes(`Of 72 planned draws, ${72 - notMade} were made, ${notMade} given up`));
  }));

test('ends sequential repetitions although one stack never delivers', () =>
  withTemporaryFolder(async (folder) => {
    for (const subject of [FIRST, LAST]) {
      const out = path.join(folder, subject);
      await run([...THREE, '--out', out], { testBed: without('lsquic-h3', subject) });
      assert.equal((await readLooks(out)).at(-1)?.end, 'decided');
      const [answer] = (await writeReport(out)).primary;
      assert.deepEqual([answer?.verdict, answer?.ratio], ['slower', null]);
      const loads = measured(await drawsIn(out));
      const numbers = (arm: string) =>
        loads.filter((load) => load.arm === arm && load.subject === subject).length;
      assert.equal(numbers('lsquic-h3'), numbers('bun-h2'), 'no block is half made');
    }
  }));

test('goes on to the next stack after one that never delivers, when stacks run one after the other', () =>
  inFolder(async (_, out) => {
    const words = [...THREE, '--order', 'sequential', '--repetitions', '8', '--out', out];
    await run(words, { testBed: without('lsquic-h3', FIRST) });
    await assertWhole(out);
    assert.equal(measured(notOk(await drawsIn(out))).length, 8);
  }));

test('goes on after a site that no stack delivers, first or last, unless it is the only one', () =>
  withTemporaryFolder(async (folder) => {
    for (const subject of [FIRST, LAST]) {
      const out = path.join(folder, subject);
      const testBed = fakeTestBedWith({
        ailmentOf: (_, site) => (site === subject ? 'mute' : null),
      });
      const tally = await run([...THREE, '--repetitions', '4', '--out', out], { testBed });
      await assertWhole(out);
      assert.deepEqual(tally.measured, { ok: 16, failed: 8, invalid: 0, unsupported: 0 });
    }
    const alone = path.join(folder, 'alone');
    const words = [...WORDS, '--sites', FIRST, '--repetitions', '4', '--out', alone];
    const testBed = fakeTestBedWith({ ailmentOf: () => 'mute' });
    await assert.rejects(run(words, { testBed }), FaultsError);
    assert.deepEqual(
      (await drawsIn(alone)).filter(({ code }) => isGivenUp(code)),
      [],
      'nothing says that the page is to blame',
    );
    await run(['--resume', alone]);
    await assertWhole(alone);
  }));

test('goes on with one stack alone after a site that it never delivers', () =>
  withTemporaryFolder(async (folder) => {
    for (const subject of [FIRST, LAST]) {
      const out = path.join(folder, subject);
      const words = THREE.with(THREE.indexOf('lsquic-h3,bun-h2'), 'bun-h2');
      await run([...words, '--repetitions', '4', '--out', out], {
        testBed: without('bun-h2', subject, 'ended'),
      });
      await assertWhole(out);
      assert.equal(measured(notOk(await drawsIn(out))).length, 4);
    }
  }));

test('stops the run when everything breaks halfway, gives nothing up, and goes on after the repair', () =>
  withTemporaryFolder(async (folder) => {
    for (const ailment of ['mute', 'ended', 'absent'] as const) {
      const out = path.join(folder, ailment);
      let attempts = 0;
      const testBed = fakeTestBedWith({ ailmentOf: () => (++attempts > 150 ? ailment : null) });
      const words = [...THREE, '--repetitions', '12', '--out', out];
      await assert.rejects(run(words, { testBed }), (error: FaultsError) => {
        assert.ok(error instanceof FaultsError, error.stack);
        assert.equal(error.exitStatus, ailment === 'mute' ? 6 : 4);
        assert.match(error.message, /attempts in a row failed in the same way/);
        return true;
      });
      const before = await drawsIn(out);
      assert.ok(before.some(({ outcome }) => outcome === 'ok'));
      assert.ok(notOk(before).length <= 15, `${notOk(before).length} failures`);
      await run(['--resume', out]);
      await assertWhole(out);
      assert.deepEqual(
        (await drawsIn(out)).filter(({ code }) => isGivenUp(code)),
        [],
      );
    }
  }));

test('stops the run after repeated failures of a network, even if it works over the remaining ones', () =>
  inFolder(async (_, out) => {
    const words = THREE.with(THREE.indexOf('0'), '0,30');
    const testBed = fakeTestBedWith({ isBrokenNetwork: (name) => name === '30ms' });
    await assert.rejects(
      run([...words, '--repetitions', '12', '--out', out], { testBed }),
      (error: Error) => error instanceof FaultsError && error.exitStatus === 5,
    );
    assert.equal(notOk(await drawsIn(out)).length, 5);
  }));

test('starts no server for a stack that was given up on a site, and all servers for the rest', () =>
  withTemporaryFolder(async (folder) => {
    const started: { subject: string; stacks: string[] }[] = [];
    const testBed = recordingServers(
      without('lsquic-h3', FIRST),
      ({ planned: { subject } }, { stacks }) =>
        started.push({ subject, stacks: stacks.map(({ stack }) => stack) }),
    );
    const out = path.join(folder, 'run');
    await run([...THREE, '--repetitions', '12', '--out', out], { testBed });
    const { true: all = [], false: some = [] } = Object.groupBy(
      started,
      ({ stacks }) => `${stacks.length === 2}` as const,
    );
    const failed = notOk(await drawsIn(out)).filter(({ code }) => !isGivenUp(code));
    assert.equal(all.filter(({ subject }) => subject === FIRST).length, failed.length);
    assert.ok(some.length >= 5, `${some.length} shares of one server`);
    for (const { subject, stacks } of some) {
      assert.deepEqual([subject, ...stacks], [FIRST, 'bun-h2']);
    }
  }));

test('gives up a stack that fails in changing ways, after twice as many failures', () =>
  inFolder(async (_, out) => {
    let shares = 0;
    const testBed = recordingServers(
      fakeTestBedWith({
        ailmentOf: (arm, site) =>
          arm === 'bun-h2' && site === FIRST ? (shares % 2 === 0 ? 'mute' : 'ended') : null,
      }),
      () => void shares++,
    );
    const stop = { ...NEVER, soon: AbortSignal.timeout(30_000) };
    await run([...THREE, '--repetitions', '12', '--out', out], { testBed, stop });
    await assertWhole(out);
    const codes = notOk(await drawsIn(out)).map(({ code }) => code ?? '');
    const made = codes.filter((code) => !isGivenUp(code));
    assert.equal(made.length, 10, made.join());
    assert.deepEqual(new Set(made), new Set(['timeout', 'server-failed']));
  }));

test('ends warm-ups despite failures of changing kinds and a budget that is over', () =>
  inFolder(async (_, out) => {
    let attempts = 0;
    const testBed = fakeTestBedWith({
      ailmentOf: (arm, site) =>
        arm === 'bun-h2' && site === FIRST ? (++attempts % 2 === 0 ? 'mute' : 'ended') : null,
    });
    const words = [...THREE, '--repetitions', '12', '--budget', '1s', '--out', out];
    const stop = AbortSignal.timeout(30_000);
    await run(words, { testBed, stop: { ...NEVER, soon: stop } });
    const warmUps = (await drawsIn(out)).filter(
      ({ warmup, outcome }) => warmup && outcome !== 'ok',
    );
    assert.ok(warmUps.length <= 10, `${warmUps.length} warm-ups failed`);
  }));

test('does not retry given-up cells when resumed, unless more failures are allowed', () =>
  inFolder(async (folder, out) => {
    const testBed = without('lsquic-h3', FIRST);
    const soon = new AbortController();
    let shares = 0;
    const stopped = recordingServers(testBed, () => {
      if (++shares > 12) soon.abort(new Error('stopped'));
    });
    const words = [...THREE, '--repetitions', '12', '--out', out];
    const stop = { ...NEVER, soon: soon.signal };
    await assert.rejects(run(words, { testBed: stopped, stop }), /stopped/);
    const tries = async () =>
      notOk(await drawsIn(out)).filter(({ code }) => !isGivenUp(code)).length;
    assert.equal(await tries(), 5);
    assert.ok((await drawsIn(out)).length < 72);
    const copy = path.join(folder, 'copy');
    await cp(out, copy, { recursive: true });
    await run(['--resume', out], { testBed });
    await assertWhole(out);
    assert.equal(await tries(), 5);

    await run(['--resume', copy, '--stop-after', '7'], { testBed });
    await assertWhole(copy);
    const triedAgain = notOk(await drawsIn(copy)).filter(({ code }) => !isGivenUp(code));
    assert.equal(triedAgain.length, 7);
  }));

test('gives up per shard, and merges shards to a whole run', () =>
  withTemporaryFolder(async (folder) => {
    const testBed = without('lsquic-h3', LAST);
    const words = [...THREE, '--repetitions', '6', '--shard-by', 'blocks'];
    const parts = [1, 2].map((index) => path.join(folder, `part-${index}`));
    for (const [index, part] of parts.entries()) {
      await run([...words, '--shard', `${index + 1}/2`, '--out', part], { testBed });
    }
    const joined = path.join(folder, 'joined');
    await mergeRuns(parts, joined);
    await assertWhole(joined);
    const { progress, exclusions } = await writeReport(joined);
    assert.equal(progress.complete, true);
    assert.ok(exclusions.entries.some(({ code }) => code === 'given-up'));
  }));

test('finishes as a worker the blocks that contain given-up cells', () =>
  inFolder(async (_, out) => {
    const finished: string[] = [];
    const words = [...THREE, '--repetitions', '6', '--out', out];
    await run(words, {
      measure: (prepared) => {
        const blocks = blocksOf(remainingTrials(prepared), 'shuffled');
        const waiting = blocks.map(({ key }) => key);
        const counts = { waiting: 0, taken: 0, finished: 0, givenUp: 0 };
        const work = workOfQueue({
          queue: {
            counts: async () => counts,
            async take() {
              const key = waiting.shift();
              if (key === undefined) return null;
              const finish = async () => finished.push(key) > 0;
              return { key, attempt: 1, finish, giveBack: async () => {} };
            },
          },
          blocks,
          taken: new Map(),
          done: new Set(),
          output: { waiting() {}, lost() {} },
          end: new AbortController().signal,
        });
        return measureRun(prepared, NEVER, work, without('bun-h2', FIRST, 'absent'));
      },
    });
    await assertWhole(out);
    assert.equal(finished.length, 3 * 7);
  }));

test('reports in the status that all warm-ups failed', () =>
  inFolder(async (folder, out) => {
    let starts = 0;
    const testBed = fakeTestBedWith({
      ailmentOf: (arm) => (arm === 'lsquic-h3' && ++starts === 1 ? 'absent' : null),
    });
    const tally = await run([...THREE, '--repetitions', '2', '--out', out], { testBed });
    assert.deepEqual(
      notOk(await drawsIn(out)).map(({ warmup, code }) => [warmup, code]),
      [[true, 'server-failed']],
    );
    assert.equal(statusOf(tally), 6);
    const well = path.join(folder, 'well');
    const words = [...THREE, '--repetitions', '2', '--out', well];
    assert.equal(statusOf(await run(words, { testBed: fakeTestBed })), 0);
  }));
