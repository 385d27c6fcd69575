import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { summaryCsv } from '../../../report/summary/csv.ts';
import { summaryTable } from '../../../report/terminal.ts';
import { answerText } from '../../../report/text/answers.ts';
import { writeReport } from '../../../report/write.ts';
import { withTemporaryFolder } from '../../temporary-folder.ts';
import { wordsOf } from '../approve.ts';
import { run } from '../runner/example-run.ts';
import { exampleDraws } from './example-draws.ts';
import { DELAYED, NONE, spoil } from './fixture-run.ts';
import { documentOf, summaryOf } from './reported.ts';

const SITES = ['a.example', 'b.example', 'c.example'];

/** Rates of 10 and 8 Mbit/s, and of a third stack that fails once on each site. */
function rates() {
  return exampleDraws('drawnKbps', {
    subjects: SITES,
    networks: [NONE, DELAYED],
    repetitions: 12,
    change: (load) => {
      const noise = 1 + 0.02 * Math.sin(load.order * 78.233);
      load.metrics.pageLoadMs = noise * (load.arm === 'lsquic-h3' ? 80 : 100);
      if (load.arm === 'flask-h1' && load.repetition === 3) {
        spoil(load, 'failed', 'timeout', 'No end.');
      }
    },
  });
}

test("states a rate's difference in its unit, and how failures count", () => {
  const summary = summaryOf(rates());
  const sentences = summary.primary.map((each) => answerText(each, summary));
  assert.equal(
    sentences[0],
    'lsquic (h3) is 25 % faster than Bun (h2) in drawn rate on these 3 sites (24 to 27 % faster): 2.04 Mbit/s more on average (1.91 Mbit/s to 2.17 Mbit/s).',
  );
  assert.match(
    sentences[1] ?? '',
    /Failures count as slower than all that ended \(failures: 3 of Flask/,
  );
  for (const sentence of sentences) assert.doesNotMatch(sentence, /\bms (saved|lost)\b|times/);
});

test('shows rates with their unit, and the better one at the right, in a terminal', () => {
  const table = summaryTable(summaryOf(rates()));
  assert.match(table, /site +◄ less +1 +more ► +verdict +lsquic \(h3\) +Bun \(h2\)/);
  const line = table.split('\n').find((each) => /^a\.example/.test(each)) ?? '';
  assert.match(line, /│ +─●── +faster +10\.1 Mbit\/s +7\.90 Mbit\/s$/);
});

test("shows a rate's unit in table columns, and the share of pairs with more", () => {
  const [head = '', ...lines] = summaryCsv(summaryOf(rates())).trim().split('\n');
  const columns = head.split(',');
  for (const column of ['drawn_rate_median_kbps', 'difference_kbps', 'difference_high_kbps']) {
    assert.ok(columns.includes(column), column);
  }
  assert.ok(!columns.includes('difference_ms'));
  const of = (line: string, column: string) => line.split(',')[columns.indexOf(column)];
  const ahead = lines.find((line) => line.startsWith('a.example,lsquic-h3,0,')) ?? '';
  assert.ok(Number(of(ahead, 'difference_kbps')) > 1500);
  assert.ok(Number(of(ahead, 'ratio')) > 1);
  assert.equal(of(ahead, 'faster_in_percent'), '100');
  assert.equal(of(ahead, 'verdict'), 'faster');
});

test('draws, heads and explains rates on the page as rates', async () => {
  const document = await documentOf(rates());
  const answer = document.querySelector('.answer');
  // The sign of the better one points to the side with more.
  assert.match(wordsOf(answer?.querySelector('.verdict-faster')), /► faster/);
  assert.match(wordsOf(answer?.querySelector('.pictured svg')), /◄ lower.*higher ►/);
  assert.match(
    wordsOf(answer?.querySelector('.measures li')),
    /\d+\.\d+ Mbit\/s against \d\.\d\d Mbit\/s \d\.\d\d Mbit\/s more/,
  );
  const charts = document.getElementById('charts')?.closest('section');
  const said = wordsOf(charts);
  assert.match(said, /from zero: longer is faster/);
  assert.match(said, /A line further to the right is faster/);
  assert.match(said, /Mean drawn rate in Mbit\/s/);
  assert.match(said, /Drawn rate in Mbit\/s/);
  assert.match(said, /more, in Mbit\/s ►/);
  assert.match(said, /how much more or less, with zero marked/);
  const sites = wordsOf(document.getElementById('sites')?.closest('section'));
  assert.match(sites, /Drawn rate by site; no added delay\..*a ratio below 1 is less\./);
  assert.match(sites, /\d\.\d+ Mbit\/s/);
  for (const style of document.querySelectorAll('style, script')) style.remove();
  // One part of the charts covers other metrics, times among them.
  for (const part of document.querySelectorAll('details.part'))
    if (/^How other metrics/.test(wordsOf(part))) part.remove();
  for (const id of ['answer', 'sites', 'charts']) {
    const section = wordsOf(document.getElementById(id)?.closest('section') ?? answer);
    assert.doesNotMatch(
      section,
      /\b\d ms\b(?! round-trip)|\bin ms\b|milliseconds|times?\b(?! added)/,
      id,
    );
  }
  // Only times add up from round trips.
  const swept = wordsOf(document.getElementById('sweeps')?.closest('section'));
  assert.match(swept, /Ratio to Bun \(h2\), below 1: slower/);
  assert.doesNotMatch(swept, /Round trips/);
});

test('shows the same share of better pairs in all tables, whichever direction is better', async () => {
  const document = await documentOf(rates());
  const cells = [...document.querySelectorAll('tbody tr')]
    .filter((row) => /^a\.example/.test(wordsOf(row)) && /%/.test(wordsOf(row)))
    .map((row) => wordsOf(row).match(/(\d+) %/)?.[1]);
  assert.ok(cells.includes('100'), `${cells}`);
  assert.ok(!cells.includes('0'), `${cells}`);
});

test('stops and reports a run of the example by its rate, and decides it by its time later', () =>
  withTemporaryFolder(async (folder) => {
    const out = path.join(folder, 'run');
    const words = ['--sites', 'www.example.org', '--stacks', 'lsquic-h3,bun-h2', '--seed', '7'];
    await run([...words, '--rtt', '0', '--metric', 'drawn-rate', '--out', out]);
    const rate = await writeReport(out);
    assert.equal(rate.looks?.end, 'decided');
    const [answer] = rate.primary;
    assert.equal(answer?.verdict, 'faster');
    assert.ok(
      answer.ratio && Math.abs(answer.ratio.estimate - 1.25) < 0.05,
      `${answer.ratio?.estimate}`,
    );
    const time = await writeReport(out, { choice: { metric: 'drawn' } });
    const [again] = time.primary;
    assert.equal(again?.verdict, 'faster');
    assert.ok(again.ratio && Math.abs(again.ratio.estimate * answer.ratio.estimate - 1) < 1e-9);
  }));
