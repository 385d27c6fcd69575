import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { filmSchema } from '../../../../clients/chromium/film/record.ts';
import { schemaCheck } from '../../../../ground/records/schema-check.ts';
import type { Summary } from '../../../../report/summary/summary.ts';
import { withRun } from '../../../../test/e2e/with-run.ts';
import type { PageLoad } from '../../details.ts';

const problemOf = schemaCheck(filmSchema);

test('--film films extra loads that no number of the run includes, and the report shows them', () =>
  withRun<PageLoad>(
    `benchmark --sites www.wikipedia.org --stacks lsquic-h3,bun-h2 --network cable
     --repetitions 2 --warm-ups 1 --film 2`,
    async ({ out, observations }) => {
      const filmed = observations.filter(({ filmed }) => filmed);
      assert.equal(filmed.length, 4);
      for (const { id, files, metrics, warmup } of filmed) {
        assert.ok(warmup, 'statistics of earlier versions exclude it, too');
        assert.equal(files.film, `films/${id}.json`);
        const film = JSON.parse(await readFile(path.join(out, files.film), 'utf8'));
        assert.equal(problemOf(film), null);
        const { speedIndexMs = null, visuallyCompleteMs = null } = metrics;
        assert.ok(speedIndexMs !== null && visuallyCompleteMs !== null);
        assert.ok(speedIndexMs > 0 && speedIndexMs < visuallyCompleteMs + 0.01);
        assert.equal(film.frames[0].completePercent, 0);
        assert.equal(film.frames.at(-1).completePercent, 100);
      }
      assert.equal((await readdir(path.join(out, 'films'))).length, 4);

      const unfilmed = observations.filter(({ filmed }) => !filmed);
      assert.equal(unfilmed.length, 6);
      for (const { files, metrics, details } of unfilmed) {
        assert.equal(files.film, undefined);
        assert.ok(!('speedIndexMs' in metrics));
        const { splitMs, element } = details?.largestPaint ?? {};
        assert.ok(element, 'the page shows its largest paint');
        const parts = Object.values(splitMs ?? {}).reduce((sum, ms) => sum + ms, 0);
        assert.ok(Math.abs(parts - (metrics.largestContentfulPaintMs ?? 0)) < 0.1);
      }

      const summary = JSON.parse(await readFile(path.join(out, 'summary.json'), 'utf8')) as Summary;
      assert.deepEqual(
        summary.rows.map(({ nPlanned, nWarmup }) => [nPlanned, nWarmup]),
        [
          [2, 1],
          [2, 1],
        ],
      );
      assert.equal(summary.progress.plannedPageLoads, 4);
      assert.equal(summary.progress.plannedWarmups, 2);
      const page = await readFile(path.join(out, 'report.html'), 'utf8');
      assert.match(page, /<image id="frame-0-0-0-0"[^>]* href="data:image\/jpeg;base64,/);
      assert.match(page, /<image id="frame-0-0-1-0"/);
    },
  ));
