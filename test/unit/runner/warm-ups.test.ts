import assert from 'node:assert/strict';
import { before, mock, test } from 'node:test';
import { example } from '../../../experiments/example/experiment.ts';
import { measuring } from '../../../experiments/example/measure.ts';
import { allExperiments } from '../../../experiments/index.ts';
import type { Prepared } from '../../../experiments/measuring.ts';
import { pageLoad } from '../../../experiments/page-load/experiment.ts';
import { PAGE_OPTIONS } from '../../../experiments/page-load/options.ts';
import type { Trial } from '../../../ground/records/run.ts';
import { measureRun } from '../../../runner/benchmark.ts';
import type { OpenInvocation } from '../../../runner/campaign/open-invocation.ts';
import { readOptions } from '../../../runner/options.ts';
import { makePlan } from '../../../runner/plan.ts';
import { trackWarmUps } from '../../../runner/warm-ups.ts';
import { withTemporaryFolder } from '../../temporary-folder.ts';
import { NEVER, run } from './example-run.ts';
import { fakeTestBed } from './fake-test-bed.ts';

// Of this process alone: every draw depends on the kind of visit.
before(() => {
  // Two experiments with the same values are rejected on loading.
  allExperiments();
  example.factors = pageLoad.factors;
  example.options = { visit: PAGE_OPTIONS.visit };
});

/**
 * The first trial of each client key and client, in a run in which every kind of visit has its own
 * key.
 */
async function firstByKey(words: readonly string[]): Promise<Trial[]> {
  const firsts: Trial[] = [];
  const { open } = measuring;
  const opening = mock.method(measuring, 'open', (bench: Parameters<typeof open>[0]) => {
    const client = open(bench);
    const keys = new Set<string>();
    const clientKey = ({ arm, factors }: Pick<Trial, 'arm' | 'factors'>) =>
      `${arm} ${factors.visit}`;
    const measure = (prepared: unknown) => {
      const { trial } = prepared as Prepared;
      if (!keys.has(clientKey(trial))) firsts.push(trial);
      keys.add(clientKey(trial));
      return client.measure(prepared);
    };
    return { ...client, clientKey, measure };
  });
  try {
    await withTemporaryFolder((folder) => run([...words, '--out', `${folder}/run`]));
  } finally {
    opening.mock.restore();
  }
  return firsts;
}

test('warms up each key at its first use, also while another key of its stack warms up', async () => {
  let rightBehind = 0;
  for (let seed = 1; seed <= 8; seed++) {
    const firsts = await firstByKey([
      ...['--sites', 'www.example.org', '--stacks', 'lsquic-h3,bun-h2', '--rtt', '0'],
      ...['--visit', 'cold,forced', '--repetitions', '4', '--seed', String(seed)],
    ]);
    assert.deepEqual(
      firsts.filter(({ warmup }) => !warmup).map(({ id }) => id),
      [],
      `seed ${seed}`,
    );
    const behind = firsts[2];
    rightBehind += Number(behind?.arm === 'bun-h2' && behind.factors.visit === 'forced');
  }
  assert.ok(rightBehind > 0, 'no seed had a forced load right behind the last warm-up');
});

/**
 * Trials of one group of servers and client, in order: `arm w` for a warm-up, the arm alone for a
 * counted trial.
 */
async function sharesWith(
  warmUps: number,
  words: readonly string[],
  { atOnce = false } = {},
): Promise<string[][]> {
  const shares: string[][] = [];
  const { open } = measuring;
  const opening = mock.method(measuring, 'open', (bench: Parameters<typeof open>[0]) => {
    const client = open(bench);
    const own: string[] = [];
    shares.push(own);
    const measure = (prepared: unknown) => {
      const { arm, warmup } = (prepared as Prepared).trial;
      own.push(warmup ? `${arm} w` : arm);
      return client.measure(prepared);
    };
    const warmUp = async (trials: readonly Trial[]) => {
      own.push(trials.map(({ arm }) => `${arm} w`).join(' + '));
    };
    return { ...client, measure, ...(atOnce && { warmUp }) };
  });
  try {
    await withTemporaryFolder((folder) =>
      run([...words, '--out', `${folder}/run`], {
        measure: (prepared) => {
          const { choices } = prepared.record;
          const record = { ...prepared.record, choices: { ...choices, warmUps } };
          return measureRun({ ...prepared, record }, NEVER, undefined, fakeTestBed);
        },
      }),
    );
  } finally {
    opening.mock.restore();
  }
  return shares;
}

test('makes the chosen number of warm-ups of every stack in turns with new servers and clients, then counts', async () => {
  const words = [
    ...['--sites', 'www.example.org', '--stacks', 'lsquic-h3,bun-h2', '--rtt', '0,30'],
    ...['--repetitions', '4', '--seed', '1'],
  ];
  for (const warmUps of [1, 3]) {
    const shares = await sharesWith(warmUps, words);
    assert.equal(shares.length, 2);
    for (const own of shares) {
      const turn = ['lsquic-h3 w', 'bun-h2 w'];
      assert.deepEqual(own.slice(0, 2 * warmUps), Array(warmUps).fill(turn).flat());
      assert.deepEqual(own.slice(2 * warmUps).sort(), [
        ...Array(4).fill('bun-h2'),
        ...Array(4).fill('lsquic-h3'),
      ]);
    }
  }
});

test('makes only the planned warm-ups in turns with a client that warms up at once', async () => {
  const words = [
    ...['--sites', 'www.example.org', '--stacks', 'lsquic-h3,bun-h2', '--rtt', '0'],
    ...['--repetitions', '4', '--seed', '1'],
  ];
  const [first, second] = await sharesWith(3, words, { atOnce: true });
  const turn = 'lsquic-h3 w + bun-h2 w';
  assert.deepEqual(first?.slice(0, 3), [`${turn} + ${turn}`, 'lsquic-h3 w', 'bun-h2 w']);
  assert.deepEqual(second?.slice(0, 1), [`${turn} + ${turn} + ${turn}`]);
  assert.ok(
    [...(first?.slice(3) ?? []), ...(second?.slice(1) ?? [])].every((each) => !each.includes('w')),
  );
});

test('warms up nothing at once while a load is in progress', async () => {
  const { open } = measuring;
  let underWay = 0;
  let measured = 0;
  let worn = false;
  const seen: number[] = [];
  const opening = mock.method(measuring, 'open', (bench: Parameters<typeof open>[0]) => {
    const client = open(bench);
    return {
      ...client,
      get isWorn() {
        return worn;
      },
      async warmUp() {
        seen.push(underWay);
      },
      async measure(prepared: unknown) {
        underWay++;
        await new Promise(setImmediate);
        underWay--;
        // Worn between two conditions with measured paths: the next clients are new within one
        // sequence of trials.
        if (++measured === 5) worn = true;
        return client.measure(prepared);
      },
      async close() {
        worn = false;
      },
    };
  });
  try {
    const words = [
      ...['--sites', 'www.example.org', '--stacks', 'lsquic-h3,bun-h2', '--rtt', '0'],
      ...['--cc', 'cubic,bbr', '--repetitions', '2', '--seed', '1'],
    ];
    await withTemporaryFolder((folder) => run([...words, '--out', `${folder}/run`]));
  } finally {
    opening.mock.restore();
  }
  assert.ok(seen.length >= 2);
  assert.deepEqual(new Set(seen), new Set([0]));
});

test('takes the number from --warm-ups, 3 by default, and plans no warm-ups for 0', async () => {
  assert.equal(readOptions([]).choices.warmUps, 3);
  assert.equal(readOptions(['--live', 'https://www.example.org']).choices.warmUps, undefined);
  const plan = await makePlan(readOptions(['--warm-ups', '0', '--repetitions', '2']));
  assert.ok(plan.trials.every(({ warmup }) => !warmup));
  for (const wrong of ['-1', '21', 'two', '1.5']) {
    assert.throws(() => readOptions(['--warm-ups', wrong]), /--warm-ups.*from 0 to 20/);
  }
});

test('a filmed load neither warms up nor is repeated as a warm-up', async () => {
  const words = ['--sites', 'www.example.org', '--stacks', 'lsquic-h3,bun-h2', '--rtt', '0'];
  const { trials } = await makePlan(readOptions([...words, '--film', '2', '--repetitions', '2']));
  const [filmed] = trials.filter((trial) => trial.filmed);
  assert.ok(filmed);
  const open = {
    run: { plan: { trials }, record: { choices: { warmUps: 2 } } },
    scheduler: { expects: () => false },
    isPaused: () => false,
    warmUpAgain: (planned: Trial) => planned,
  } as unknown as OpenInvocation;
  const warmUps = trackWarmUps(open, {}, new Set(['lsquic-h3', 'bun-h2']));
  warmUps.begin(filmed);
  const due = warmUps.due(filmed, 'all');
  assert.equal(due.length, 2 * 2);
  assert.ok(due.every((trial) => trial.warmup && !trial.filmed));
});
