import assert from 'node:assert/strict';
import { before, mock, test } from 'node:test';
import { example } from '../../../experiments/example/experiment.ts';
import { measuring } from '../../../experiments/example/measure.ts';
import { pageLoad } from '../../../experiments/page-load/experiment.ts';
import type { Trial } from '../../../records/run.ts';
import { withTemporaryFolder } from '../../temporary-folder.ts';
import { run } from './example-run.ts';

// Of this process alone: every draw is of a kind of visit.
before(() => {
  example.factors = pageLoad.factors;
});

/** The first trial of each asker of each client, of a run in which every kind of visit asks by its own. */
async function firstOfAskers(words: readonly string[]): Promise<Trial[]> {
  const firsts: Trial[] = [];
  const { open } = measuring;
  const opening = mock.method(measuring, 'open', (bench: Parameters<typeof open>[0]) => {
    const client = open(bench);
    const asked = new Set<string>();
    const askerOf = ({ arm, factors }: Pick<Trial, 'arm' | 'factors'>) => `${arm} ${factors.visit}`;
    const measure = (prepared: unknown) => {
      const trial = prepared as Trial;
      if (!asked.has(askerOf(trial))) firsts.push(trial);
      asked.add(askerOf(trial));
      return client.measure(prepared);
    };
    return { ...client, askerOf, measure };
  });
  try {
    await withTemporaryFolder((folder) => run([...words, '--out', `${folder}/run`]));
  } finally {
    opening.mock.restore();
  }
  return firsts;
}

test('what asks for the first time since it was started is warmed up, also while the warm-up of its stack by another asker is at work', async () => {
  let rightBehind = 0;
  for (let seed = 1; seed <= 8; seed++) {
    const firsts = await firstOfAskers([
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
