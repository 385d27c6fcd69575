import assert from 'node:assert/strict';
import { test } from 'node:test';
import { notMeasured } from '../../../../experiments/page-load/experiment.ts';
import { LIVE_NETWORK } from '../../../../ground/records/network.ts';
import type { Verdict } from '../../../../kit/text/verdict.ts';
import { findingsOfRun } from '../../../../report/findings/findings.ts';
import { recommend } from '../../../../report/summary/recommendation.ts';
import { summaryTable } from '../../../../report/terminal.ts';
import { recommendationLines } from '../../../../report/text/recommendation.ts';
import { approve } from '../../approve.ts';
import { delays, NONE } from '../../made-run.ts';
import { type Fixture, fixtureRun, spoil } from '../fixture-run.ts';
import { documentOf, summaryOf } from '../reported.ts';

const answer = (network: string, verdict: Verdict, more: object = {}) => ({
  network,
  variant: 'cold',
  metric: 'pageLoadMs',
  verdict,
  ratio: {},
  nPairs: 12,
  ...more,
});

/** Verdicts of the primary metric by network, then of the paints; the mix; what is recommended, and by what. */
const CASES: [
  what: string,
  primary: Verdict[],
  paints: Verdict[],
  mix: Verdict[],
  advice: string,
][] = [
  ['one gain', ['faster', 'undecided'], [], [], 'on by conditions'],
  ['a gain by a paint alone', ['same', 'undecided'], ['faster'], [], 'on by conditions'],
  ['one loss', ['same', 'slower'], [], [], 'off by conditions'],
  ['gain and loss', ['faster', 'slower'], [], [], 'depends by conditions'],
  ['gain by time, loss by a paint', ['faster'], ['slower'], [], 'depends by conditions'],
  ['all the same', ['same', 'same'], ['same'], [], 'same by conditions'],
  ['the same, one not decided', ['same', 'undecided'], [], [], 'undecided by conditions'],
  ['nothing decided', ['undecided'], ['undecided'], [], 'undecided by conditions'],
  ['a mix that gains', ['faster', 'slower'], [], ['faster'], 'on by mix'],
  ['a mix that loses', ['faster', 'slower'], [], ['slower'], 'off by mix'],
  ['a mix within the margin', ['faster', 'slower'], [], ['same'], 'same by mix'],
  ['an undecided mix', ['faster', 'slower'], [], ['undecided'], 'depends by conditions'],
  ['mixes of two visits', ['faster', 'slower'], [], ['faster', 'slower'], 'depends by conditions'],
  ['a mix that adds nothing', ['faster', 'same'], [], ['undecided'], 'on by conditions'],
];

for (const [what, primary, paints, mix, expected] of CASES) {
  test(`the rule recommends ${expected}: ${what}`, () => {
    const { advice, decidedBy } = recommend(
      primary.map((verdict, place) => answer(`n${place}`, verdict)),
      paints.map((verdict) => answer('n0', verdict, { metric: 'firstContentfulPaintMs' })),
      mix.map((verdict) => ({ verdict })),
    );
    assert.equal(`${advice} by ${decidedBy}`, expected);
  });
}

test('failures decide before times, and a paint that no load has decides nothing', () => {
  const failing = answer('dsl', 'slower', { ratio: null });
  const found = recommend([answer('lte', 'faster'), failing], [], [{ verdict: 'faster' }]);
  assert.deepEqual(found, {
    advice: 'off',
    decidedBy: 'failures',
    gains: [],
    losses: [{ network: 'dsl', variant: 'cold', metric: 'pageLoadMs' }],
    undecided: [],
  });
  const without = answer('lte', 'undecided', { metric: 'firstContentfulPaintMs', nPairs: 0 });
  assert.equal(recommend([answer('lte', 'same')], [without], []).advice, 'same');
});

const NETWORKS = delays(30, 60);

/** lsquic takes these times as long as Bun over 30 and 60 ms; all metrics alike. */
function paired(factors: readonly [number, number], change: Parameters<typeof fixtureRun>[0] = {}) {
  const made = fixtureRun({
    subjects: ['www.shop.example'],
    networks: NETWORKS,
    repetitions: 12,
    ...change,
    change: (load, details) => {
      const noise = 1 + 0.01 * Math.sin(load.order * 78.233);
      const factor = load.arm === 'lsquic-h3' ? factors[load.network.rttMs / 30 - 1] : 1;
      for (const [metric, ms] of [
        ['pageLoadMs', 1000],
        ['firstContentfulPaintMs', 400],
        ['largestContentfulPaintMs', 800],
      ] as const) {
        load.metrics[metric] = ms * noise * (factor ?? 1);
      }
      change.change?.(load, details);
    },
  });
  return made;
}

const linesOf = (made: Fixture) => {
  const summary = summaryOf(made);
  return summary.recommendations.flatMap((each) => recommendationLines(each, summary));
};

function withMix(made: Fixture, mix: Record<string, number>): Fixture {
  made.run.analysis.mix = mix;
  return made;
}

test('a recommendation is written in sentences', (t) => {
  const failed = paired([1, 1], {
    change: (load) => {
      if (load.arm === 'lsquic-h3' && load.network.rttMs === 60 && !load.warmup) {
        spoil(load, 'failed', 'timeout', 'No load event within 30 s.');
      }
    },
  });
  const runs = {
    on: paired([0.8, 1]),
    off: paired([1, 1.2]),
    same: paired([1, 1]),
    depends: paired([0.8, 1.2]),
    mixed: paired([1, 1], {
      networks: [NETWORKS[0] ?? NONE],
      change: (load) => {
        if (load.arm !== 'lsquic-h3') return;
        load.metrics.pageLoadMs = (load.metrics.pageLoadMs ?? 0) * 0.8;
        load.metrics.largestContentfulPaintMs = (load.metrics.pageLoadMs ?? 0) * 1.2;
      },
    }),
    onByMix: withMix(paired([0.8, 1.2]), { '30ms': 90, '60ms': 10 }),
    offByMix: withMix(paired([0.8, 1.2]), { '30ms': 10, '60ms': 90 }),
    sameByMix: withMix(paired([0.8, 1.2]), { '30ms': 50, '60ms': 50 }),
    failures: failed,
    someUndecided: fixtureRun({ subjects: ['www.shop.example'], repetitions: 12 }),
    undecided: fixtureRun({ subjects: ['www.shop.example'], networks: [NONE], repetitions: 7 }),
    tooFew: fixtureRun({ subjects: ['www.shop.example'], networks: NETWORKS, repetitions: 2 }),
  };
  approve(
    t,
    'recommendations',
    Object.entries(runs).flatMap(([name, made]) => [`${name}:`, ...linesOf(made)]),
  );
});

test('terminal, Markdown and page begin or end with it; stacks that are no twins have none', async () => {
  const made = paired([0.8, 1]);
  const summary = summaryOf(made);
  assert.deepEqual(
    summary.recommendations.map(({ arm, baseline }) => [arm, baseline]),
    [['lsquic-h3', 'bun-h2']],
  );
  const [line = '', notMeasuredLine = ''] = linesOf(made);
  assert.ok(summaryTable(summary).endsWith(`${line}\n\n${notMeasuredLine}\n`));
  assert.deepEqual(findingsOfRun(summary, null, 'r').advice, [line, notMeasuredLine]);
  const page = await documentOf(made);
  assert.equal(page.querySelector('.advice .sentence')?.textContent, 'Turn HTTP/3 on');
  const reversed = summaryOf(made, { choice: { baseline: 'lsquic-h3' } });
  assert.deepEqual(reversed.recommendations, []);
  const byDocument = summaryOf(made, { choice: { metric: 'document' } });
  assert.deepEqual(byDocument.recommendations, []);
});

test('what was not measured depends on visits, networks and protocol', () => {
  const { run } = fixtureRun({ repetitions: 1 });
  const of = (visit: string, protocol: 'h3' | 'h2+h3', network = NONE) =>
    notMeasured({ ...run, factors: { visit: [visit] }, networks: [network] }, { protocol }).join(
      '; ',
    );
  assert.match(of('cold', 'h3'), /discovers HTTP\/3 .*block UDP.*hosts/);
  assert.match(of('discovered', 'h3'), /discovers/);
  assert.doesNotMatch(of('discovered', 'h2+h3'), /discovers/);
  const blocked = { ...NONE, udp: { treatment: 'blocked' as const, kbps: null } };
  assert.doesNotMatch(of('cold', 'h3', blocked), /block UDP/);
  assert.doesNotMatch(of('cold', 'h3', LIVE_NETWORK), /hosts/);
});
