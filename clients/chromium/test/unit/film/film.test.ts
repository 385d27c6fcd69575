import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import jpeg from 'jpeg-js';
import { schemaCheck } from '../../../../../ground/records/schema-check.ts';
import { filmOf } from '../../../film/film.ts';
import { FILM_LIMITS, filmSchema } from '../../../film/record.ts';

/** Of a page that turns teal after 0.4 s and navy after 0.8 s, traced by Chromium 156. */
const TRACE = readFileSync(new URL('../../fixtures/film-trace.json', import.meta.url), 'utf8');
const TIMINGS = { largestPaintMs: 180, loadMs: 30 };
const problemOf = schemaCheck(filmSchema);

test('makes frames, Speed Index and visual completeness from a trace of Chromium', async () => {
  const film = await filmOf(TRACE, TIMINGS);
  assert.equal(problemOf(film), null);
  assert.deepEqual([film.widthPx, film.heightPx], [240, 135]);
  assert.deepEqual(
    film.frames.map(({ atMs }) => Math.round(atMs)),
    [0, 30, 177, 479, 877],
  );
  assert.equal(film.frames.at(-1)?.completePercent, 100);
  assert.equal(film.visuallyCompleteMs, film.frames.at(-1)?.atMs);
  assert.ok(film.speedIndexMs > 479 && film.speedIndexMs <= 877, String(film.speedIndexMs));
  assert.deepEqual([film.largestPaintMs, film.loadMs], [180, 30]);
});

test('a page that one paint completes has a Speed Index of this time, not one ms later', async () => {
  const [blank, painted] = [snapshot(0), snapshot(1)];
  const film = await filmOf(
    traceOfSnapshots([
      { ts: 1_050_000, snapshot: blank },
      { ts: 1_100_700, snapshot: painted },
    ]),
    TIMINGS,
  );
  assert.ok(Math.abs(film.visuallyCompleteMs - 100.7) < 1e-3, String(film.visuallyCompleteMs));
  assert.ok(Math.abs(film.speedIndexMs - 100.7) < 1e-3, String(film.speedIndexMs));
});

test('keeps the colours of a frame when it shrinks it', async () => {
  const { frames } = await filmOf(TRACE, TIMINGS);
  const { data, width } = jpeg.decode(Buffer.from(frames.at(-1)?.jpeg ?? '', 'base64'));
  const last = 4 * (100 * width + 200);
  const [red = 0, green = 0, blue = 0] = data.subarray(last, last + 3);
  assert.ok(red < 12 && green < 12 && Math.abs(blue - 128) < 12, `${red} ${green} ${blue}`);
});

/** A trace of a page that changes in each of these frames, 50 ms apart. */
function traceOf(frames: number, { width = 500, height = 280 } = {}): string {
  return traceOfSnapshots(
    Array.from({ length: frames }, (_, index) => ({
      ts: 1_000_000 + 50_000 * (index + 1),
      snapshot: snapshot((index + 1) / frames, { width, height }),
    })),
  );
}

/** White, but for a share of noise, which compresses badly. */
function snapshot(share: number, { width = 500, height = 280 } = {}): string {
  const data = Buffer.alloc(4 * width * height, 255);
  for (let at = 0; at < data.length * share; at++) data[at] = (at * at) % 251;
  return jpeg.encode({ data, width, height }, 60).data.toString('base64');
}

/** The page's navigation starts at 1,000,000 µs. */
function traceOfSnapshots(snapshots: readonly { ts: number; snapshot: string }[]): string {
  const pictures = snapshots.map(({ ts, snapshot }) => ({
    name: 'Screenshot',
    cat: 'disabled-by-default-devtools.screenshot',
    ts,
    args: { snapshot },
  }));
  const start = {
    name: 'navigationStart',
    cat: 'blink.user_timing',
    ts: 1_000_000,
    args: { data: { isOutermostMainFrame: true } },
  };
  return JSON.stringify({ traceEvents: [...pictures, start] });
}

test('limits the number of frames and their bytes, and keeps the last frame', async () => {
  const film = await filmOf(traceOf(20), { largestPaintMs: null, loadMs: null });
  assert.equal(problemOf(film), null);
  assert.equal(film.frames.length, FILM_LIMITS.frames);
  assert.equal(film.frames[0]?.atMs, 0);
  assert.equal(Math.round(film.frames.at(-1)?.atMs ?? 0), 1000);
  const bytes = film.frames.reduce((sum, frame) => sum + (frame.jpeg.length * 3) / 4, 0);
  assert.ok(bytes <= FILM_LIMITS.jpegBytes + 30, String(bytes));
});

test('fits a page that is higher than wide', async () => {
  const { widthPx, heightPx } = await filmOf(traceOf(1, { width: 100, height: 1500 }), TIMINGS);
  assert.deepEqual([widthPx, heightPx], [40, 600]);
});

test('rejects a trace without pictures, and one without a navigation', async () => {
  await assert.rejects(filmOf(traceOf(0), TIMINGS), /No screenshots found/);
  const unstarted = TRACE.replaceAll(
    /"isOutermostMainFrame": ?true/g,
    '"isOutermostMainFrame":false',
  );
  await assert.rejects(filmOf(unstarted, TIMINGS), /no navigation of the page/);
});

test('rejects a trace that ended before the picture of a painted page', async () => {
  const blank = traceOfSnapshots([{ ts: 1_050_000, snapshot: snapshot(0) }]);
  await assert.rejects(filmOf(blank, TIMINGS), /no picture of what the page painted/);
  const film = await filmOf(blank, { largestPaintMs: null, loadMs: null });
  assert.equal(film.visuallyCompleteMs, 0);
});
