import assert from 'node:assert/strict';
import { test } from 'node:test';
import { summarise } from '../../../report/summary/summary.ts';
import { summaryTable } from '../../../report/terminal.ts';
import { approve } from '../approve.ts';
import { DELAYED, type FixtureOptions, fixtureRun, NONE, ONE_SITE, spoil } from './fixture-run.ts';
import { fixtureSummary, summaryOf } from './reported.ts';

const tableOf = (options: FixtureOptions) => summaryTable(fixtureSummary(options));

/** Lines of a table with this beginning. */
function linesAt(table: string, start: RegExp): string[] {
  return table.split('\n').filter((line) => start.test(line));
}

test('shows for each answer a bar, a verdict and both medians of every site, in aligned columns', (t) => {
  const table = tableOf({
    networks: [NONE],
    repetitions: 8,
    change: (load) => {
      const siteMs = load.subject === 'www.iana.org' ? 12.34 : 1234.5;
      const factor = load.arm === 'lsquic-h3' ? 0.8 + 0.02 * (load.repetition % 3) : 1;
      load.metrics.pageLoadMs = siteMs * factor;
      load.metrics.firstContentfulPaintMs = siteMs;
      load.metrics.largestContentfulPaintMs = null;
    },
  });
  approve(t, 'two-sites', table);
});

test('shows the answers of each condition, and no pooled line for a single site', () => {
  const table = tableOf({ subjects: ['a.example'] });
  assert.equal(table.match(/^no added delay$/gm)?.length, 1);
  assert.equal(table.match(/^30ms: 30 ms round-trip time added$/gm)?.length, 1);
  assert.equal(table.match(/^a\.example /gm)?.length, 4);
  assert.doesNotMatch(table, /together/);
});

test('shows the answer of a single site in its row', () => {
  const options: FixtureOptions = {
    ...ONE_SITE,
    repetitions: 6,
    change: (load) => {
      // Flask's test could pass too, so that each of the two takes a share of the error.
      const usual = { 'lsquic-h3': 80, 'flask-h1': 98.5 }[load.arm];
      load.metrics.pageLoadMs = usual ? usual + (load.repetition % 3) : 100;
    },
  };
  const { comparisons, primary } = fixtureSummary(options);
  assert.deepEqual(
    [comparisons[0]?.verdict, comparisons[0]?.ratio],
    [primary[0]?.verdict, primary[0]?.ratio],
  );
  const table = tableOf(options);
  assert.match(table, /lsquic \(h3\) is 19 % faster/);
  assert.match(table, /\na\.example .* faster /);
});

test('shows the remedy of a site without any ok load', (t) => {
  const table = tableOf({
    subjects: ['a.example', 'b.example'],
    change: (load) => {
      if (load.subject !== 'b.example') return;
      Object.assign(load, { outcome: 'invalid', code: 'wrong-status', message: 'It is 404.' });
      Object.assign(load.details ?? {}, { blamed: ['https://b.example/x'] });
    },
  });
  approve(t, 'remedy', linesAt(table, /^No load of/));
});

test('reports that too few pairs decide nothing, and how to get a decision', (t) => {
  const table = tableOf(ONE_SITE);
  assert.match(table, /\na\.example .* undecided /);
  approve(t, 'too-few-pairs', linesAt(table, /comparisons? were decided/));
});

test('states that no single site can pass so large a family of tests, with the number of pairs it needs', (t) => {
  const of = (repetitions: number, nSites: number) =>
    tableOf({
      subjects: Array.from({ length: nSites }, (_, index) => `${index}.example`),
      networks: [NONE, DELAYED],
      repetitions,
    });
  // 2 stacks against the baseline on 8 sites over 2 networks; 2 / 2^10 x 32 = 0.0625, 2 / 2^11 x 32 = 0.031.
  const said = (table: string) => linesAt(table, /^No single site is decided/);
  approve(t, 'corrected', said(of(10, 8)));
  assert.deepEqual([...said(of(11, 8)), ...said(of(10, 6))], []);
});

test('reports that a run ended before some sites could be decided, and how to decide them', (t) => {
  // The second condition has 6 pairs of each of 8 comparisons, the first 12.
  const { run, observations } = fixtureRun({
    subjects: Array.from({ length: 4 }, (_, index) => `${index}.example`),
    networks: [NONE, DELAYED],
    repetitions: 12,
  });
  const made = observations.filter(
    ({ network, repetition }) => network.name === NONE.name || repetition <= 6,
  );
  const looks = { nLooks: 2, end: 'decided' as const, elapsedMs: 138_000, budgetMs: 300_000 };
  const summary = summarise(run, made);
  const said = (table: string) => linesAt(table, /^8 of the 16 comparisons/);
  approve(t, 'sites-open', [
    ...said(summaryTable({ ...summary, looks })),
    ...said(summaryTable(summary)),
  ]);
});

test('does not suggest omitting the repetitions to a run that stops by a rule', (t) => {
  const looks = { nLooks: 0, end: null, elapsedMs: 0, budgetMs: 60_000 };
  const table = summaryTable({ ...fixtureSummary(ONE_SITE), looks });
  approve(t, 'ended-early', linesAt(table, /comparisons? were decided/));
});

test('gives a site that never loaded no time, no part in the pooled line, and a note that names it', (t) => {
  const table = tableOf({
    subjects: ['a.example', 'never.example'],
    networks: [NONE],
    repetitions: 8,
    change: (load) => {
      if (load.subject === 'never.example') spoil(load, 'failed', 'timeout', 'No load event.');
    },
  });
  approve(t, 'never-loaded', table.split('\n\n').slice(0, 3).join('\n').split('\n'));
});

test('counts excluded loads by reason', (t) => {
  const table = tableOf({
    change: (load) => {
      if (load.order === 7) spoil(load, 'failed', 'timeout', 'No load event within 30 s.');
    },
  });
  approve(t, 'left-out', linesAt(table, /failed:/));
  assert.match(table, /\(2\/3\)/);
});

test('counts warm-ups that failed next to the loads, and alone if all loads were ok', (t) => {
  const spoiled = (also: number) =>
    tableOf({
      change: (load) => {
        if (load.warmup || load.order === also) spoil(load, 'invalid', 'path-disturbed', 'It was.');
      },
    });
  approve(
    t,
    'warm-ups',
    [spoiled(0), spoiled(7)].flatMap((table) => linesAt(table, /invalid:/)),
  );
});

test('strips terminal control from names, and keeps the table intact with long ones', () => {
  const networks = [NONE, { ...DELAYED, name: '\u001b[2Jn' }];
  const table = tableOf({ subjects: ['\u001b[2Jx\r', 'y'.repeat(100)], networks });
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not come out.
  assert.doesNotMatch(table, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
  assert.match(table, /\n\?\[2Jx\? /);
  assert.match(table, /\ny{39}… /);
});

test('does not call pages generated that are not', () => {
  const made = fixtureRun({ networks: [NONE] });
  for (const subject of made.run.subjects) subject.kind = 'recorded';
  const table = summaryTable(summaryOf(made));
  assert.match(table, /\nwww\.iana\.org {2,}/);
  assert.doesNotMatch(table, /generated/);
});

test('prints no table without loads, so that the failure is visible', () => {
  const { run } = fixtureRun();
  assert.equal(summaryTable(summarise(run, [])), 'No load was measured.\n');
});

test("wraps sentences between words at the terminal's width, and never tables", () => {
  const summary = fixtureSummary({ networks: [NONE], repetitions: 8 });
  const whole = summaryTable(summary);
  const broken = summaryTable(summary, 60);
  assert.equal(broken.replaceAll(/\s+/g, ' '), whole.replaceAll(/\s+/g, ' '));
  const isOfTable = (line: string) => /│|◄|●/.test(line);
  assert.deepEqual(broken.split('\n').filter(isOfTable), whole.split('\n').filter(isOfTable));
  for (const line of broken.split('\n').filter((each) => !isOfTable(each))) {
    assert.ok(line.length <= 60, line);
  }
});

test('shows the first of many sites, and their number', () => {
  const subjects = Array.from({ length: 45 }, (_, index) => `h${index}.test`);
  const { run, observations } = fixtureRun({ networks: [NONE], repetitions: 2 });
  const [subject] = run.subjects;
  assert.ok(subject);
  const many = subjects.flatMap((name) =>
    observations
      .filter((each) => each.subject === subject.subject)
      .map((each) => ({ ...each, id: `${name}${each.id}`, subject: name })),
  );
  const table = summaryTable(
    summarise(
      {
        ...run,
        subjects: subjects.map((name) => ({ ...subject, subject: name })),
        trials: many.map((load) => ({ ...load, networkSeed: 1 })),
      },
      many,
    ),
  );
  assert.match(table, /^h39\.test/m);
  assert.doesNotMatch(table, /^h40\.test/m);
  assert.match(table, /^5 more in the report/m);
  assert.match(table, /45 together/);
});

test('shows the effect of conditions in a line per stack and one per pair of stacks', (t) => {
  const table = tableOf({
    networks: [NONE],
    visits: ['cold', 'resumed'],
    repetitions: 8,
    change: (load) => {
      const gain = load.arm === 'lsquic-h3' ? 0.7 : 0.9;
      const factor = load.factors.visit === 'resumed' ? gain : 1;
      load.metrics.pageLoadMs = factor * (300 + (load.order % 5));
    },
  });
  const [, changes = ''] = table.split(/\n(?=Resumed visit against first visit)/);
  approve(t, 'visits', changes.split('\n\n')[0]?.split('\n') ?? []);
  assert.doesNotMatch(tableOf({ networks: [NONE, DELAYED] }), / against /);
});
