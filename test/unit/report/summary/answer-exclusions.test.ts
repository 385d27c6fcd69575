import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PageLoad } from '../../../../experiments/page-load/details.ts';
import { findingsOfRun } from '../../../../report/findings/findings.ts';
import { markdownOf } from '../../../../report/findings/markdown.ts';
import { summaryCsv } from '../../../../report/summary/csv.ts';
import { summaryTable } from '../../../../report/terminal.ts';
import { DELAYED, fixtureRun, NONE, spoil } from '../fixture-run.ts';
import { documentOf, summaryOf as summaryOfRun } from '../reported.ts';

const BLOCKS = 12;

/** Results of the two stacks' loads in the first blocks. */
type Spoilt = Partial<Record<'lsquic-h3' | 'bun-h2', (block: number) => boolean>>;

/** One site on which lsquic takes 0.8 of Bun's time, with some noise. */
function runOf(
  spoilt: Spoilt,
  how: (load: PageLoad) => void = (load) => spoil(load, 'invalid', 'resumed', 'had a ticket'),
  networks = [NONE],
) {
  return fixtureRun({
    subjects: ['a.example'],
    networks,
    repetitions: BLOCKS,
    change: (load) => {
      const factor = load.arm === 'lsquic-h3' ? 0.8 : 1;
      load.metrics.pageLoadMs = 300 * factor * (1 + 0.01 * Math.sin(load.order * 78.233));
      if (!load.warmup && spoilt[load.arm as keyof Spoilt]?.(load.block)) how(load);
    },
  });
}

const summaryOf = (...of: Parameters<typeof runOf>) => summaryOfRun(runOf(...of));

function answerOf(...of: Parameters<typeof runOf>) {
  const [answer] = summaryOf(...of).primary;
  assert.ok(answer);
  return answer;
}

const first = (count: number) => (block: number) => block <= count;
const all = first(BLOCKS);

test('counts every exclusion, and no values or loads that were never planned', () => {
  const excluding: [string, (load: PageLoad) => void][] = [
    ['resumed', (load) => spoil(load, 'invalid', 'resumed', '')],
    ['handshakes-unknown', (load) => spoil(load, 'invalid', 'handshakes-unknown', '')],
    ['machine-stalled', (load) => spoil(load, 'invalid', 'machine-stalled', '')],
    ['network-failed', (load) => spoil(load, 'failed', 'network-failed', '')],
    ['given-up-broken', (load) => spoil(load, 'failed', 'given-up-broken', '')],
    ['no page load time', (load) => Object.assign(load.metrics, { pageLoadMs: null })],
  ];
  for (const [code, how] of excluding) {
    const { exclusions, nPairs, notes } = answerOf({ 'bun-h2': first(2) }, how);
    assert.deepEqual(exclusions?.nExcluded, { arm: 0, baseline: 2 }, code);
    assert.equal(nPairs, BLOCKS - 2, code);
    assert.ok(notes.join(' ').includes(`2 of 12 loads of Bun (h2) (${code} 2)`), code);
  }
  for (const [outcome, code] of [
    ['failed', 'timeout'],
    ['invalid', 'request-failed'],
    ['unsupported', 'udp-blocked'],
  ] as const) {
    const { exclusions } = answerOf({ 'bun-h2': first(2) }, (load) =>
      spoil(load, outcome, code, ''),
    );
    assert.equal(exclusions, null, code);
  }
  assert.equal(answerOf({}).exclusions, null);
});

test('calls exclusions of one side lopsided once chance cannot explain them, and not those of both', () => {
  const lopsided = (spoilt: Spoilt) => answerOf(spoilt).exclusions?.warning != null;
  assert.equal(lopsided({ 'bun-h2': first(4) }), false);
  assert.equal(lopsided({ 'bun-h2': first(5) }), true);
  assert.equal(lopsided({ 'lsquic-h3': first(5) }), true);
  assert.equal(lopsided({ 'lsquic-h3': all, 'bun-h2': all }), false);
  assert.equal(lopsided({ 'lsquic-h3': first(5), 'bun-h2': (block) => block > 7 }), false);
  // Blocks in which both are excluded do not count.
  assert.equal(lopsided({ 'lsquic-h3': first(4), 'bun-h2': first(9) }), true);
  const { nAlone, p } = answerOf({ 'bun-h2': first(5) }).exclusions ?? {};
  assert.deepEqual([nAlone, p], [{ arm: 0, baseline: 5 }, 0.0625]);
});

test('compares failures with chance in the same way', () => {
  const fail = (load: PageLoad) => spoil(load, 'failed', 'timeout', 'late');
  const notes = (spoilt: Spoilt) => answerOf(spoilt, fail).notes.join(' ');
  assert.equal(notes({ 'lsquic-h3': first(4) }), '');
  assert.match(
    notes({ 'lsquic-h3': first(5) }),
    /^lsquic \(h3\) alone failed in 5 blocks and Bun \(h2\) alone in 0, more than chance/,
  );
  assert.equal(notes({ 'lsquic-h3': first(6), 'bun-h2': first(6) }), '');
});

test('treats excluded loads as failures when it ranks them slowest', () => {
  for (const arm of ['lsquic-h3', 'bun-h2'] as const) {
    for (const count of [1, 3, 5, 9, BLOCKS]) {
      const spoilt = { [arm]: first(count) };
      const { asSlowest } = answerOf(spoilt).exclusions ?? {};
      const failed = answerOf(spoilt, (load) => spoil(load, 'failed', 'timeout', 'late'));
      const { ratio, verdict } = failed;
      assert.deepEqual(asSlowest?.ratio, ratio, `${arm} ${count}`);
      if (ratio !== null) assert.equal(asSlowest?.verdict, verdict, `${arm} ${count}`);
    }
  }
  // Exclusions that could only make the answer clearer do not change it, in any number.
  for (const count of [1, 5, 9, BLOCKS]) {
    const { asSlowest } = answerOf({ 'bun-h2': first(count) }).exclusions ?? {};
    assert.equal(asSlowest?.verdict, 'faster', String(count));
  }
  const { verdict, exclusions, notes } = answerOf({ 'lsquic-h3': first(5) });
  assert.deepEqual([verdict, exclusions?.asSlowest.verdict], ['faster', 'undecided']);
  assert.match(notes.join('\n'), /the verdict would be undecided, not faster\.$/m);
});

test('reports measured values and conclusions if every load of a stack is excluded', () => {
  const one = answerOf({ 'lsquic-h3': all });
  assert.deepEqual([one.nPairs, one.verdict, one.ratio], [0, 'undecided', null]);
  assert.match(
    one.notes.join(' '),
    /Excluded: 12 of 12 loads of lsquic \(h3\) \(resumed 12\), 0 of 12 loads of Bun \(h2\)\. No load of lsquic \(h3\) counts.* would be slower, not undecided\./,
  );
  assert.equal(one.exclusions?.asSlowest.verdict, 'slower');
  const both = answerOf({ 'lsquic-h3': all, 'bun-h2': all });
  assert.equal(both.exclusions?.asSlowest.verdict, 'undecided');
  assert.match(
    both.notes.join(' '),
    /No load of lsquic \(h3\) counts.*No load of Bun \(h2\) counts/,
  );
});

test('warns of exclusions that are lopsided over all conditions but not in any single one', () => {
  const networks = [NONE, DELAYED];
  const few = summaryOf({ 'bun-h2': first(3) }, undefined, networks);
  assert.deepEqual(
    few.primary.map(({ exclusions }) => exclusions?.warning),
    [null, null, null, null],
  );
  assert.match(
    few.warnings.join('\n'),
    /Over all conditions: lsquic \(h3\) alone has an excluded load in 0 blocks and Bun \(h2\) alone in 6/,
  );
  assert.deepEqual(summaryOf({ 'bun-h2': first(2) }, undefined, networks).warnings, []);
  assert.deepEqual(summaryOf({ 'bun-h2': first(9) }).warnings, []);
});

test('shows warning and sensitivity next to the verdict in the terminal, the findings and the table', () => {
  const summary = summaryOf({ 'bun-h2': first(5) });
  const { exclusions, notes = [] } = summary.primary[0] ?? {};
  assert.ok(exclusions && notes.some((note) => note.startsWith('Excluded: ')));
  assert.match(notes[0] ?? '', /more than chance/);
  const flat = (text: string) => text.replace(/\\/g, '');
  const findings = findingsOfRun(summary, null, 'report.html');
  const shown = [summaryTable(summary), flat(markdownOf({ findings, problem: null }, 60_000))];
  for (const text of shown) {
    for (const note of notes) assert.ok(text.includes(note), note);
  }
  const [head = '', ...lines] = summaryCsv(summary).trimEnd().split('\n');
  assert.ok(head.includes(',exclusions_p,exclusions_warning,verdict_excluded_slowest,'));
  const cells = `,0.0625,"${exclusions.warning}",${exclusions.asSlowest.verdict},`;
  assert.equal(lines.filter((line) => line.includes(cells)).length, 1, lines.join('\n'));
});

test('shows them next to the verdict in the report, also without any comparison', async () => {
  for (const count of [5, BLOCKS]) {
    const made = runOf({ 'bun-h2': first(count) });
    const summary = summaryOfRun(made);
    const document = await documentOf(made);
    const shown = document.getElementById('answer')?.closest('section')?.textContent ?? '';
    const notes = summary.primary[0]?.notes ?? [];
    assert.ok(notes.length >= 2);
    const plain = (text: string) => text.replace(/\s/g, ' ');
    for (const note of notes) assert.ok(plain(shown).includes(plain(note)), note);
  }
});
