import assert from 'node:assert/strict';
import { test } from 'node:test';
import { summarise } from '../../../report/summary/summary.ts';
import { summaryTable } from '../../../report/terminal.ts';
import { DELAYED, fixtureRun, NONE, spoil } from './fixture-run.ts';

function tableOf(...options: Parameters<typeof fixtureRun>): string {
  const { run, observations } = fixtureRun(...options);
  return summaryTable(summarise(run, observations));
}

test('each answer has a bar, a verdict and both medians of every site, in columns that line up', () => {
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
  const without = 'No largest contentful paint in 16 of 16 loads of';
  assert.equal(
    table,
    `With no added delay, lsquic (h3) is 18 % faster than Bun (h2) on these 2 pages (17 to 19 % faster): 112 ms saved on average (98 to 119).

In first contentful paint, the two are equally fast within the margin of 5 % (no difference). In largest contentful paint, nothing can be said: no pair of loads has it. ${without} lsquic (h3) and 16 of 16 loads of Bun (h2) (the page painted nothing that counts as content): their pairs are left out.

site                            ◄ less time         1         more time ►   verdict   lsquic (h3)     Bun (h2)
www.iana.org (generated)        ─●──                │                       faster        10.1 ms      12.3 ms
www.wikipedia.org (generated)   ─●──                │                       faster     1,012.3 ms   1,234.5 ms
all 2 together                  ─●──                │                       faster

With no added delay, Flask (http/1.1) and Bun (h2) are equally fast on these 2 pages within the margin of 5 % (no difference).

In first contentful paint, the two are equally fast within the margin of 5 % (no difference). In largest contentful paint, nothing can be said: no pair of loads has it. ${without} Flask (http/1.1) and 16 of 16 loads of Bun (h2) (the page painted nothing that counts as content): their pairs are left out.

site                            ◄ less time         1         more time ►   verdict   Flask (http/1.1)     Bun (h2)
www.iana.org (generated)                            ●                       same               12.3 ms      12.3 ms
www.wikipedia.org (generated)                       ●                       same            1,234.5 ms   1,234.5 ms
all 2 together                                      ●                       same

2 of 2 answers were told.
`,
  );
});

test('each condition has its own answers, and a single site no line for all', () => {
  const table = tableOf({ subjects: ['a.example'] });
  assert.equal(table.match(/^With no added delay, /gm)?.length, 2);
  assert.equal(table.match(/^With 30 ms round-trip time added, /gm)?.length, 2);
  assert.equal(table.match(/^a\.example /gm)?.length, 4);
  assert.doesNotMatch(table, /together/);
});

test('the row of a single site says what its answer says, though alone it would tell nothing yet', () => {
  const options: Parameters<typeof fixtureRun>[0] = {
    subjects: ['a.example'],
    networks: [NONE],
    repetitions: 6,
    change: (load) => {
      // Flask's test could pass too, so that each of the two takes a share of the error.
      const usual = { 'lsquic-h3': 80, 'flask-h1': 98.5 }[load.arm];
      load.metrics.pageLoadMs = usual ? usual + (load.repetition % 3) : 100;
    },
  };
  const { run, observations } = fixtureRun(options);
  const { comparisons } = summarise(run, observations);
  assert.equal(comparisons[0]?.verdict, 'cannot tell');
  const table = tableOf(options);
  assert.match(table, /lsquic \(h3\) is 19 % faster/);
  assert.match(table, /\na\.example .* faster /);
});

test('of a site without any ok load the remedy is told', () => {
  const table = tableOf({
    subjects: ['a.example', 'b.example'],
    change: (load) => {
      if (load.subject !== 'b.example') return;
      Object.assign(load, { outcome: 'invalid', code: 'wrong-status', message: 'It is 404.' });
      Object.assign(load.details ?? {}, { blamed: ['https://b.example/x'] });
    },
  });
  assert.match(
    table,
    /\nNo load of b\.example is ok: .* for the same, https:\/\/b\.example\/x\. `npm run sites -- verify b\.example` tells/,
  );
  assert.doesNotMatch(table, /No load of a\.example/);
});

test('with too few pairs nothing can be told, and how to have it told', () => {
  const table = tableOf({ subjects: ['a.example'], networks: [NONE] });
  assert.match(table, /\na\.example .* cannot tell /);
  assert.match(table, /\n0 of 2 answers were told\.\n/);
  assert.match(
    table,
    /\nNothing can be told of a single site: at most 3 pairs of loads for each site and stack, and no test can tell below 6\. Leave --repetitions out, or ask for 12 or more\.\n$/,
  );
});

test('where so many tests are corrected for that no single site can pass, it is said, with the pairs that it takes', () => {
  const of = (repetitions: number, nSites: number) =>
    tableOf({
      subjects: Array.from({ length: nSites }, (_, index) => `${index}.example`),
      networks: [NONE, DELAYED],
      repetitions,
    });
  // 2 stacks against the baseline on 8 sites over 2 networks; 2 / 2^10 x 32 = 0.0625, 2 / 2^11 x 32 = 0.031.
  assert.match(
    of(10, 8),
    /\nNo single site can be told to be better or worse: at most 10 pairs of loads for each site and stack, and corrected for 32 tests none can tell below 11\.\n/,
  );
  assert.doesNotMatch(of(11, 8), /No single site/);
  assert.doesNotMatch(of(10, 6), /No single site/);
});

test('a run that ended before some of its sites could be told says so, and how to have them told', () => {
  // The second condition has 6 pairs of each of 8 comparisons, the first 12.
  const { run, observations } = fixtureRun({
    subjects: Array.from({ length: 4 }, (_, index) => `${index}.example`),
    networks: [NONE, DELAYED],
    repetitions: 12,
  });
  const made = observations.filter(
    ({ network, repetition }) => network.name === NONE.name || repetition <= 6,
  );
  const looks = { nLooks: 2, end: 'told' as const, elapsedMs: 138_000, budgetMs: 300_000 };
  const sentence =
    /\n8 of 16 comparisons of single sites cannot be told to be better or worse: at most 6 pairs of loads each, and corrected for these alone none can tell below 9\.( --repetitions 12, or a larger --budget, measures each one often enough\.)?\n/;
  const summary = summarise(run, made);
  assert.ok(sentence.exec(summaryTable({ ...summary, looks }))?.[1]);
  assert.equal(sentence.exec(summaryTable(summary))?.[1], undefined);
  assert.match(summaryTable(summary), sentence);
});

test('a run that was to go on until it can tell is not told to leave its repetitions out', () => {
  const { run, observations } = fixtureRun({ subjects: ['a.example'], networks: [NONE] });
  const looks = { nLooks: 0, end: null, elapsedMs: 0, budgetMs: 60_000 };
  const table = summaryTable({ ...summarise(run, observations), looks });
  assert.match(
    table,
    /\n0 of 2 answers were told so far: the run ended early\. This report counts as a look, which --resume pays for\.\n/,
  );
  assert.match(table, /and no test can tell below 6\.\n$/);
});

test('a site that never loaded has no time, no part in the line for all, and a note that names it', () => {
  const table = tableOf({
    subjects: ['a.example', 'never.example'],
    networks: [NONE],
    repetitions: 8,
    change: (load) => {
      if (load.subject === 'never.example') spoil(load, 'failed', 'timeout', 'No load event.');
    },
  });
  assert.match(table, / on a\.example .*1 page left out, .*: never\.example\./);
  assert.match(
    table,
    /\nnever\.example \(generated\) +│ +cannot tell +– \(0\/8\) +– \(0\/8\)\n1 of 2 together /,
  );
});

test('loads left out are counted with their reason', () => {
  const table = tableOf({
    change: (load) => {
      if (load.order === 7) spoil(load, 'failed', 'timeout', 'No load event within 30 s.');
    },
  });
  assert.match(
    table,
    /1 load failed: timeout \(first: www\.iana\.org, .*No load event within 30 s\.\)/,
  );
  assert.match(table, /\(2\/3\)/);
});

test('warm-ups that were not ok are counted beside the loads, and by themselves where all loads were', () => {
  const spoiled = (also: number) =>
    tableOf({
      change: (load) => {
        if (load.warmup || load.order === also) spoil(load, 'invalid', 'path-disturbed', 'It was.');
      },
    });
  assert.match(spoiled(0), /\n\d+ warm-ups invalid: path-disturbed/);
  assert.match(spoiled(7), /\n1 load and \d+ warm-ups invalid: path-disturbed/);
});

test('a name cannot steer the terminal and a long one does not break the table', () => {
  const networks = [NONE, { ...DELAYED, name: '\u001b[2Jn' }];
  const table = tableOf({ subjects: ['\u001b[2Jx\r', 'y'.repeat(100)], networks });
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not come out.
  assert.doesNotMatch(table, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
  assert.match(table, /\n\?\[2Jx\? /);
  assert.match(table, /\ny{39}… /);
});

test('pages that are not generated are not said to be', () => {
  const { run, observations } = fixtureRun({ networks: [NONE] });
  for (const subject of run.subjects) subject.kind = 'recorded';
  const table = summaryTable(summarise(run, observations));
  assert.match(table, /\nwww\.iana\.org {2,}/);
  assert.doesNotMatch(table, /generated/);
});

test('without any load there is no table to bury what stopped the run', () => {
  const { run } = fixtureRun();
  assert.equal(summaryTable(summarise(run, [])), 'No load was measured.\n');
});

test('sentences are broken between words at the width of the terminal, tables are not', () => {
  const { run, observations } = fixtureRun({ networks: [NONE], repetitions: 8 });
  const summary = summarise(run, observations);
  const whole = summaryTable(summary);
  const broken = summaryTable(summary, 60);
  assert.equal(broken.replaceAll(/\s+/g, ' '), whole.replaceAll(/\s+/g, ' '));
  const isOfTable = (line: string) => /│|◄|●/.test(line);
  assert.deepEqual(broken.split('\n').filter(isOfTable), whole.split('\n').filter(isOfTable));
  for (const line of broken.split('\n').filter((each) => !isOfTable(each))) {
    assert.ok(line.length <= 60, line);
  }
});

test('of many sites the first are shown, and how many there are', () => {
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
        trials: many.map(
          ({ id, subject: own, arm, network, repetition, block, warmup, factors }) => ({
            ...{ id, subject: own, arm, network, repetition, block, warmup, factors },
            networkSeed: 1,
          }),
        ),
      },
      many,
    ),
  );
  assert.match(table, /^h39\.test/m);
  assert.doesNotMatch(table, /^h40\.test/m);
  assert.match(table, /^5 more in the report/m);
  assert.match(table, /45 together/);
});

test('what conditions change has a line for each stack, and one for each pair of stacks', () => {
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
  const [, changes = ''] = table.split('Resumed visit against first visit, with no added delay:\n');
  const [, ...lines] = changes.split('\n\n')[0]?.split('\n') ?? [];
  assert.deepEqual(
    lines.map((line) =>
      line
        .replace(/ [◄─●┼│]+ /u, ' ')
        .replace(/ {2,}/g, ' ')
        .replace(/ms .*/, 'ms'),
    ),
    [
      'lsquic (h3) │ 0.70 faster 91 ms',
      'Bun (h2) │ 0.90 faster 30 ms',
      'Flask (http/1.1) │ 0.90 faster 30 ms',
      'lsquic (h3) against Bun (h2) │ 0.78 better 61 ms',
      'Flask (http/1.1) against Bun (h2) 1.000 same 0.2 ms',
    ],
  );
  assert.doesNotMatch(tableOf({ networks: [NONE, DELAYED] }), / against /);
});
