import assert from 'node:assert/strict';
import { test } from 'node:test';
import { approve, outlineOf, wordsOf } from '../../approve.ts';
import { DELAYED, type FixtureOptions, fixtureRun, NONE, spoil } from '../fixture-run.ts';
import { documentOf } from '../reported.ts';

async function pageOf(
  options: FixtureOptions,
  change: (fixture: ReturnType<typeof fixtureRun>) => void = () => {},
) {
  const fixture = fixtureRun({
    networks: [DELAYED],
    visits: ['cold', 'resumed'],
    repetitions: 8,
    ...options,
  });
  change(fixture);
  const document = await documentOf(fixture);
  const section = document.getElementById('conditions')?.closest('section') ?? null;
  return { document, section, text: wordsOf(section) };
}

const BLOCKED = {
  ...DELAYED,
  name: 'udp-blocked',
  udp: { treatment: 'blocked', kbps: null } as const,
};

test('shows the effect of a visit behind the answer: a sentence and a row of the chart for each stack', async (t) => {
  const { document, section } = await pageOf({
    change: (load) => {
      const factor = load.factors.visit === 'resumed' ? 0.8 : 1;
      load.metrics.pageLoadMs = factor * (300 + (load.order % 7));
    },
  });
  assert.equal(wordsOf(section?.querySelector('h2')), 'What the visit changes');
  assert.match(wordsOf(document.querySelector('nav')), /What the visit changes/);
  const ids = [...document.querySelectorAll('h2')].map(({ id }) => id);
  assert.ok(ids.indexOf('conditions') < ids.indexOf('sites'));
  approve(t, 'visit', outlineOf(section));
  assert.equal(section?.querySelectorAll('figure .wide svg').length, 1);
  // All sites and each of two, of three stacks and of two pairs of them.
  assert.equal(section?.querySelectorAll('tbody tr').length, (3 + 2) * 3);
});

test('gives each dimension of conditions its own heading', async (t) => {
  const { section } = await pageOf({ networks: [DELAYED, BLOCKED] });
  approve(t, 'headings', [...(section?.querySelectorAll('h2, h3, h4') ?? [])].map(wordsOf));
});

test('folds more pairs away than a reader can take in, each with its verdicts', async (t) => {
  const visits = ['cold', 'repeat', 'resumed', 'reload'] as const;
  const { section } = await pageOf({ networks: [NONE, DELAYED], visits, repetitions: 6 });
  const folded = [...(section?.querySelectorAll('li > details > summary') ?? [])];
  assert.equal(folded.length, 12 - 6);
  approve(t, 'folded', folded.map(wordsOf));
});

test('names the stack in a note about one, and none in a note about all', async () => {
  const { text } = await pageOf({
    subjects: ['a.example'],
    networks: [{ ...DELAYED, lossPercent: 1 }],
    change: (load) => {
      if (load.arm === 'bun-h2' && load.block === 3) spoil(load, 'invalid', 'link-busy', 'Busy.');
    },
  });
  assert.match(text, / Bun \(h2\): 1 pair of 8 excluded: a load was broken/);
  assert.match(text, /[^:] Under each condition, chance draws losses anew/);
});

test('leads from a run of one stack, without an answer, to the effects of its conditions', async () => {
  const alone = (fixture: ReturnType<typeof fixtureRun>) => {
    fixture.run.arms = fixture.run.arms.filter(({ arm }) => arm === 'bun-h2');
    fixture.run.trials = fixture.run.trials.filter(({ arm }) => arm === 'bun-h2');
    fixture.observations = fixture.observations.filter(({ arm }) => arm === 'bun-h2');
  };
  const { document, text } = await pageOf({}, alone);
  const answer = document.querySelector('.answer');
  assert.match(wordsOf(answer), /The run has one stack, Bun \(h2\), so no stacks are compared\./);
  assert.match(wordsOf(document.body), /only its conditions are compared\./);
  assert.doesNotMatch(wordsOf(answer), /No pair of loads was made/);
  assert.ok(answer?.querySelector('a[href="#conditions"]'));
  assert.match(text, /Bun \(h2\)/);
  const one = (await pageOf({ visits: ['cold'] }, alone)).document;
  assert.equal(one.querySelector('a[href="#conditions"]'), null);
  assert.match(wordsOf(one.body), /there is nothing to compare it with\./);
});

test('omits the section without two such conditions', async () => {
  const { document, section } = await pageOf({ visits: ['cold'], networks: [NONE, DELAYED] });
  assert.equal(section, null);
  assert.doesNotMatch(wordsOf(document.body), /condition-changes\.csv/);
});
