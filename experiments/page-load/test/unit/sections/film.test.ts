import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { type Film, filmSchema } from '../../../../../clients/chromium/film/record.ts';
import type { Observation } from '../../../../../ground/records/observation.ts';
import { schemaCheck } from '../../../../../ground/records/schema-check.ts';
import { temporaryFolder } from '../../../../../test/temporary-folder.ts';
import { approve, outlineOf } from '../../../../../test/unit/approve.ts';
import { fixtureRun, ONE_SITE } from '../../../../../test/unit/report/fixture-run.ts';
import { documentOf } from '../../../../../test/unit/report/reported.ts';
import { readMedianFilms } from '../../../films.ts';
import { sectionsOfFiles } from '../../../sections.ts';

/** A film whose page appears at a time. */
function madeFilm(appearsMs: number): Film {
  const jpeg = '/9j/4AAQSkZJRgABAQAAAQABAAD=';
  return {
    widthPx: 240,
    heightPx: 135,
    speedIndexMs: appearsMs,
    visuallyCompleteMs: appearsMs + 100,
    largestPaintMs: appearsMs,
    loadMs: 2 * appearsMs,
    frames: [0, appearsMs, appearsMs + 100].map((atMs, index) => ({
      atMs,
      completePercent: [0, 80, 100][index] ?? 0,
      jpeg,
    })),
  };
}

/** A run of one site with three filmed loads of two arms, and the folder with their films. */
function filmedRun(folder: string, films: (film: Film, load: Observation) => unknown) {
  const { run, observations } = fixtureRun({ ...ONE_SITE, repetitions: 3 });
  mkdirSync(path.join(folder, 'films'));
  const filmed = observations
    .filter(({ arm, warmup }) => arm !== 'flask-h1' && !warmup)
    .map((load): Observation => {
      const { arm, repetition, id } = load;
      const film = madeFilm((arm === 'bun-h2' ? 600 : 400) + 10 * repetition);
      const file = `films/${id}.json`;
      writeFileSync(path.join(folder, file), JSON.stringify(films(film, load)));
      const { speedIndexMs, visuallyCompleteMs } = film;
      const metrics = { ...load.metrics, speedIndexMs, visuallyCompleteMs };
      const own = { warmup: true, filmed: true, block: 0, files: { film: file } };
      return { ...load, ...own, id: `${id}.film`, metrics, outcome: 'ok' };
    });
  return { run, observations, filmed };
}

async function pageOf(folder: string, { run, observations, filmed }: ReturnType<typeof filmedRun>) {
  return documentOf({ run, observations }, { own: await sectionsOfFiles(folder, filmed) });
}

test('shows the median films on one time axis, their moments, and the times of all films', async (t) => {
  const folder = temporaryFolder(t);
  const page = await pageOf(
    folder,
    filmedRun(folder, (film) => film),
  );
  const section = page.querySelector('[aria-labelledby="film"]');
  approve(t, 'section', outlineOf(section));
  const strip = section?.querySelector('.film');
  assert.equal(
    strip?.getAttribute('data-start-ms'),
    '420',
    'the middle one of 410, 420 and 430 ms',
  );
  const images = [...(strip?.querySelectorAll('image') ?? [])];
  assert.equal(images.length, 2 * 3, 'each frame is in the page once');
  const uses = [...(strip?.querySelectorAll('use') ?? [])].map((use) => use.getAttribute('href'));
  assert.equal(uses.length, 2 * 10, 'a picture for each step and arm');
  const ids = images.map(({ id }) => `#${id}`);
  assert.ok(uses.every((href) => ids.includes(href ?? '')));
  // 1,240 ms until the later load: the steps are 150 ms.
  assert.deepEqual(
    uses.slice(0, 5),
    [0, 0, 0, 1, 2].map((frame) => `#frame-0-0-0-${frame}`),
  );
  assert.match(page.toString(), /querySelectorAll\('\.film'\)/);
});

test('a run without films has neither the section nor its script', async () => {
  const page = await documentOf(fixtureRun(ONE_SITE), { own: await sectionsOfFiles('', []) });
  assert.equal(page.querySelector('#film'), null);
  assert.doesNotMatch(page.toString(), /querySelectorAll\('\.film'\)/);
});

test('names filmed loads that are not ok, and films that cannot be shown', async (t) => {
  const folder = temporaryFolder(t);
  const made = filmedRun(folder, (film, { arm }) =>
    arm === 'bun-h2' ? { ...film, widthPx: 100_000 } : film,
  );
  const failed = made.filmed.find(({ arm }) => arm === 'lsquic-h3');
  assert.ok(failed);
  Object.assign(failed, {
    outcome: 'invalid',
    code: 'film-failed',
    message: 'The load was not filmed: <it>.',
  });
  const page = await pageOf(folder, made);
  const text = page.querySelector('[aria-labelledby="film"]')?.textContent ?? '';
  assert.match(
    text,
    /lsquic \(h3\): 1 of 3 filmed loads not ok. The first: The load was not filmed/,
  );
  assert.match(text, /Bun \(h2\): the film cannot be shown: its file is missing or damaged/);
  assert.deepEqual(
    [...page.querySelectorAll('[data-film]')].map((row) => row.getAttribute('data-film')),
    ['lsquic (h3)'],
  );
});

test('reads no film from outside the folder of films, through a link, or that is not a film', async (t) => {
  const folder = temporaryFolder(t);
  const { filmed } = filmedRun(folder, (film) => film);
  const [load] = filmed;
  assert.ok(load);
  const secret = path.join(folder, 'secret.json');
  writeFileSync(secret, readFileSync(path.join(folder, load.files.film ?? '')));
  symlinkSync(secret, path.join(folder, 'films/link.json'));
  writeFileSync(path.join(folder, 'films/text.json'), 'no JSON');
  writeFileSync(path.join(folder, 'films/large.json'), ' '.repeat(1_100_000));
  const names = ['../secret.json', 'films/../secret.json', 'har/x.json', 'films/link.json'];
  for (const film of [...names, 'films/text.json', 'films/large.json', 'films/none.json']) {
    const [shown] = await readMedianFilms(folder, [{ ...load, files: { film } }]);
    assert.equal(shown?.film, null, film);
  }
  const [shown] = await readMedianFilms(folder, [load]);
  assert.ok(shown?.film);
});

test('the schema of films bounds their frames and accepts no other picture than a JPEG', () => {
  const problemOf = schemaCheck(filmSchema);
  const film = madeFilm(100);
  const [frame] = film.frames;
  assert.equal(problemOf(film), null);
  const withFrame = (jpeg: string) => ({ ...film, frames: [{ ...frame, jpeg }] });
  assert.match(problemOf({ ...film, frames: [] }) ?? '', /frames/);
  assert.match(problemOf({ ...film, frames: Array(13).fill(frame) }) ?? '', /frames/);
  assert.match(problemOf(withFrame('/9j/"><script>')) ?? '', /jpeg/);
  assert.match(problemOf(withFrame('PHN2Zz4=')) ?? '', /jpeg/);
  assert.match(problemOf(withFrame(`/9j/${'A'.repeat(100_000)}`)) ?? '', /jpeg/);
});
