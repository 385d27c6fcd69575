import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CheckGroup, CheckResult } from '../../../../ground/host/check.ts';
import { assertEach } from '../../../../test/unit/assert-each.ts';
import { examine } from '../../command.ts';
import { resultText, verdictText } from '../../screen.ts';

const PLAIN = { widthColumns: 60, colours: false };
const OK: CheckResult = { name: 'Bun', status: 'ok', found: '1.4.5' };
const NOTE: CheckResult = { name: 'netem', status: 'note', found: 'not in this kernel' };
const LACK: CheckResult = {
  name: 'Chromium',
  status: 'lack',
  found: 'no program of that name was found in any of the usual places',
  remedy: 'Run: npm run setup (it finds or installs one)',
};

test('shows status, name and finding in a row', () => {
  assert.equal(resultText(OK, PLAIN), '  ok    Bun                 1.4.5');
});

test('continues long text below itself, followed by the remedy with an arrow', () => {
  const lines = resultText(LACK, PLAIN).split('\n');
  assert.deepEqual(lines, [
    '  lack  Chromium            no program of that name was',
    '                            found in any of the usual places',
    '                            -> Run: npm run setup (it finds',
    '                               or installs one)',
  ]);
  for (const line of lines) assert.ok(line.length <= 60, line);
});

test('has readable columns in a narrow terminal', () => {
  const lines = resultText(LACK, { widthColumns: 20, colours: false }).split('\n');
  assert.ok(lines.length < 8);
});

test('colours only the status, and only if colours are wanted', () => {
  assert.ok(!resultText(LACK, PLAIN).includes('\u001B'));
  const coloured = resultText(LACK, { ...PLAIN, colours: true });
  assert.ok(coloured.startsWith('  \u001B[31mlack  \u001B[0mChromium'));
});

test('states in the verdict whether the benchmark can run, and what prevents it', () => {
  assert.equal(verdictText([OK]), 'This machine can run the benchmark.');
  assert.equal(verdictText([OK, NOTE]), 'This machine can run the benchmark (1 note above).');
  assert.match(
    verdictText([OK, LACK, NOTE]),
    /cannot run the benchmark yet; it lacks: Chromium\.$/,
  );
});

test('shows every check under its heading, also after one that fails', async () => {
  const shown: string[] = [];
  const fail = () => {
    throw new Error('broken');
  };
  const groups: CheckGroup[] = [
    { title: 'First', checks: [{ name: 'one', run: fail }] },
    { title: 'Second', checks: [{ name: 'two', run: () => ({ status: 'ok', found: 'fine' }) }] },
  ];
  const results = await examine(groups, (text) => shown.push(text), PLAIN);
  assertEach(results, ({ name, status }) => [name, status], [
    ['one', 'note'],
    ['two', 'ok'],
  ]);
  assert.equal(shown[0], 'First');
  assert.equal(shown[2], 'Second');
  assert.match(shown.at(-1) ?? '', /can run the benchmark/);
});

test('strips terminal control from findings, and keeps its own colours', () => {
  const foreign = 'h3="\u009b2J"\u001b]0;x\u0007 ::error::x \u202e';
  const text = resultText(
    { ...LACK, name: foreign, found: foreign, remedy: foreign },
    { widthColumns: 100, colours: true },
  );
  const plain = text.replace('\u001b[31m', '').replace('\u001b[0m', '');
  assert.equal(plain.length, text.length - 9);
  for (const line of plain.split('\n')) assert.doesNotMatch(line, /[\p{Cc}\p{Cf}]|^\s*::/u);
});
