import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AnsweredRun, answerRun, historyOf } from '../../../../report/summary/history.ts';
import type {
  HistoryLevel,
  HistoryQuestion,
  RunsHistory,
} from '../../../../report/summary/runs-history.ts';
import { summarise } from '../../../../report/summary/summary.ts';
import { baselineText, historyText, spreadText } from '../../../../report/text/history.ts';
import { noiseOf } from '../../statistics/noise.ts';
import { fixtureRun, NONE, ONE_SITE, spoil } from '../fixture-run.ts';

const MADE = fixtureRun({
  subjects: ['a.example', 'b.example'],
  networks: [NONE],
  repetitions: 8,
});
const ANSWERED = answerRun(MADE, {});
const CHOICE = { choice: {}, excluded: [] };

/** A history whose first question has these log ratios, and runs that vary by 3 %. */
function historyWith(
  length: number,
  { seed = 1, logRatio = () => 0 }: { seed?: number; logRatio?: (run: number) => number } = {},
  change: (run: AnsweredRun, place: number) => void = () => {},
): RunsHistory {
  const noise = noiseOf(seed);
  const runs = Array.from({ length }, (_, place) => {
    const answered = structuredClone(ANSWERED);
    answered.startedAt = new Date(Date.UTC(2026, 10, 1 + place)).toISOString();
    for (const [index, { ratio }] of answered.answers.entries()) {
      if (ratio) ratio.estimate = 0.03 * noise.normal() + (index === 0 ? logRatio(place) : 0);
    }
    change(answered, place);
    return answered;
  });
  return historyOf(runs, CHOICE);
}

function first({ questions }: RunsHistory): HistoryQuestion {
  return questions[0] as HistoryQuestion;
}

test('has the primary answers of the report of a run', () => {
  const { run, observations, invocations } = MADE;
  const { primary } = summarise(run, observations, [], { invocations });
  assert.deepEqual(
    ANSWERED.answers.map(({ ratio, nPairs, arm, network }) => [
      arm,
      network.name,
      nPairs,
      Math.exp(ratio?.estimate ?? 0),
    ]),
    primary.map(({ ratio, nPairs, arm, network }) => [arm, network, nPairs, ratio?.estimate]),
  );
});

test('has no false alarm in 20 histories without a change', () => {
  for (let seed = 1; seed <= 20; seed++) {
    const levels = historyWith(15, { seed }).questions.map((question) => question.levels.length);
    assert.deepEqual(levels, [1, 1], `seed ${seed}`);
  }
});

test('finds a change of 10 % in the question that has it', () => {
  for (const seed of [1, 2, 3]) {
    const { questions } = historyWith(20, {
      seed,
      logRatio: (run) => (run < 12 ? 0 : Math.log(1.1)),
    });
    const [[before, after], other] = questions.map(({ levels }) => levels) as [
      HistoryLevel[],
      HistoryLevel[],
    ];
    assert.ok(Math.abs((after?.from ?? 0) - 12) <= 1, `${after?.from}, seed ${seed}`);
    assert.ok(Math.abs((after?.change ?? 0) - 1.1) < 0.05, `${after?.change}, seed ${seed}`);
    assert.deepEqual([before?.change, other.length], [null, 1]);
  }
});

test('says that the newest runs are not yet decided, and of an earlier outlier only in the table', () => {
  const apart = historyWith(20, { logRatio: (run) => (run === 19 || run === 4 ? 0.3 : 0) });
  assert.equal(first(apart).levels.length, 1);
  assert.deepEqual(
    first(apart).points.flatMap(({ run, isApart }) => (isApart ? [run] : [])),
    [4, 19],
  );
  assert.match(
    historyText(first(apart), apart),
    /^Not yet decided: in the newest run, lsquic \(h3\) has 1\.\d+ times the page load time of Bun \(h2\), and \S+ times before\. A new level needs 3 or more such runs\.$/,
  );
  const earlier = historyWith(20, { logRatio: (run) => (run === 4 ? 0.3 : 0) });
  assert.doesNotMatch(historyText(first(earlier), earlier), /decided/);
});

test('lists all of the newest runs that are not yet decided, and how many are needed', () => {
  const history = historyWith(14, { logRatio: (run) => (run >= 12 ? Math.log(1.4) : 0) });
  // As with four questions.
  history.questions.push(...history.questions);
  assert.match(
    historyText(first(history), history),
    /^Not yet decided: in the 2 newest runs, lsquic \(h3\) has \S+ and \S+ times .* A new level needs 4 or more such runs\.$/,
  );
});

test('finds large changes of few runs, also back to the first level', () => {
  const large = Math.log(1.4);
  const atEnd = historyWith(16, { logRatio: (run) => (run >= 12 ? large : 0) });
  assert.deepEqual(
    first(atEnd).levels.map(({ from }) => from),
    [0, 12],
  );
  const andBack = historyWith(20, { logRatio: (run) => (run >= 7 && run < 14 ? large : 0) });
  assert.deepEqual(
    first(andBack).levels.map(({ from }) => from),
    [0, 7, 14],
  );
});

test('suspects the baseline if all stacks change together', () => {
  const history = historyWith(20, {}, ({ answers }, place) => {
    for (const { ratio } of answers) if (ratio && place >= 10) ratio.estimate += 0.2;
  });
  assert.equal(
    baselineText(history.questions),
    'All stacks change together and in the same direction: perhaps Bun (h2) changed.',
  );
  const one = historyWith(20, { logRatio: (run) => (run >= 10 ? 0.2 : 0) });
  assert.equal(baselineText(one.questions), null);
});

test('says how many runs are too few', () => {
  const few = historyWith(11);
  assert.equal(few.fewestRuns, 12);
  assert.match(
    historyText(first(few), few),
    /^Too few runs to find a change: 11, expected 12 or more\. lsquic \(h3\) has /,
  );
});

test('takes only runs with a ratio over the same sites', () => {
  const history = historyWith(16, {}, ({ answers }, place) => {
    const answer = answers[0] as (typeof answers)[number];
    if (place === 2) answer.sites = ['a.example'];
    if (place === 3 && answer.ratio) answer.ratio.estimate = Number.POSITIVE_INFINITY;
    if (place === 4) Object.assign(answer, { sites: [], nPairs: 0, ratio: null });
  });
  const { points, levels, subjects } = first(history);
  assert.deepEqual(subjects, ['a.example', 'b.example']);
  assert.deepEqual(
    points.slice(1, 5).map(({ excluded }) => excluded),
    [
      null,
      'Its ratio is without b.example, unlike that of most runs.',
      'Too many loads failed for a ratio.',
      'No pair of loads counts.',
    ],
  );
  assert.deepEqual([levels[0]?.from, levels[0]?.to, levels[0]?.nRuns], [0, 15, 13]);
  assert.match(historyText(first(history), history), / 3 runs without a comparable ratio\.$/);
});

test('has questions without any ratio', () => {
  const failed = fixtureRun({
    ...ONE_SITE,
    change: (load) => {
      if (load.arm === 'lsquic-h3') spoil(load, 'failed', 'timeout', 'late');
    },
  });
  const answered = answerRun(failed, {});
  const history = historyOf([answered, answered], CHOICE);
  assert.deepEqual(first(history).levels, []);
  assert.equal(
    historyText(first(history), history),
    'No run has a ratio of lsquic (h3) to Bun (h2). 2 runs without a comparable ratio.',
  );
  assert.equal(spreadText(first(history)), null);
});

test('compares the noise between runs with that within them', () => {
  const history = historyWith(100);
  const { betweenRuns, withinRuns } = first(history).spread ?? {};
  assert.ok(Math.abs((betweenRuns ?? 0) - 0.03) < 0.007, String(betweenRuns));
  const { below = 0, above = 0 } = ANSWERED.answers[0]?.ratio?.errors ?? {};
  assert.ok(Math.abs((withinRuns ?? 0) - (below + above) / 2) < 1e-9);
  assert.match(
    spreadText(first(history)) ?? '',
    /^Runs of one level differ by 3(\.\d)? % \(standard deviation\); their own pairs alone would explain \d/,
  );
});

test('names what is not as in the run before, and what belongs to the bench', () => {
  const { runs } = historyWith(3, {}, ({ run }, place) => {
    if (place >= 1) run.versions = { ...run.versions, chromium: '157', bun: '1.5.0' };
    if (place >= 2 && run.host) Object.assign(run.host, { kernel: '6.2', memoryMb: 8_000 });
    if (place >= 2) run.versions['quic-vs-https'] = 'a1b2c3d';
    const [stack] = run.arms;
    if (place >= 2 && stack) stack.own = { program: 'build-2/start.sh' };
  });
  assert.deepEqual(
    runs.map(({ changed }) => changed.map(({ fact, isOfBench }) => [fact, isOfBench])),
    [
      [],
      [
        ['versions.chromium', true],
        ['versions.bun', false],
      ],
      [
        ['host.kernel', true],
        ['versions.quic-vs-https', true],
        ['arms.lsquic-h3.own.program', false],
      ],
    ],
  );
});
