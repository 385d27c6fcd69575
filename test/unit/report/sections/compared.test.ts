import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageLoad } from '../../../../experiments/page-load/experiment.ts';
import { stackNamed } from '../../../../experiments/stacks.ts';
import { wordsOf } from '../../approve.ts';
import { MADE_UP_H1 } from '../../servers/made-up-stacks.ts';
import { type Fixture, fixtureRun } from '../fixture-run.ts';
import { documentOf } from '../reported.ts';

/** The words of the section "What was compared". */
async function comparedWords(fixture: Fixture): Promise<string> {
  const document = await documentOf(fixture);
  return wordsOf(document.getElementById('compared')?.closest('section, details'));
}

test('reports a run with an unknown stack under its label', async () => {
  const text = JSON.stringify(fixtureRun())
    .replaceAll('flask-h1', 'nginx-h3')
    .replaceAll('Flask (http/1.1)', 'nginx (h3)');
  const words = await comparedWords(JSON.parse(text));
  assert.match(words, /nginx \(h3\)\. The stack nginx-h3\./);
  assert.ok(words.includes(stackNamed('lsquic-h3')?.note ?? 'a note'), words);
});

test('attributes a difference to two versions of one stack, and to programs of one protocol', async () => {
  const text = JSON.stringify(fixtureRun()).replaceAll('bun-h2', 'lsquic-h3@1.2.3');
  const fixture: Fixture = JSON.parse(text);
  for (const arm of fixture.run.arms) {
    if (arm.arm === 'lsquic-h3@1.2.3') Object.assign(arm, { protocol: 'h3', label: 'Other' });
  }
  const words = await comparedWords(fixture);
  assert.match(words, /lsquic \(h3\) against Other, two versions of one stack\./);
  assert.match(words, /two versions of one stack\..*(the versions\.|the versions without these\.)/);
});

test('names the browser of each stack, and attributes a difference to two of them', async () => {
  const fixture = fixtureRun({ browser: 'beta' });
  fixture.run.versions.beta = '157.0.1.2';
  const words = await comparedWords(fixture);
  assert.match(words, /lsquic \(h3\)\. Loaded by chromium 156\.0\.7000\.1\./);
  assert.match(words, /lsquic \(h3\) in beta\. Loaded by beta 157\.0\.1\.2\. HTTP\/3 over QUIC/);
  assert.match(words, /lsquic \(h3\) in beta against Bun \(h2\) in beta, one server program/);
  assert.match(words, /Bun \(h2\) in beta against Bun \(h2\), one stack in two browsers\./);
  assert.doesNotMatch(await comparedWords(fixtureRun()), /Loaded by/);
});

test('names the stacks that sent the document as it was saved', async (t) => {
  const fixture = fixtureRun();
  fixture.run.choices.document = 'as-saved';
  assert.match(await comparedWords(fixture), /same document: some sent it as wget/);
  Object.assign(fixture.run.arms[2] ?? {}, { label: MADE_UP_H1.label });
  const text = JSON.stringify(fixture).replaceAll('flask-h1', MADE_UP_H1.stack);
  pageLoad.stacks = [MADE_UP_H1];
  t.after(() => {
    delete pageLoad.stacks;
  });
  assert.ok(
    (await comparedWords(JSON.parse(text))).includes(`${MADE_UP_H1.label} sent it as wget`),
  );
});

test("names each stack's baseline in a run with several", async () => {
  const fixture = fixtureRun();
  Object.assign(fixture.run.arms[2] ?? {}, { comparedWith: 'lsquic-h3' });
  const words = await comparedWords(fixture);
  const pair = 'Flask (http/1.1) against lsquic (h3)';
  assert.ok(words.includes(`lsquic (h3) against Bun (h2); ${pair}`), words);
  const document = await documentOf(fixture);
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
  assert.doesNotMatch(wordsOf(document.body), /Flask \(http\/1\.1\) (against|−|to) Bun/);
  // A common baseline needs no mention.
  const usual = await documentOf(fixtureRun());
  assert.doesNotMatch(wordsOf(usual.body), /the stack it is compared with/);
});
