import assert from 'node:assert/strict';
import path from 'node:path';
import { before, test } from 'node:test';
import { example } from '../../../experiments/example/experiment.ts';
import type { Observation } from '../../../ground/records/observation.ts';
import { readLooks, readRun } from '../../../ground/records/read.ts';
import { InterruptedError, NetworkError } from '../../../ground/system/errors.ts';
import { writeReport } from '../../../report/write.ts';
import { mergeRuns } from '../../../runner/merge/merge.ts';
import type { Stop } from '../../../runner/stop.ts';
import { withTemporaryFolder } from '../../temporary-folder.ts';
import { assertEach } from '../assert-each.ts';
import { withMadeUpStacks } from '../servers/made-up-stacks.ts';
import { drawsIn, NEVER, run } from './example-run.ts';
import { fakeTestBedWith } from './fake-test-bed.ts';

const SITE = ['--sites', 'www.example.org', '--seed', '7'];
const TWO = ['--stacks', 'lsquic-h3,bun-h2'];
const WORDS = [...SITE, ...TWO];

/** Values drawn by each trial, without warm-ups. */
function drawn(observations: readonly Observation[]): Record<string, number | null | undefined> {
  const counted = observations.filter(({ warmup }) => !warmup);
  return Object.fromEntries(
    counted.map(({ id, metrics }) => [id, metrics.drawnMs] as const).toSorted(),
  );
}

test('gives an experiment of a hundred lines pairs, intervals, verdicts and a report', () =>
  withTemporaryFolder(async (folder) => {
    const out = path.join(folder, 'run');
    await run([...WORDS, '--rtt', '0,30', '--repetitions', '12', '--out', out]);
    const summary = await writeReport(out);
    assert.equal((await readRun(out)).experiment, 'example');
    const counted = (await drawsIn(out)).filter(({ warmup }) => !warmup);
    assert.equal(counted.length, 2 * 2 * 12);
    assertEach(summary.primary, ({ arm, network, verdict }) => [arm, network, verdict], [
      ['lsquic-h3', 'none', 'faster'],
      ['lsquic-h3', '30ms', 'faster'],
    ]);
    // The first arm draws around 80, the second around 100.
    for (const { ratio } of summary.primary) {
      assert.ok(ratio && Math.abs(ratio.estimate - 0.8) < 0.03, JSON.stringify(ratio));
    }
  }));

test('stops repetitions of any experiment when the answer is decided', () =>
  withTemporaryFolder(async (folder) => {
    const out = path.join(folder, 'run');
    await run([...WORDS, '--rtt', '0', '--out', out]);
    const looks = await readLooks(out);
    assert.equal(looks.at(-1)?.end, 'decided');
    assert.ok((await drawsIn(out)).length < 2 * 60);
  }));

test('resumes a stopped run, which draws the same values as an unstopped one', () =>
  withTemporaryFolder(async (folder) => {
    const [whole, stopped] = [path.join(folder, 'whole'), path.join(folder, 'stopped')];
    const words = [...WORDS, '--rtt', '0', '--repetitions', '6', '--out'];
    await run([...words, whole]);
    const soon = new AbortController();
    let requests = 0;
    const stop: Stop = {
      now: NEVER.now,
      get soon() {
        requests += 1;
        if (requests > 6) soon.abort(new Error('stopped'));
        return soon.signal;
      },
    };
    await assert.rejects(run([...words, stopped], { stop }), /stopped/);
    const before = (await drawsIn(stopped)).length;
    assert.ok(before > 0 && before < 14, String(before));
    await run(['--resume', stopped]);
    assert.deepEqual(drawn(await drawsIn(stopped)), drawn(await drawsIn(whole)));
  }));

test('merges shards of a frozen plan to the result of one machine', () =>
  withTemporaryFolder(async (folder) => {
    const [whole, joined] = [path.join(folder, 'whole'), path.join(folder, 'joined')];
    const words = [...WORDS, '--rtt', '0', '--repetitions', '6', '--shard-by', 'blocks'];
    await run([...words.slice(0, -2), '--out', whole]);
    const parts = [1, 2].map((index) => path.join(folder, `part-${index}`));
    for (const [index, part] of parts.entries()) {
      await run([...words, '--shard', `${index + 1}/2`, '--out', part]);
    }
    await mergeRuns(parts, joined);
    assert.deepEqual(drawn(await drawsIn(joined)), drawn(await drawsIn(whole)));
    const [one, other] = [await writeReport(whole), await writeReport(joined)];
    assert.deepEqual(
      other.primary.map(({ ratio, verdict }) => ({ ratio, verdict })),
      one.primary.map(({ ratio, verdict }) => ({ ratio, verdict })),
    );
  }));

test('compares an arm with itself by --control, for any experiment', () =>
  withTemporaryFolder(async (folder) => {
    const out = path.join(folder, 'run');
    await run([...WORDS, '--rtt', '0', '--repetitions', '8', '--control', '--out', out]);
    const { controls } = await writeReport(out);
    assert.equal(controls.length, 1);
    assert.equal(controls[0]?.control, 'bun-h2-control');
  }));

before(() => {
  Object.assign(example, withMadeUpStacks(example));
});

/** A stack whose QUIC twin has another initial window than lsquic. */
const OF_TWO_WINDOWS = [
  '--stacks',
  'lsquic-h3,bun-h2,made-up-h2',
  '--rtt',
  '0',
  '--repetitions',
  '6',
];

test('sets TCP for its arm before each attempt, and leaves it alone before those over QUIC', () =>
  withTemporaryFolder(async (out) => {
    const set: object[] = [];
    const testBed = fakeTestBedWith({ setTcp: async (changes) => void set.push(changes) });
    await run([...SITE, ...OF_TWO_WINDOWS, '--out', out], { testBed });
    const changes: Record<string, object> = { 'bun-h2': {}, 'made-up-h2': { initcwnd: 10 } };
    const made = await drawsIn(out);
    assert.equal(made.filter(({ warmup }) => !warmup).length, 3 * 6);
    assert.deepEqual(
      set,
      made.flatMap(({ arm }) => changes[arm] ?? []),
    );
  }));

test("shares the blocks of a run among congestion controls, and sets each attempt's own", () =>
  withTemporaryFolder(async (out) => {
    const set: object[] = [];
    const testBed = fakeTestBedWith({ setTcp: async (changes) => void set.push(changes) });
    const two = ['--rtt', '0', '--repetitions', '4'];
    await run([...WORDS, ...two, '--cc', 'cubic,bbr', '--burst-loss', '1/50,none', '--out', out], {
      testBed,
    });
    const made = (await drawsIn(out)).filter(({ warmup }) => !warmup);
    assert.ok(made.every(({ outcome }) => outcome === 'ok'));
    const conditions = Map.groupBy(made, ({ network }) => network.name);
    assert.deepEqual([...conditions.keys()].sort(), [
      'burst1-50-cc-bbr',
      'burst1-50-cc-cubic',
      'none-cc-bbr',
      'none-cc-cubic',
    ]);
    for (const own of conditions.values()) {
      assertEach(own, ({ block }) => block, [1, 1, 2, 2, 3, 3, 4, 4]);
    }
    assert.deepEqual(
      set,
      (await drawsIn(out))
        .filter(({ arm }) => arm === 'bun-h2')
        .map(({ network }) =>
          network.congestionControl === 'bbr' ? { congestionControl: 'bbr' } : {},
        ),
    );
    const { conditionChanges } = await writeReport(out);
    const pairsOf = (changes: readonly { differsIn: string; to: { network: string } }[]) =>
      changes.map(({ differsIn, to }) => `${differsIn} ${to.network}`);
    const pairs = [
      'burstLoss burst1-50-cc-cubic',
      'burstLoss burst1-50-cc-bbr',
      'congestionControl burst1-50-cc-bbr',
      'congestionControl none-cc-bbr',
    ];
    const ofTwo = conditionChanges.filter(({ baseline }) => baseline !== null);
    assert.deepEqual(pairsOf(ofTwo), pairs);
    assert.deepEqual([...new Set(pairsOf(conditionChanges))], pairs);
  }));

test('fails only the attempt whose TCP could not be set', () =>
  withTemporaryFolder(async (out) => {
    let calls = 0;
    const setTcp = async () => {
      calls += 1;
      if (calls === 7) throw new NetworkError('the route is gone');
    };
    await run([...SITE, ...OF_TWO_WINDOWS, '--out', out], {
      testBed: fakeTestBedWith({ setTcp }),
    });
    const planned = (await drawsIn(out)).filter(({ warmup }) => !warmup);
    const failed = planned.filter(({ outcome }) => outcome !== 'ok');
    assert.deepEqual(
      failed.map(({ code, message }) => [code, message]),
      [['network-failed', 'the route is gone']],
    );
    assert.equal(planned.length, 3 * 6);
  }));

test('does not blame the server when the run is stopped during its check', () =>
  withTemporaryFolder(async (out) => {
    const testBed = fakeTestBedWith({
      ailmentOf: (arm) => (arm === 'bun-h2' ? 'mute' : null),
      assertAnswers: async () => {
        throw new InterruptedError('stopped');
      },
    });
    const words = [...WORDS, '--rtt', '0', '--repetitions', '6', '--out', out];
    await assert.rejects(run(words, { testBed }), InterruptedError);
    assert.deepEqual(
      (await drawsIn(out)).filter(({ outcome }) => outcome !== 'ok'),
      [],
    );
  }));
