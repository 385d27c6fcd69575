import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { parseHTML } from 'linkedom';
import { pageLoad } from '../../../../experiments/page-load/experiment.ts';
import { choiceLines } from '../../../../ground/options/common.ts';
import type { Observation } from '../../../../ground/records/observation.ts';
import type { PlannedArm } from '../../../../ground/records/run.ts';
import { trusted } from '../../../../kit/page/markup.ts';
import { SCRIPT } from '../../../../kit/page/script.ts';
import { reportPage } from '../../../../report/sections/index.ts';
import type { Summary } from '../../../../report/summary/summary.ts';
import { answerText } from '../../../../report/text/answers.ts';
import { approve, linesAdded, outlineOf, wordsOf } from '../../approve.ts';
import { DELAYED, type FixtureOptions, fixtureRun, NONE, spoil } from '../fixture-run.ts';
import { documentOf, summaryOf } from '../reported.ts';

async function pageOf(
  options: FixtureOptions,
  change: (fixture: ReturnType<typeof fixtureRun>) => void = () => {},
  changeSummary: (summary: Summary) => void = () => {},
) {
  const fixture = fixtureRun(options);
  change(fixture);
  const { run, observations } = fixture;
  const summary = summaryOf(fixture);
  changeSummary(summary);
  const text = await reportPage(run, summary, observations);
  const { document } = parseHTML(text);
  return {
    text,
    document,
    run,
    observations,
    summary,
    words: wordsOf(document.body),
    outline: outlineOf(document.body),
    section: (id: string) => outlineOf(document.querySelector(`[aria-labelledby=${id}]`)),
  };
}

/** The page of a usual run; no test changes it. */
const USUAL = pageOf({});

/** First paragraph about how the path was made. */
const PATH = '[aria-labelledby=network] > details > p';

function outlinesOf(document: Document, selector: string): string[] {
  return [...document.querySelectorAll(selector)].map((each) => outlineOf(each).trimEnd());
}

const SPREAD = (load: Observation) => {
  // A clear difference on every site, so that there are verdicts.
  if (load.arm === 'lsquic-h3' && load.metrics.pageLoadMs) load.metrics.pageLoadMs *= 0.6;
};

function words(text: string): string {
  return text.replace(/\s+/g, ' ');
}

test('hosts that use HTTP/2 in all arms are named under the answer and in how it was run', async () => {
  const { section } = await pageOf({}, ({ run }) => {
    const [site] = run.subjects;
    if (site) site.hostsByProtocol = { h3: ['a.test', 'b.test'], h2: ['c.test'] };
  });
  assert.match(
    words(section('answer')),
    /: HTTP\/3 is used by a\.test, b\.test; HTTP\/2 in both arms by c\.test\./,
  );
  const method = words(section('method'));
  assert.match(method, /Hosts that use HTTP\/3 .*as-recorded/);
  assert.match(method, /over HTTP\/2 in both arms .*c\.test/);
  assert.doesNotMatch((await USUAL).words, /in both arms/);
});

const HOSTILE = `</title></style><script>alert(1)</script><img src=x onerror="y">'&`;

test('is a complete page and requests nothing from elsewhere', async () => {
  const { text, document } = await pageOf({});
  assert.match(text, /^<!doctype html>\n<html lang="en">/);
  assert.equal(document.querySelectorAll('iframe, img, object, embed, base').length, 0);
  for (const link of document.querySelectorAll('a')) {
    assert.match(link.getAttribute('href') ?? '', /^(#|har\/)/);
  }
  assert.doesNotMatch(text, /\bsrc=|url\(|@import/);
});

test('allows one style sheet and one script by their hashes, and nothing else', async () => {
  const { text, document } = await pageOf({});
  const policy = document.querySelector('meta[http-equiv]')?.getAttribute('content') ?? '';
  for (const [tag, directive] of [
    ['style', 'style-src'],
    ['script', 'script-src'],
  ] as const) {
    const found = [...text.matchAll(new RegExp(`<${tag}>([^]*?)</${tag}>`, 'g'))];
    assert.equal(found.length, 1);
    const hash = createHash('sha256')
      .update(found[0]?.[1] ?? '')
      .digest('base64');
    assert.ok(policy.includes(`${directive} 'sha256-${hash}'`), policy);
  }
  assert.match(policy, /^default-src 'none';/);
  assert.doesNotMatch(policy, /unsafe|\*|https?:/);
  assert.doesNotMatch(text, /<[^>]+ style=|<[^>]+ on[a-z]+=/);
});

test('gives every table a caption and scoped headings, every chart a label, every link on the page a target', async () => {
  const { document } = await pageOf({ change: SPREAD, repetitions: 8 });
  for (const table of document.querySelectorAll('table')) {
    assert.ok(table.querySelector('caption')?.textContent);
    for (const heading of table.querySelectorAll('th')) assert.ok(heading.getAttribute('scope'));
  }
  const charts = [...document.querySelectorAll('svg.chart')];
  assert.ok(charts.length > 10);
  for (const chart of charts) {
    assert.equal(chart.getAttribute('role'), 'img');
    assert.ok(chart.getAttribute('aria-label'));
  }
  for (const figure of document.querySelectorAll('figure')) {
    assert.ok(figure.querySelector('details table'), 'numbers behind every chart');
  }
  for (const link of document.querySelectorAll('a[href^="#"]')) {
    assert.ok(document.getElementById((link.getAttribute('href') ?? '').slice(1)));
  }
  const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id);
  assert.equal(new Set(ids).size, ids.length);
});

test('shows the origin of each site and the label of each stack', async () => {
  const { words: shown, run } = await pageOf({});
  for (const { source } of run.subjects) assert.ok(shown.includes(source));
  for (const { label } of run.arms) assert.ok(shown.includes(label));
});

test('starts with the answer: every pooled sentence of the summary and the meaning of verdicts', async (t) => {
  const { document, summary } = await pageOf({ repetitions: 12, change: SPREAD });
  const first = document.querySelector('main > section');
  assert.equal(first?.getAttribute('aria-labelledby'), 'answer');
  const answer = words(first?.textContent ?? '');
  assert.ok(summary.primary.length === 4);
  for (const each of summary.primary) {
    const text = answerText(each, summary);
    assert.ok(answer.includes(words(text)), text);
  }
  approve(t, 'answer-notes', outlinesOf(document, '.answer > p, .answer .meanings'));
});

test('shows milliseconds, certainty and a picture next to the sentence of each condition', async (t) => {
  const { document, summary } = await pageOf({ repetitions: 12, change: SPREAD });
  const lead = [...document.querySelectorAll('.answers > li > .protocol-pair')];
  assert.equal(lead.length, 2);
  for (const [index, answer] of lead.entries()) {
    const decided = summary.primary.filter(({ arm }) => arm === 'lsquic-h3')[index];
    assert.ok(decided?.difference);
    const textIn = (part: string) => wordsOf(answer.querySelector(part)).replaceAll('\u00a0', ' ');
    const size = Math.abs(decided.difference.estimate).toFixed(0);
    assert.equal(textIn('.sentence'), `HTTP/3 is ${size} ms faster than HTTP/2`);
    assert.equal(textIn('.programs'), 'lsquic (h3) against Bun (h2)');
    assert.match(
      textIn('.measures li'),
      new RegExp(
        `^Page load time \\d+ ms against \\d+ ms ${size} ms sooner \\(\\d+ to \\d+\\) ◄ faster$`,
      ),
    );
    assert.match(textIn('.counts'), /over 24 pairs of loads/);
    const chart = answer.querySelector('figure svg.chart')?.textContent ?? '';
    assert.match(chart, /www\.iana\.org.*www\.wikipedia\.org.*all 2 sites/s);
    assert.equal(answer.querySelectorAll('details table tbody tr').length, 2);
  }
  const folded = [...document.querySelectorAll('.answers > li > details')];
  assert.equal(folded.length, 2);
  approve(t, 'condition', outlineOf(document.querySelector('.answers > li')));
});

test('states in one line how certain all answers are, from their number, levels and looks', async (t) => {
  const said = async (looks: number, options: FixtureOptions = {}) => {
    const { document } = await pageOf({ repetitions: 12, ...options }, undefined, (summary) => {
      if (looks > 0)
        summary.looks = { nLooks: looks, end: 'decided', elapsedMs: 60_000, budgetMs: 120_000 };
      for (const answer of summary.primary) answer.level = 0.05 / summary.primary.length;
    });
    return words(document.querySelector('.answer > .quiet')?.textContent ?? '').replaceAll(
      '\u00a0',
      ' ',
    );
  };
  const few = await said(0, { repetitions: 4 });
  const texts = [await said(0), await said(7), await said(0, { networks: [NONE] }), few];
  for (const text of texts) assert.doesNotMatch(text, /0 tests|null|NaN|brackets/);
  assert.doesNotMatch(few, /intervals/);
  approve(t, 'how-sure', texts);
});

test('states a missing limit or ratio of an answer and shows no null', async (t) => {
  const { document, text } = await pageOf(
    { repetitions: 12, networks: [NONE] },
    undefined,
    (summary) => {
      const [first, second] = summary.primary;
      assert.ok(first?.ratio && first.difference && second);
      first.ratio.high = null;
      Object.assign(second, {
        ratio: null,
        difference: null,
        verdict: 'slower',
        decidedAfterPairs: 12,
      });
    },
  );
  const [first, second] = [...document.querySelectorAll('.answers .picture')].map(wordsOf);
  // Charts state it, too.
  assert.match(first ?? '', /\([\d.]+ or more\)/);
  assert.match(second ?? '', /no ratio, slower/);
  approve(t, 'no-limit', outlinesOf(document, '.answers .picture'));
  assert.doesNotMatch(text.replace(SCRIPT, ''), />[^<]*\bnull\b/);
});

test('shows the answer of a single site once, as its row, with the same interval and verdict', async () => {
  const { document, summary } = await pageOf({
    subjects: ['www.iana.org'],
    networks: [NONE],
    repetitions: 12,
  });
  const [primary] = summary.primary;
  assert.ok(primary?.ratio?.low && primary.ratio.high);
  const { estimate, low, high } = primary.ratio;
  const ratio = `${estimate.toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)})`;
  const forest = document.querySelector('.protocol-pair .forest');
  const texts = [...(forest?.querySelectorAll('.wide text') ?? [])].map((each) => each.textContent);
  assert.deepEqual(
    texts.filter((text) => /\d \(/.test(text ?? '')),
    [ratio],
  );
  const row = wordsOf(forest?.querySelector('tbody tr'));
  assert.ok(
    row.includes(`${low.toFixed(2)} to ${high.toFixed(2)}`) && row.includes(primary.verdict),
    row,
  );
});

test('pools more than 8 sites in one line of the picture, opens them one by one, and generalizes to similar pages', async (t) => {
  const subjects = Array.from({ length: 9 }, (_, index) => `www.some-site-${index}.example`);
  const { document } = await pageOf({ subjects, networks: [NONE], repetitions: 7 });
  const forest = document.querySelector('.protocol-pair .forest');
  const [compact, , full] = [...(forest?.querySelectorAll('svg.chart') ?? [])];
  const labels = [...(compact?.querySelectorAll('text') ?? [])].map(
    ({ textContent }) => textContent,
  );
  assert.ok(labels.includes('each of 9 sites') && labels.includes('all 9 sites'));
  assert.ok(!labels.some((label) => label?.includes('some-site')));
  assert.equal(full?.closest('details'), forest?.querySelector('details'));
  assert.match(full?.textContent ?? '', /some-site-3/);
  const more = [...document.querySelectorAll('.protocol-pair details')].find((each) =>
    each.querySelector('summary')?.textContent?.includes('similar pages'),
  );
  approve(t, 'other-pages', outlineOf(more ?? null));
  assert.doesNotMatch((await USUAL).words, /a sample of similar/);
});

test('folds everything but the answer under its heading, and prints it', async () => {
  const { document } = await pageOf({ repetitions: 6 });
  const sections = [...document.querySelectorAll('main > section')].slice(1);
  assert.ok(sections.length >= 8);
  for (const section of sections) {
    const folds = [...section.querySelectorAll(':scope > details')];
    assert.ok(folds.length > 0);
    const heading = section.querySelector('h2');
    assert.equal(heading?.id, section.getAttribute('aria-labelledby'));
    for (const fold of folds) {
      assert.equal(fold.hasAttribute('open'), false);
      assert.ok(fold.classList.contains('printed'));
      assert.ok(fold.querySelector(':scope > summary .quiet')?.textContent?.trim());
    }
  }
});

test("draws each pair's difference as a dot in a chart with zero marked, and its quartiles as a table", async () => {
  const { document } = await pageOf({ repetitions: 8, networks: [NONE] });
  const charts = [...document.querySelectorAll('svg.chart')].filter((chart) =>
    chart.getAttribute('aria-label')?.startsWith('Strip chart: differences of page load times'),
  );
  assert.equal(charts.length, 2);
  const [chart] = charts;
  assert.match(chart?.getAttribute('aria-label') ?? '', /a dot for each of 16 pairs.*2 sites/);
  const dots = [...(chart?.querySelectorAll('[stroke-linecap=round] path') ?? [])].flatMap(
    (path) => path.getAttribute('d')?.match(/Z/g) ?? [],
  );
  assert.equal(dots.length, 16);
  const rows = [...(chart?.closest('figure')?.querySelectorAll('tbody tr') ?? [])];
  assert.equal(rows.length, 2);
  assert.equal(rows[0]?.querySelectorAll('td')[0]?.textContent, '8');
});

test('draws a line per stack for all pairs, with a table of how many were faster and by how much', async () => {
  const { document } = await pageOf({
    repetitions: 9,
    networks: [NONE],
    change: (load) => {
      // 25 ms less in 6 of 8 pairs, 15 ms less in one, one pair with a failure and one with two.
      const byRepetition = [0, 75, 75, 75, 75, 75, 75, 85, 100][load.repetition] ?? 0;
      load.metrics.pageLoadMs = load.arm === 'lsquic-h3' ? byRepetition : 100;
      const isFailed = load.repetition === 9 || (load.repetition === 8 && load.arm === 'lsquic-h3');
      if (isFailed) spoil(load, 'failed', 'timeout', 'No end.');
    },
  });
  const chart = [...document.querySelectorAll('svg.chart')].find((each) =>
    each.getAttribute('aria-label')?.startsWith('Line chart: share of the pairs of loads'),
  );
  assert.equal(chart?.querySelectorAll('path[stroke-dasharray]').length, 2);
  const rows = [...(chart?.closest('figure')?.querySelectorAll('tbody tr') ?? [])].map((row) =>
    [...row.querySelectorAll('th, td')].map(({ textContent }) => textContent),
  );
  assert.deepEqual(rows[0], ['lsquic (h3)', '16', '−25.0', '87.5 %', '87.5 %', '75 %', '2']);
});

test('draws only pooled charts for many sites', async () => {
  const subjects = Array.from({ length: 51 }, (_, index) => `www.site-${index}.example`);
  const { text } = await pageOf({ subjects, networks: [NONE], repetitions: 1 });
  assert.doesNotMatch(text, /Strip chart|Bar chart|Line chart: share of the loads of www\.site-1/);
  assert.match(text, /Line chart: share of the pairs of loads/);
});

test('lists the stopping rule among the choices before the run', async (t) => {
  const { outline } = await pageOf({}, ({ run }) => {
    run.stopping = { rule: 'pocock-spending', alpha: 0.05, budgetMs: 1_800_000, blocksPerLook: 5 };
  });
  approve(t, 'stopping-rule', linesAdded((await USUAL).outline, outline));
});

test('lists every choice made before the run', async () => {
  const { document, run } = await pageOf({});
  const table = [...document.querySelectorAll('table.facts')].find(
    ({ textContent }) => textContent?.startsWith('Chosen before the run') ?? false,
  );
  const shown = [...(table?.querySelectorAll('tr') ?? [])].map((row) => [
    row.querySelector('th')?.textContent,
    row.querySelector('td')?.textContent,
  ]);
  assert.deepEqual(shown, choiceLines(run, pageLoad));
  assert.ok(shown.some(([name]) => name === 'Delay of responses'));
});

test('states that no single site can pass so large a family of tests, with the number of pairs it needs', async () => {
  const shown = async (repetitions: number) =>
    (await pageOf({ repetitions, change: SPREAD })).words;
  // 2 / 2^8 x 8 is above 0.05, 2 / 2^9 x 8 is below.
  assert.match(await shown(8), /8 tests need at least 9 each/);
  assert.doesNotMatch(await shown(9), /No single site is decided/);
});

test('shows no verdict below 6 pairs', async () => {
  const { document, words: shown } = await pageOf({ repetitions: 5, change: SPREAD });
  assert.match(shown, /A test needs 6 pairs/);
  const verdicts = [...document.querySelectorAll('table .verdict, .reasons .verdict')];
  assert.ok(verdicts.length > 8);
  for (const verdict of verdicts) assert.match(words(verdict.textContent ?? ''), /^○ undecided$/);
});

test('labels generated pages in every table of sites, and only those', async () => {
  const generated = (await pageOf({ repetitions: 8 })).document;
  const heads = [...generated.querySelectorAll('tbody th[scope="row"] .name')].map((name) =>
    words(name.parentElement?.closest('th')?.textContent ?? ''),
  );
  const subjects = heads.filter((head) => /^www\./.test(head));
  assert.ok(subjects.length >= 8);
  for (const subject of subjects) assert.match(subject, /^www\.\S+ generated$/);
  const { words: recorded } = await pageOf({ repetitions: 8 }, ({ run }) => {
    for (const subject of run.subjects) subject.kind = 'recorded';
  });
  assert.doesNotMatch(recorded, /www\.iana\.org generated/);
});

test('has a row for each site with the numbers and the verdict of the summary', async () => {
  const { document, summary } = await pageOf({ repetitions: 12, change: SPREAD });
  const tables = [...document.querySelectorAll('table.sortable')];
  assert.equal(tables.length, 2);
  const rows = [...(tables[0]?.querySelectorAll('tbody tr') ?? [])];
  assert.equal(rows.length, 2);
  const [comparison] = summary.comparisons;
  const [row] = summary.rows;
  const cells = [...(rows[0]?.querySelectorAll('th, td') ?? [])];
  const keys = cells.map((cell) => cell.getAttribute('data-key'));
  assert.equal(keys[0], comparison?.subject);
  assert.equal(Number(keys[1]), row?.metrics.pageLoadMs?.mean);
  assert.equal(Number(keys[2]), row?.metrics.pageLoadMs?.median);
  assert.equal(Number(keys[7]), comparison?.difference?.estimate);
  assert.equal(Number(keys[8]), comparison?.ratio?.estimate);
  assert.equal(keys[9], 'faster');
  assert.equal(keys[13], '12');
});

test('sorts by columns whose cells all have a key', async () => {
  const { document } = await pageOf({ repetitions: 6 });
  for (const table of document.querySelectorAll('table.sortable')) {
    const columns = [...table.querySelectorAll('th[data-column]')].map((heading) =>
      Number(heading.getAttribute('data-column')),
    );
    assert.deepEqual(
      columns.toSorted((a, b) => a - b),
      Array.from({ length: 14 }, (_, index) => index),
    );
    for (const row of table.querySelectorAll('tbody tr')) {
      for (const cell of row.querySelectorAll('th, td'))
        assert.notEqual(cell.getAttribute('data-key'), null);
    }
  }
});

test('derives from the fairness comparison what may explain a difference', async (t) => {
  const said = async (likeForLike: 'yes' | 'no' | null) =>
    (
      await pageOf({}, undefined, (summary) => {
        for (const verdict of summary.fairness.flatMap(({ verdicts }) => verdicts)) {
          verdict.likeForLike = likeForLike ?? 'unknown';
          for (const condition of verdict.conditions) {
            condition.sentence =
              likeForLike === 'yes' ? 'like for like' : 'not like for like: server program';
          }
        }
        if (likeForLike === null) summary.fairness = [];
      })
    ).section('compared');
  const usual = (await USUAL).section('compared');
  const added = async (likeForLike: 'yes' | 'no' | null) =>
    linesAdded(usual, await said(likeForLike));
  const { section } = await pageOf({}, ({ run, observations }) => {
    run.arms = run.arms.filter(({ arm }) => arm !== 'lsquic-h3');
    run.trials = run.trials.filter(({ arm }) => arm !== 'lsquic-h3');
    observations.splice(
      0,
      observations.length,
      ...observations.filter(({ arm }) => arm !== 'lsquic-h3'),
    );
  });
  approve(t, 'put-down-to', [
    ...(await added('yes')),
    '',
    ...(await added('no')),
    '',
    ...(await added(null)),
    '',
    ...linesAdded(usual, section('compared')),
  ]);
});

test('shows the result of the fairness table next to the answer', async (t) => {
  const { document } = await pageOf({ repetitions: 6 }, undefined, (summary) => {
    summary.fairness = [
      {
        a: 'lsquic-h3',
        b: 'bun-h2',
        verdicts: [
          {
            conditions: [
              {
                network: NONE.name,
                variant: 'cold',
                sentence: 'not like for like: initial window',
              },
            ],
            likeForLike: 'no',
            properties: [
              {
                property: 'initialWindow' as never,
                label: 'Initial window',
                verdict: 'differs',
                a: '32 packets',
                b: null,
                decides: true,
                note: HOSTILE,
              },
            ],
          },
        ],
      },
    ];
  });
  assert.match(
    wordsOf(document.querySelector('.protocol-pair')),
    /Not like for like: initial window\./,
  );
  approve(
    t,
    'fairness-table',
    outlinesOf(document, '[aria-labelledby=fairness] > details > details').slice(0, 1),
  );
  assert.equal(document.querySelectorAll('img').length, 0);
});

test('places a label at the answers of its own conditions and names an earlier one with the same label', async (t) => {
  const { document, section } = await pageOf(
    { repetitions: 6, networks: [NONE, DELAYED], visits: ['cold', 'repeat'] },
    undefined,
    (summary) => {
      const verdict = (variant: string, likeForLike: 'yes' | 'no', sentence: string) => ({
        conditions: [NONE, DELAYED].map(({ name }) => ({ network: name, variant, sentence })),
        likeForLike,
        properties: [],
      });
      const verdicts = [
        verdict('cold', 'yes', 'like for like'),
        verdict('repeat', 'no', 'not like for like: requests (more)'),
      ];
      summary.fairness = [{ a: 'lsquic-h3', b: 'bun-h2', verdicts }];
    },
  );
  const labels = [...document.querySelectorAll('.protocol-pair')].map(
    ({ textContent }) => /Not like for like[^.]*\./.exec(words(textContent ?? ''))?.[0],
  );
  assert.deepEqual(labels, [
    undefined,
    'Not like for like: requests (more).',
    undefined,
    'Not like for like, as with no added delay, repeat visit.',
  ]);
  approve(t, 'fairness-conditions', section('fairness').split('\n').slice(0, 12));
  assert.equal(document.querySelectorAll('table.fairness').length, 1);
});

test('reports the round-trip time of a network without added delay, and that no round trip is saved', async (t) => {
  const { section } = await pageOf({ networks: [NONE] });
  const delayed = await pageOf({ networks: [DELAYED] });
  approve(t, 'no-delay', linesAdded(delayed.section('compared'), section('compared')));
});

test('shows the requested parameters of each network next to the measured and counted ones', async (t) => {
  const slow = { ...DELAYED, name: 'slow', downKbps: 1500, upKbps: 384, lossPercent: 1 };
  const { document } = await pageOf(
    { networks: [NONE, slow] },
    ({ calibrations, observations }) => {
      for (const [index, calibration] of calibrations.entries()) {
        const { rttMs, downKbps } = calibration.requested;
        calibration.udpRttMs.median = rttMs + (index < 2 ? 0.2 : 0.4);
        calibration.tcpRttMs.median = rttMs + 0.5;
        calibration.downKbps = downKbps && 1490;
        calibration.upKbps = downKbps && 380;
      }
      for (const { path, network } of observations) {
        assert.ok(path);
        const loses = network.name === 'slow';
        path.toClient = { packets: 95, bytes: 1, lost: loses ? 3 : 0, queueDrops: loses ? 2 : 0 };
        path.toServer = { packets: 50, bytes: 1, lost: 0, queueDrops: 0 };
        path.maxLatenessMs = loses ? 5.5 : 0.42;
      }
    },
  );
  approve(t, 'networks', outlinesOf(document, 'table.network'));
});

test('reports the fate of datagrams on a network with a UDP treatment, and how many were dropped per load', async (t) => {
  const udp = { treatment: 'rejected', kbps: null } as const;
  const throttled = { treatment: 'throttled', kbps: 1000 } as const;
  const networks = [
    { ...NONE, name: 'udp-rejected', udp },
    { ...NONE, name: 'udp-throttled', udp: throttled },
  ];
  const { document } = await pageOf({ networks }, ({ calibrations, observations }) => {
    for (const calibration of calibrations) {
      const isRejected = calibration.requested.condition === 'udp-rejected';
      const seen = { sent: 40, packets: isRejected ? 0 : 30, kbps: isRejected ? null : 990 };
      const both = { ...seen, offeredKbps: 1500 };
      calibration.udp = {
        ...(isRejected ? udp : throttled),
        toServer: both,
        toClient: both,
        refusal: isRejected ? 'EHOSTUNREACH' : null,
        tcpKbps: isRejected ? null : 6000,
      };
    }
    for (const { path } of observations) {
      assert.ok(path);
      path.toServer.udpDropped = 2;
      path.toClient.udpDropped = 0;
    }
  });
  approve(t, 'udp', [
    ...outlinesOf(document, 'table.network'),
    ...outlinesOf(document, PATH).slice(0, 1),
  ]);
});

test('shows both ends in a table as they were read, and marks unknown values', async (t) => {
  const { document } = await pageOf({}, ({ run }) => {
    run.fairness.client.tcpCongestionControl.value = 'bbr';
    run.fairness.server.segmentsPerPacket.value = null;
  });
  approve(t, 'ends', outlinesOf(document, 'table.ends'));
});

test('shows the requested congestion control next to that of each sender', async () => {
  const { document } = await pageOf({}, ({ run }) => {
    run.choices.congestionControl = 'bbr';
    run.fairness.client.tcpCongestionControl.value = 'bbr';
  });
  const rows = [...document.querySelectorAll('table.congestion-controls tbody tr')].map((row) =>
    [...row.querySelectorAll('th, td')].slice(0, 3).map((cell) => words(cell.textContent ?? '')),
  );
  assert.deepEqual(rows[0], ['Browser, over TCP', 'bbr', 'bbr']);
  assert.deepEqual(rows[1], ['lsquic (h3)', 'bbr', 'cubic']);
});

test("reports no request to a user's own server that it cannot receive", async () => {
  const requestedOf = async (own: PlannedArm['own']) => {
    const { document } = await pageOf({}, ({ run }) => {
      for (const arm of run.arms.slice(0, 2)) arm.own = own;
    });
    const cells = document.querySelectorAll('table.congestion-controls tbody td:nth-child(2)');
    return [...cells].slice(1, 3).map((cell) => words(cell.textContent ?? ''));
  };
  assert.deepEqual(await requestedOf({ url: 'https://www.example.org:8443' }), [
    'nothing',
    'nothing',
  ]);
  assert.deepEqual(await requestedOf({ program: '/srv/start.sh' }), ['nothing', 'cubic']);
});

test('shows the requested settings of single stacks next to those of all stacks', async () => {
  const { document } = await pageOf({}, ({ run }) => {
    const [quic, tcp] = run.arms;
    if (quic) quic.settings = { congestionControl: 'bbr' };
    if (tcp) tcp.settings = { congestionControl: 'reno', initialWindowSegments: 10 };
  });
  const rows = [...document.querySelectorAll('table.congestion-controls tbody tr')].map((row) =>
    [...row.querySelectorAll('th, td')].slice(0, 2).map((cell) => words(cell.textContent ?? '')),
  );
  assert.deepEqual(rows.slice(0, 3), [
    ['Browser, over TCP, where its server has no other', 'cubic'],
    ['lsquic (h3)', 'bbr'],
    ['Bun (h2)', 'reno'],
  ]);
  const text = words(document.body.textContent ?? '');
  assert.match(text, /cubic; bbr for lsquic \(h3\); reno for Bun \(h2\)/);
  assert.match(text, /32 segments; 10 segments for Bun \(h2\)/);
});

test('names the network backend in words, with its known priority', async (t) => {
  const netem = await pageOf({ backend: 'netem' });
  const ordinary = await pageOf({}, ({ calibrations }) => {
    for (const calibration of calibrations) calibration.linkPriority = 'none';
  });
  const unknown = await pageOf({}, ({ calibrations }) => void calibrations.splice(0));
  const pages = [await USUAL, netem, ordinary, unknown];
  approve(
    t,
    'path',
    pages.flatMap(({ document }) => outlinesOf(document, PATH).slice(0, 1)),
  );
});

test('shows a line in the answer and a table per condition, with visits as conditions of their own', async () => {
  for (const [networks, visits] of [
    [[DELAYED], ['cold']],
    [
      [NONE, DELAYED],
      ['cold', 'repeat'],
    ],
  ] as [(typeof NONE)[], ('cold' | 'repeat')[]][]) {
    const { document } = await pageOf({ networks, visits, repetitions: 6 });
    const conditions = networks.length * visits.length;
    assert.equal(document.querySelectorAll('.answer .answers > li').length, conditions);
    assert.equal(document.querySelectorAll('table.sortable').length, conditions);
    const charts = [...document.querySelectorAll(':not(.narrow) > svg.chart')].map(
      (chart) => chart.getAttribute('aria-label') ?? '',
    );
    const count = (kind: RegExp) => charts.filter((label) => kind.test(label)).length;
    assert.equal(count(/^Bar chart/), conditions);
    assert.equal(count(/^Diverging bar chart/), 2 * conditions);
    // One for each of two stacks, and one for the effect of the visit over each network.
    const ofVisits = visits.length > 1 ? networks.length : 0;
    assert.equal(count(/^Forest plot/), 2 * conditions + ofVisits);
    assert.equal(count(/^Scatter chart/), 4 * conditions);
    // One for all sites, and one for each of the two sites.
    assert.equal(count(/^Line chart: share of the loads (by Page load time|of)/), 3 * conditions);
    assert.equal(count(/^Line chart: share of the pairs/), conditions);
    assert.equal(count(/^Strip chart/), 2 * conditions);
    assert.equal(count(/^Dot chart/), 1);
  }
});

test('reports where captured packets are, and nothing without captures', async (t) => {
  const without = await pageOf({ repetitions: 2 });
  assert.doesNotMatch(without.words, /Wireshark/);
  const added = async (packets: 'all' | 'median') => {
    const { outline } = await pageOf({ repetitions: 2 }, ({ run }) => {
      run.choices.packets = packets;
    });
    return linesAdded(without.outline, outline);
  };
  approve(t, 'captures', [...(await added('all')), '', ...(await added('median'))]);
});

test('links every load except warm-ups to its HAR, and labels the median, fastest and slowest', async () => {
  const { document, observations, summary } = await pageOf({ repetitions: 2 });
  const hrefs = (selector: string) =>
    [...document.querySelectorAll(selector)].map((link) => link.getAttribute('href') ?? '');
  const hars = observations.filter(({ warmup }) => !warmup).map(({ files }) => files.har ?? '');
  assert.deepEqual(hrefs('.loads a').toSorted(), hars.toSorted());
  const named = [...document.querySelectorAll('.site a')].filter(
    (link) => link.textContent === 'slowest load',
  );
  assert.equal(named.length, summary.rows.length);
  const harOf = new Map(observations.map(({ id, files }) => [id, files.har]));
  assert.equal(named[0]?.getAttribute('href'), harOf.get(summary.rows[0]?.loads?.slowest ?? ''));
});

test('shows each story only at its site and condition', async () => {
  const story = {
    subject: 'www.iana.org',
    network: '30ms',
    variant: 'cold',
    markup: trusted('<p class="story">A waterfall.</p>'),
  };
  const document = await documentOf(fixtureRun(), { stories: [story] });
  const found = [...document.querySelectorAll('.story')];
  assert.equal(found.length, 1);
  assert.match(found[0]?.closest('.site')?.querySelector('h3')?.textContent ?? '', /iana/);
});

test('shows the false-alarm rate of a control in the answer and omits the control from tables', async () => {
  const { document, summary } = await pageOf({ repetitions: 8 }, ({ run, observations }) => {
    const h1 = run.arms.find(({ arm }) => arm === 'flask-h1');
    assert.ok(h1);
    h1.controlOf = 'bun-h2';
    h1.label = 'Bun (h2), again';
    assert.ok(observations.length > 0);
  });
  const answer = words(document.querySelector('.answer')?.textContent ?? '');
  assert.equal(summary.controls.length, 1);
  assert.match(answer, /compared with itself \d+ times: \d+ called different before correction/);
  assert.doesNotMatch(document.querySelector('table.sortable')?.textContent ?? '', /, again/);
});

test('lists excluded loads by reason, with an example', async (t) => {
  const { document, summary, section } = await pageOf({
    networks: [NONE],
    change: (load) => {
      if (load.order === 8) spoil(load, 'failed', 'timeout', 'No load event within 30 s.');
      if (load.order === 9) spoil(load, 'invalid', 'wrong-protocol', 'a.css came over h2.');
      if (load.order === 18) load.disturbed = 'Other programs took 61 % of a core.';
    },
  });
  const { nWhole, nPlanned, nBroken } = summary.exclusions.blocks;
  assert.deepEqual([nWhole, nPlanned, nBroken], [5, 6, 1]);
  const hars = [...document.querySelectorAll('table.exclusions a')];
  assert.deepEqual(
    hars.map(({ textContent }) => textContent),
    ['HAR'],
  );
  approve(t, 'exclusions', section('exclusions'));
  approve(t, 'ledger-empty', (await USUAL).section('exclusions'));
});

test('lists a site without any possible ok load with its remedy', async () => {
  const { document } = await pageOf({
    networks: [NONE],
    change: (load) => {
      if (load.subject !== 'www.iana.org') return;
      spoil(load, 'invalid', 'request-failed', 'It did not arrive.');
      load.details = {
        phasesMs: null,
        traffic: null,
        replay: null,
        blamed: ['https://www.iana.org/<b>'],
      };
    },
  });
  const section = document.querySelector('[aria-labelledby=exclusions]');
  const remedies = [...(section?.querySelectorAll('li') ?? [])].map(({ textContent }) =>
    words(textContent ?? ''),
  );
  assert.match(
    remedies.join(),
    /^No load of www\.iana\.org is ok: .*\(request-failed\) because of https:\/\/www\.iana\.org\/<b>\./,
  );
});

test('marks an interrupted run at the top, and renders a run without loads', async () => {
  const cut = await pageOf({}, ({ observations }) => void observations.splice(10));
  assert.match(cut.words, /The run ended before its plan did/);
  const empty = await pageOf({}, ({ observations }) => void observations.splice(0));
  assert.match(empty.words, /cannot be compared: there is no pair of loads/);
  assert.doesNotMatch(empty.text.replace(SCRIPT, ''), /NaN|undefined|Infinity|\[object/);
});

test('renders markup in names, sources, messages, codes, commands and versions as text', async () => {
  const { text, document } = await pageOf(
    {
      subjects: [HOSTILE, 'www.iana.org'],
      networks: [NONE, { ...DELAYED, name: HOSTILE }],
      change: (load) => {
        if (load.order % 3 === 0) spoil(load, 'invalid', HOSTILE, HOSTILE);
        if (load.order === 5) load.files.har = `har/${HOSTILE}`;
      },
    },
    ({ run, calibrations }) => {
      for (const calibration of calibrations) Object.assign(calibration, { linkPriority: HOSTILE });
      run.fairness.client.routes.value = [HOSTILE];
      run.fairness.stacks['lsquic-h3'] = { [HOSTILE]: { value: HOSTILE, from: HOSTILE } };
      run.runId = HOSTILE;
      run.startedAt = HOSTILE;
      run.versions[HOSTILE] = HOSTILE;
      run.host.cpu = HOSTILE;
      for (const subject of run.subjects) subject.source = HOSTILE;
      for (const arm of run.arms) arm.label = HOSTILE;
    },
  );
  assert.equal(document.querySelectorAll('img, [onerror]').length, 0);
  assert.equal(document.querySelectorAll('script').length, 1);
  assert.equal(text.match(/<script/g)?.length, 1);
  assert.equal(text.match(/<style/g)?.length, 1);
  assert.doesNotMatch(text, /<img/);
});

test('renders markup in every sentence, name and text of the summary as text', async () => {
  const spoiled = (value: unknown, key = ''): unknown => {
    // Enumerated words are not text from outside.
    if (
      /^(verdict|variant|outcome|likeForLike|unit|protocol|factor|arm|baseline|control|network|subject)$/.test(
        key,
      )
    )
      return value;
    if (typeof value === 'string') return HOSTILE;
    if (Array.isArray(value)) return value.map((each) => spoiled(each, key));
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [name, spoiled(each, name)]),
    );
  };
  const { text, document } = await pageOf(
    { repetitions: 7, networks: [NONE, DELAYED] },
    undefined,
    (summary) => {
      for (const name of [
        'warnings',
        'subjects',
        'comparisons',
        'primary',
        'sweeps',
        'exclusions',
      ] as const) {
        const names = summary.subjects.map(({ subject }) => subject);
        Object.assign(summary, { [name]: spoiled(summary[name], name) });
        for (const [index, subject] of names.entries())
          Object.assign(summary.subjects[index] ?? {}, { subject });
      }
      for (const one of summary.overview) one.conditionText = HOSTILE;
    },
  );
  assert.ok(text.includes('&lt;img src=x'));
  assert.equal(document.querySelectorAll('img, [onerror]').length, 0);
  assert.equal(document.querySelectorAll('script').length, 1);
  assert.doesNotMatch(text, /<img/);
});

test('keeps a run of 30 sites, 2 networks and 30 repetitions below 2 MB without its stories', async () => {
  const subjects = Array.from({ length: 30 }, (_, index) => `www.some-site-${index}.example`);
  const change = (load: Observation) => {
    const { subject, network, arm, repetition } = load;
    load.files.har = `har/${subject}.${network.name}.${arm}.${repetition || 'warm-up'}.har`;
  };
  const { run, observations } = fixtureRun({ subjects, change, repetitions: 30 });
  // A summary's length does not depend on the repetitions, and this one is faster to make.
  const fewer = fixtureRun({ subjects, change, repetitions: 7 });
  const summary = summaryOf(fewer);
  const text = await reportPage(run, summary, observations);
  assert.equal(text.match(/<a href="har\/[^"]+">[\d.,]+</g)?.length, 30 * 2 * 3 * 30);
  assert.ok(text.length < 2_000_000, `${text.length} bytes`);
});

test('shows processor load in a table, and unequal pressure next to the answer and each verdict', async () => {
  const { document, words: all } = await pageOf({
    networks: [NONE],
    change: (load) => {
      if (!load.machine || !load.path) return;
      load.machine.cpuPressurePercent = load.arm === 'lsquic-h3' ? 63.4 : 41;
      load.machine.clientCpuMs = 1234.5;
      load.machine.runnerCpuMs = 45.6;
      load.path.linkCpuMs = 12.25;
    },
  });
  const table = [...document.querySelectorAll('table')].find((each) =>
    each.querySelector('caption')?.textContent?.startsWith('Medians of the sites’ medians'),
  );
  const cells = [...(table?.querySelectorAll('tbody tr:nth-child(2) td') ?? [])];
  assert.deepEqual(
    cells.toSpliced(2, 1).map(({ textContent }) => textContent),
    ['63', '1,234.5', '12.3', '45.6'],
  );
  const sentence =
    'lsquic (h3) met more CPU pressure than Bun (h2) (median 63 % against 41 %): part of the result may be due to this machine.';
  const answer = words(document.querySelector('.answer')?.textContent ?? '').replaceAll(
    '\u00a0',
    ' ',
  );
  assert.equal(answer.split(sentence).length - 1, 1);
  // Once in the answer, and once for each of the two sites.
  assert.equal(all.replaceAll('\u00a0', ' ').split(sentence).length - 1, 3);
});
