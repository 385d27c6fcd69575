import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseHTML } from 'linkedom';
import { reportPage } from '../../../../report/sections/index.ts';
import { summarise } from '../../../../report/summary/summary.ts';
import { stackNamed } from '../../../../servers/index.ts';
import { type Fixture, fixtureRun } from '../fixture-run.ts';

async function pageOf({ run, observations, calibrations }: Fixture): Promise<string> {
  return await reportPage(run, summarise(run, observations, calibrations), observations);
}

/** The words of the section "What was compared". */
async function comparedWords(fixture: Fixture): Promise<string> {
  const { document } = parseHTML(await pageOf(fixture));
  const section = document.getElementById('compared')?.closest('section, details');
  return (section?.textContent ?? '').replace(/\s+/g, ' ');
}

test('a run with a stack that this version does not have is reported under its label', async () => {
  const text = JSON.stringify(fixtureRun())
    .replaceAll('flask-h1', 'nginx-h3')
    .replaceAll('Flask (http/1.1)', 'nginx (h3)');
  const words = await comparedWords(JSON.parse(text));
  assert.match(words, /nginx \(h3\)\. The stack nginx-h3\./);
  assert.ok(words.includes(stackNamed('lsquic-h3')?.note ?? 'a note'), words);
});

test('the stacks that sent the document as it was saved are named', async () => {
  const fixture = fixtureRun();
  fixture.run.choices.document = 'as-saved';
  assert.match(await comparedWords(fixture), /same document: some sent it as wget/);
  const able = stackNamed('flask-dev');
  Object.assign(fixture.run.arms[2] ?? {}, { label: able?.label });
  const text = JSON.stringify(fixture).replaceAll('flask-h1', 'flask-dev');
  assert.ok((await comparedWords(JSON.parse(text))).includes(`${able?.label} sent it as wget`));
});

test('a run whose stacks are not all compared with the same says of each with what', async () => {
  const fixture = fixtureRun();
  Object.assign(fixture.run.arms[2] ?? {}, { comparedWith: 'lsquic-h3' });
  const words = await comparedWords(fixture);
  const pair = 'Flask (http/1.1) against lsquic (h3)';
  assert.ok(words.includes(`lsquic (h3) against Bun (h2); ${pair}`), words);
  const page = await pageOf(fixture);
  const { document } = parseHTML(page);
  const headings = [...document.querySelectorAll('.sites th[colspan="3"], .why th.edge')];
  const texts = new Set(headings.map(({ textContent }) => textContent));
  assert.deepEqual([...texts], ['lsquic (h3) against Bun (h2)', pair]);
  assert.match(
    document.querySelector('.sites caption')?.textContent ?? '',
    /the stack it is compared with/,
  );
  const legends = [...document.querySelectorAll('.legend li')].map(
    ({ textContent }) => textContent,
  );
  assert.ok(legends.includes(pair), legends.join());
  assert.doesNotMatch(page, /Flask \(http\/1\.1\)<\/bdi> (against|−|to) <bdi>Bun/);
  // Where all are compared with the same it goes without saying.
  assert.doesNotMatch(await pageOf(fixtureRun()), /the stack it is compared with/);
});
