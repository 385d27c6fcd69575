import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseHTML } from 'linkedom';
import { reportPage } from '../../../../report/html/page.ts';
import { summarise } from '../../../../report/summary.ts';
import { type FixtureOptions, fixtureRun, spoil } from '../fixture-run.ts';

function pageOf(
  options: FixtureOptions,
  change: (fixture: ReturnType<typeof fixtureRun>) => void = () => {},
) {
  const fixture = fixtureRun(options);
  change(fixture);
  const { run, pageLoads } = fixture;
  const text = reportPage(run, summarise(run, pageLoads), pageLoads);
  const { document } = parseHTML(text);
  return { text, document, run, pageLoads, words: words(document.body.textContent ?? '') };
}

function words(text: string): string {
  return text.replace(/\s+/g, ' ');
}

const HOSTILE = `</title></style><script>alert(1)</script><img src=x onerror="y">'&`;

test('the page is complete and asks for nothing from elsewhere', () => {
  const { text, document } = pageOf({});
  assert.match(text, /^<!doctype html>\n<html lang="en">/);
  assert.match(text, /default-src 'none'|default-src &#39;none&#39;/);
  assert.equal(document.querySelectorAll('script, iframe, img, object, embed, base').length, 0);
  for (const link of document.querySelectorAll('a')) {
    assert.match(link.getAttribute('href') ?? '', /^(#|har\/)/);
  }
  assert.doesNotMatch(text, /\bsrc=|url\(|@import/);
});

test('every table has a caption and scoped headings, the chart a label, and every contents link a target', () => {
  const { document } = pageOf({});
  for (const table of document.querySelectorAll('table')) {
    assert.ok(table.querySelector('caption')?.textContent);
    for (const heading of table.querySelectorAll('th')) assert.ok(heading.getAttribute('scope'));
  }
  assert.match(document.querySelector('svg')?.getAttribute('aria-label') ?? '', /2 sites/);
  for (const link of document.querySelectorAll('nav a')) {
    assert.ok(document.getElementById((link.getAttribute('href') ?? '').slice(1)));
  }
});

test('each site shows where it comes from, and each stack its label', () => {
  const { words: shown, run } = pageOf({});
  for (const { source } of run.sites) assert.ok(shown.includes(source));
  for (const { label } of run.stacks) assert.ok(shown.includes(label));
});

test('medians stand without any verdict, with the number of loads behind them', () => {
  const { words: shown } = pageOf({ repetitions: 5 });
  assert.match(shown, /computes no intervals and no verdicts/);
  assert.match(shown, /Behind each median are 5 ok page loads: too few for any test to tell/);
  assert.doesNotMatch(shown, /significant|is faster than|QUIC is/i);
});

test('the like-for-like pair is named, and a run without it says that it has none', () => {
  assert.match(pageOf({}).words, /like-for-like pair is lsquic \(h3\) and Bun \(h2\)/);
  const { words: shown } = pageOf({}, ({ run, pageLoads }) => {
    run.stacks = run.stacks.filter(({ stack }) => stack !== 'bun-h2');
    run.trials = run.trials.filter(({ stack }) => stack !== 'bun-h2');
    pageLoads.splice(0, pageLoads.length, ...pageLoads.filter(({ stack }) => stack !== 'bun-h2'));
  });
  assert.match(shown, /has no like-for-like pair/);
});

test('on loopback the page says that no round trip is saved and how large its packets are', () => {
  const { words: shown } = pageOf({});
  assert.match(shown, /worth next to nothing in these numbers/);
  assert.match(shown, /65,536 bytes/);
  assert.match(shown, /TCP congestion control of the machine: cubic/);
});

test('every load that has a HAR links to it', () => {
  const { document, pageLoads } = pageOf({ repetitions: 2 });
  const links = [...document.querySelectorAll('.page-loads a')].map((link) =>
    link.getAttribute('href'),
  );
  assert.deepEqual(links.toSorted(), pageLoads.map(({ har }) => har).toSorted());
});

test('loads left out are listed by reason, with an example', () => {
  const { document } = pageOf({
    change: (load) => {
      if (load.order === 8) spoil(load, 'failed', 'timeout', 'No load event within 30 s.');
      if (load.order === 9) spoil(load, 'invalid', 'wrong-protocol', 'a.css came over h2.');
    },
  });
  const rows = [...document.querySelectorAll('[aria-labelledby=ledger] tbody tr')].map((row) =>
    [...row.querySelectorAll('th, td')].map((cell) => words(cell.textContent ?? '')),
  );
  assert.deepEqual(rows, [
    ['failed', 'timeout', '1', '0', 'www.iana.org, lsquic (h3): No load event within 30 s.'],
    [
      'invalid',
      'wrong-protocol',
      '1',
      '0',
      'www.iana.org, Flask (http/1.1): a.css came over h2. (HAR)',
    ],
  ]);
  assert.match(pageOf({}).words, /No load failed and none was invalid/);
});

test('an interrupted run says so at the top, and a run of which nothing was loaded still gives a page', () => {
  const cut = pageOf({}, ({ pageLoads }) => void pageLoads.splice(10));
  assert.match(cut.words, /The run ended before its plan did/);
  const empty = pageOf({}, ({ pageLoads }) => void pageLoads.splice(0));
  assert.match(empty.words, /nothing can be set side by side/);
  assert.doesNotMatch(empty.text, /NaN|undefined|Infinity|\[object/);
});

test('markup in names, sources, messages, codes, commands and versions renders as text', () => {
  const { text, document } = pageOf(
    {
      sites: [HOSTILE, 'www.iana.org'],
      change: (load) => {
        if (load.order % 3 === 0) spoil(load, 'invalid', HOSTILE, HOSTILE);
        if (load.order === 5) load.har = `har/${HOSTILE}`;
      },
    },
    ({ run }) => {
      run.runId = HOSTILE;
      run.startedAt = HOSTILE;
      run.versions[HOSTILE] = HOSTILE;
      run.host.cpu = HOSTILE;
      for (const site of run.sites) site.source = HOSTILE;
      for (const stack of run.stacks) stack.label = HOSTILE;
    },
  );
  assert.equal(document.querySelectorAll('script, img, [onerror]').length, 0);
  assert.doesNotMatch(text, /<script|<img/);
  assert.equal(text.match(/<style>/g)?.length, 2);
});

test('a run of 39 sites with 30 repetitions stays below 3 MB', () => {
  const sites = Array.from({ length: 39 }, (_, index) => `www.site-${index}.example`);
  const { text } = pageOf({ sites, repetitions: 30 });
  assert.ok(text.length < 3_000_000, `${text.length} bytes`);
});
