import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { csvLine, csvText } from '../../../../ground/records/csv-line.ts';

const BEGINNINGS = ['=', '+', '-', '@', '＝', '＋', '－', '＠', '−', '\t', '\r', '\n'];
const BEFORE = ['', ' ', '\u00a0', '\u200b', '\ufeff', '  \t', "'", "''"];

const FORMULAS = BEGINNINGS.flatMap((first) =>
  BEFORE.map((before) => `${before}${first}HYPERLINK("http://a.test";1)`),
);

test('writes no text of a table as a formula, and reads back what it wrote', () => {
  for (const text of FORMULAS) {
    const [[field = ''] = []] = parse(csvLine([text, 'x']), { relax_column_count: true });
    assert.match(field, /^'/, JSON.stringify(text));
    assert.equal(csvText(field), text);
  }
});

test('keeps numbers, as texts too, and writes other texts unchanged', () => {
  const numbers = ['-1.5', '+2', '-1e-7', '12.000'];
  for (const text of [...numbers, 'a=b', "it's", "'a'", '–', '', '::1', 'h3=":443"']) {
    const [[field = ''] = []] = parse(csvLine([text, 'x']));
    assert.equal(field, text);
    assert.equal(csvText(field), text);
  }
  assert.equal(csvLine([-1.23456, null, '-0.5']), '-1.235,,-0.5');
  assert.equal(csvLine(['a;b', '=c'], ';'), `"a;b";'=c`);
});
