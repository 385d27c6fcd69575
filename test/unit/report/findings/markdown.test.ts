import assert from 'node:assert/strict';
import { test } from 'node:test';
import { markdownOf } from '../../../../report/findings/markdown.ts';
import { approve } from '../../approve.ts';
import { NONE, spoil } from '../fixture-run.ts';
import { findingsFor } from './findings-for.ts';

const RULE = 'lsquic-h3 slower than bun-h2 by 5%';
const MOST_BYTES = 1_000_000;

const markdown = (...words: Parameters<typeof findingsFor>) =>
  markdownOf({ findings: findingsFor(...words), problem: null }, MOST_BYTES);

test('begins with the rule, then each answer with its sites, then caveats, then the path of the report', (t) => {
  approve(t, 'run', [markdown(RULE, 1.2, { networks: [NONE] })]);
});

test('reports a broken or undecided rule, with the number of its conditions', () => {
  assert.match(
    markdown(RULE, 0.9),
    /\*\*Passed\*\*: `.*` is not met under any condition\.\n(?:.|\n)*\*\*The rule is not met\.\*\*/,
  );
  assert.match(
    markdown(RULE, 1.05),
    /\*\*Undecided\*\*, which is not a pass \(exit status 8\): whether `.*` holds is not known, under 2 of 2 conditions/,
  );
  assert.doesNotMatch(markdown(null, 1.2), /rule|Failed|Passed/i);
});

test('includes the end of the command and the failed loads', () => {
  const text = markdownOf(
    {
      findings: findingsFor(null, 1.2, {
        change: (load) => spoil(load, 'failed', 'timeout', 'No load event within 30 s.'),
      }),
      problem: 'Interrupted (SIGINT).',
    },
    MOST_BYTES,
  );
  assert.match(text, /\n\*\*Not finished\.\*\* Interrupted \(SIGINT\)\.\n/);
  assert.match(text, /\n- 96 loads and \d+ warm-ups failed: timeout \(first: a\.example, /);
});

test('renders no name or message as markup, a link, a line or a cell of its own', () => {
  const hostile = 'a|b`<b>*_[x](https://evil.example)\nwww.evil.example\\';
  const text = markdown(RULE, 1.2, {
    subjects: [hostile, 'b.example'],
    networks: [NONE],
    change: (load) => {
      if (load.subject === 'b.example') spoil(load, 'failed', 'timeout', hostile);
    },
  });
  const escaped = 'a\\|b\\`\\<b\\>\\*\\_\\[x\\](https&#58;//evil.example)?www&#46;evil.example\\\\';
  assert.ok(text.includes(`\n| ${escaped} (generated) | 1.20 `), text);
  assert.ok(!text.includes('<b>'));
  assert.ok(!text.includes('https://evil'));
});

test('never exceeds its limit: ends with a whole line, and states that there is more', () => {
  const findings = findingsFor(RULE, 1.2);
  const whole = markdownOf({ findings, problem: null }, MOST_BYTES);
  const lines = new Set(whole.split('\n'));
  for (const mostBytes of [0, 40, 60, 200, 777, 1500, Buffer.byteLength(whole) - 1]) {
    const text = markdownOf({ findings, problem: null }, mostBytes);
    assert.ok(Buffer.byteLength(text) <= mostBytes);
    if (mostBytes >= 60) assert.match(text, /\nThe rest does not fit here; the report has it\.\n$/);
    const kept = text.replace(/\nThe rest does not fit.*\n$/, '');
    assert.ok(
      kept.split('\n').every((line) => lines.has(line)),
      kept,
    );
  }
  assert.equal(markdownOf({ findings, problem: null }, Buffer.byteLength(whole)), whole);
});
