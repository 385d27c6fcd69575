import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wordsOf } from '../../../../../test/unit/approve.ts';
import {
  type FixtureOptions,
  fixtureRun,
  NONE,
} from '../../../../../test/unit/report/fixture-run.ts';
import { cellsOf, documentOf } from '../../../../../test/unit/report/reported.ts';
import { readPublishedAverages } from '../../../numbers/published-numbers.ts';
import { publishedSection } from '../../../numbers/section.ts';

const SITES = [...new Set(readPublishedAverages().map(({ subject }) => subject))];

const pageOf = (made: ReturnType<typeof fixtureRun>) =>
  documentOf(made, { sections: [publishedSection] });

async function sectionOf(options: FixtureOptions = {}) {
  const document = await pageOf(fixtureRun({ preset: 'published', ...options }));
  const section = document.querySelector('section[aria-labelledby="published"]');
  assert.ok(section);
  const rows = cellsOf(section, 'table.published tbody tr');
  return { document, section, rows, text: wordsOf(section) };
}

test('shows the published numbers only for a run of the preset', async () => {
  for (const preset of [null, 'ladder/fair']) {
    const document = await pageOf(fixtureRun({ preset }));
    assert.equal(document.querySelector('#published'), null);
    assert.equal(document.querySelector('a[href="#published"]'), null);
  }
  const { document } = await sectionOf();
  assert.ok(document.querySelector('h2#published'));
  assert.ok(document.querySelector('nav a[href="#published"]'));
});

test("shows a site's published numbers as printed, ours, and the cost of 30 ms", async () => {
  const { rows } = await sectionOf({
    subjects: ['www.wikipedia.org'],
    change: (load) => {
      load.metrics.documentMs = (load.arm === 'lsquic-h3' ? 1 : 4) * (20 + load.network.rttMs);
    },
  });
  assert.equal(rows.length, 30);
  assert.deepEqual(
    rows.find(([subject]) => subject === 'www.wikipedia.org'),
    ['www.wikipedia.org', '18.5', '57.7', '20.0', '80.0']
      .concat(['50.7', '185.4', '50.0', '200.0'])
      .concat(['1.07', '4.26', '1.00', '4.00']),
  );
  const empty = ['–', '–', '–', '–'];
  assert.deepEqual(
    rows.find(([subject]) => subject === 'www.bbc.com'),
    ['www.bbc.com', '47', '70.3', '–', '–', ...empty, ...empty],
  );
});

test('says that the pages are generated only if they are', async () => {
  assert.match((await sectionOf()).text, /those of this run are generated in the same shape/);
  const recorded = fixtureRun({ preset: 'published' });
  for (const subject of recorded.run.subjects) subject.kind = 'recorded';
  assert.doesNotMatch(wordsOf((await pageOf(recorded)).body), /generated in the same shape/);
});

test('marks nine averages and five costs, each repeated with its reason', async () => {
  const { rows, section } = await sectionOf();
  const cells = rows.flat();
  assert.equal(cells.filter((cell) => cell.startsWith('†cut: ')).length, 9);
  assert.equal(cells.filter((cell) => cell.startsWith('‡not possible: ')).length, 5);
  const [cut, notPossible] = [...section.querySelectorAll('.marks > li')].map((item) =>
    [...item.querySelectorAll('li')].map(({ textContent }) => textContent),
  );
  assert.equal(cut?.length, 9);
  assert.ok(cut?.includes('www.taobao.com by HTTPS: printed 110.3, mean 110.364 ms'), `${cut}`);
  assert.equal(notPossible?.length, 5);
  assert.ok(notPossible?.includes('www.reddit.com by QUIC took 28.5 ms less'), `${notPossible}`);
});

test('shows the published numbers over all sites and those of the run', async () => {
  const { section } = await sectionOf({
    subjects: ['www.iana.org', 'www.live.com'],
    change: (load) => {
      load.metrics.documentMs =
        load.arm === 'lsquic-h3' ? 10 + load.network.rttMs : 15 + 4 * load.network.rttMs;
    },
  });
  const lines = cellsOf(section.querySelector('table')).map(([, ...cells]) => cells);
  assert.deepEqual(lines, [
    ['18 of 30 sites', '0 of 2 sites', '0 of 2 sites'],
    ['12 of 19 sites', '1 of 1 site', '2 of 2 sites'],
    ['0.98 RTT19 sites', '1.00 RTT1 site', '1.00 RTT2 sites'],
    ['4.26 RTT19 sites', '4.00 RTT1 site', '4.00 RTT2 sites'],
  ]);
});

test('says that only document time can be compared, and that protocol and browser differ', async () => {
  const { text } = await sectionOf();
  assert.match(text, /document time is the only number of this run that can be compared with it/);
  assert.match(text, /Google QUIC 43 in Chrome 70, ours is the QUIC of the IETF \(HTTP\/3\)/);
  assert.match(text, /in Chromium 156\.0\.7000\.1/);
});

test('draws a bar for each published number and each of ours in both charts, and names the omitted site', async () => {
  const { section } = await sectionOf({ subjects: SITES, repetitions: 1 });
  const charts = [...section.querySelectorAll('svg.chart')];
  assert.deepEqual(
    charts.map((chart) => chart.querySelectorAll('rect').length),
    [29 * 4, 18 * 4],
  );
  for (const chart of charts) {
    const pale = chart.querySelectorAll('rect[fill-opacity="0.35"]');
    assert.equal(pale.length, chart.querySelectorAll('rect').length / 2);
  }
  const captions = [...section.querySelectorAll('figcaption')];
  for (const caption of captions) {
    assert.match(
      wordsOf(caption),
      /Not drawn, .*www\.news\.google\.com, published QUIC 1,8\d\d\.0 ms/,
    );
  }
  assert.match(charts[0]?.textContent ?? '', /Mean document time in ms/);
});

test('has the section for a run without the published networks or sites', async () => {
  const { rows, section } = await sectionOf({
    subjects: ['an.example'],
    networks: [{ ...NONE, name: '50ms', rttMs: 50 }],
  });
  assert.equal(rows.length, 30);
  assert.ok(rows.every((row) => row[3] === '–' && row[11] === '–'));
  assert.equal(section.querySelectorAll('svg.chart').length, 2);
});

test('has captions and scoped headings in tables, and headings in order', async () => {
  const { section } = await sectionOf();
  for (const table of section.querySelectorAll('table')) {
    assert.ok(table.querySelector('caption')?.textContent);
    for (const heading of table.querySelectorAll('th')) assert.ok(heading.getAttribute('scope'));
  }
  const levels = [...section.querySelectorAll('h2, h3, h4')].map(({ tagName }) =>
    Number(tagName.slice(1)),
  );
  assert.equal(levels[0], 2);
  for (const [index, level] of levels.entries()) {
    assert.ok(level <= (levels[index - 1] ?? 2) + 1, `${levels}`);
  }
});
