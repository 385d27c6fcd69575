import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Trial } from '../../../../ground/records/run.ts';
import type { BrowserBench } from '../../../in-browser.ts';
import { startFilm, writeFilm } from '../../film.ts';

const TRACE = new URL(
  '../../../../clients/chromium/test/fixtures/film-trace.json',
  import.meta.url,
);
const TRIAL = { id: 'a.film-1', filmed: true } as Trial;

/** A page whose traces fail, and the number of attempts. */
function pageWithoutTraces() {
  const started: string[] = [];
  const startTrace = async () => {
    started.push('trace');
    throw new Error('Tracing is in use');
  };
  return { page: { startTrace }, started };
}

/** Keeps the films that are written to it. */
function benchOf(error?: Error) {
  const written: unknown[] = [];
  const writeFilm = async (id: string, film: object) => {
    if (error) throw error;
    written.push(film);
    return `films/${id}.json`;
  };
  return { bench: { results: { writeFilm } } as unknown as BrowserBench, written };
}

test('a counted load starts no trace, and writes no film', async () => {
  const { page, started } = pageWithoutTraces();
  const end = await startFilm({ ...TRIAL, filmed: false }, page);
  const { bench, written } = benchOf();
  const trace = await end();
  assert.deepEqual(await writeFilm({ trace, timings: null }, TRIAL, bench), {
    film: null,
    file: null,
    problem: null,
  });
  assert.deepEqual([started, written], [[], []]);
});

test('a filmed load whose trace fails is loaded, and says why it has no film', async () => {
  const { page } = pageWithoutTraces();
  const trace = await (await startFilm(TRIAL, page))();
  const { problem, file } = await writeFilm({ trace, timings: null }, TRIAL, benchOf().bench);
  assert.equal(file, null);
  assert.deepEqual(problem, {
    code: 'film-failed',
    message: 'The load was not filmed: Tracing is in use.',
  });
});

test('a film that cannot be written is a problem of the filmed load', async () => {
  const text = readFileSync(TRACE, 'utf8');
  const { bench } = benchOf(new Error('the disk is full'));
  const { film, problem } = await writeFilm({ trace: { text }, timings: null }, TRIAL, bench);
  assert.equal(film, null);
  assert.match(problem?.message ?? '', /the disk is full/);
});

test('a filmed load writes its film', async () => {
  const text = readFileSync(TRACE, 'utf8');
  const { bench, written } = benchOf();
  const { film, file } = await writeFilm({ trace: { text }, timings: null }, TRIAL, bench);
  assert.equal(file, 'films/a.film-1.json');
  assert.deepEqual(written, [film]);
});
