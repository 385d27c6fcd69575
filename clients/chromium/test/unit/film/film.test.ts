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
  assert.equal(film.visuallyCompleteMs, 876);
  assert.ok(film.speedIndexMs > 479 && film.speedIndexMs <= 877, String(film.speedIndexMs));
  assert.deepEqual([film.largestPaintMs, film.loadMs], [180, 30]);
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
  const pictures = Array.from({ length: frames }, (_, index) => {
    const data = Buffer.alloc(4 * width * height, 255);
    // Noise compresses badly.
    for (let at = 0; at < (data.length * (index + 1)) / frames; at++) data[at] = (at * at) % 251;
    const snapshot = jpeg.encode({ data, width, height }, 60).data.toString('base64');
    return {
      name: 'Screenshot',
      cat: 'disabled-by-default-devtools.screenshot',
      ts: 1_000_000 + 50_000 * (index + 1),
      args: { snapshot },
    };
  });
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
