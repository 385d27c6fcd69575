import assert from 'node:assert/strict';
import { test } from 'node:test';
import { approve, outlineOf } from '../../../../../test/unit/approve.ts';
import {
  type FixtureOptions,
  fixtureRun,
  ONE_SITE,
} from '../../../../../test/unit/report/fixture-run.ts';
import { documentOf } from '../../../../../test/unit/report/reported.ts';
import type { PageLoadDetails } from '../../../details.ts';
import { sections } from '../../../sections.ts';

type LargestPaint = NonNullable<PageLoadDetails['largestPaint']>;

const HERO: LargestPaint = {
  element: 'img#hero',
  url: 'https://a.example/hero.jpg',
  areaPx: 90_000,
  splitMs: { order: 100, connection: 0, waiting: 60, receiving: 200, render: 20 },
};

async function sectionOf(change: FixtureOptions['change']): Promise<Element | null> {
  const made = fixtureRun({ ...ONE_SITE, repetitions: 4, change });
  const page = await documentOf(made, { own: sections });
  return page.querySelector('[aria-labelledby="largest-paint"]');
}

test('says for each arm what it paints, how often, and what it waits for', async (t) => {
  const section = await sectionOf((load, details) => {
    const isQuic = load.arm === 'lsquic-h3';
    load.metrics.largestContentfulPaintMs = isQuic ? 330 : 380;
    details.largestPaint =
      isQuic && load.repetition === 2
        ? { ...HERO, element: 'h1', url: null, splitMs: null }
        : { ...HERO, splitMs: { ...HERO.splitMs, receiving: isQuic ? 150 : 200 } as never };
  });
  approve(t, 'section', outlineOf(section));
});

test('says when the arms do not paint the same', async () => {
  const section = await sectionOf((load, details) => {
    details.largestPaint = load.arm === 'bun-h2' ? { ...HERO, element: '' } : HERO;
  });
  assert.match(
    section?.textContent ?? '',
    /The largest paint is not the same: img#hero with lsquic \(h3\), an element that is gone with Bun/,
  );
});

test('a run of an earlier version has no such section', async () => {
  assert.equal(await sectionOf(() => {}), null);
});
