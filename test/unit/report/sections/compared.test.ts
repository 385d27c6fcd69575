import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseHTML } from 'linkedom';
import { reportPage } from '../../../../report/sections/index.ts';
import { summarise } from '../../../../report/summary/summary.ts';
import { stackNamed } from '../../../../servers/index.ts';
import { type Fixture, fixtureRun } from '../fixture-run.ts';

/** The words of the section "What was compared". */
function comparedWords({ run, observations, calibrations }: Fixture): string {
  const summary = summarise(run, observations, calibrations);
  const { document } = parseHTML(reportPage(run, summary, observations));
  const section = document.getElementById('compared')?.closest('section, details');
  return (section?.textContent ?? '').replace(/\s+/g, ' ');
}

test('a run with a stack that this version does not have is reported under its label', () => {
  const text = JSON.stringify(fixtureRun())
    .replaceAll('flask-h1', 'nginx-h3')
    .replaceAll('Flask (http/1.1)', 'nginx (h3)');
  const words = comparedWords(JSON.parse(text));
  assert.match(words, /nginx \(h3\)\. The stack nginx-h3\./);
  assert.ok(words.includes(stackNamed('lsquic-h3')?.note ?? 'a note'), words);
});

test('the stacks that sent the document as it was saved are named', () => {
  const fixture = fixtureRun();
  fixture.run.choices.document = 'as-saved';
  assert.match(comparedWords(fixture), /same document: some sent it as wget/);
  const able = stackNamed('flask-dev');
  Object.assign(fixture.run.arms[2] ?? {}, { label: able?.label });
  const text = JSON.stringify(fixture).replaceAll('flask-h1', 'flask-dev');
  assert.ok(comparedWords(JSON.parse(text)).includes(`${able?.label} sent it as wget`));
});
