import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { OPPORTUNITY_BYTES, parseTraceTimes } from '../../../../ground/records/trace.ts';
import { projectFolder } from '../../../../ground/system/folders.mjs';
import { withRun } from '../../../../test/e2e/with-run.ts';
import type { TransferDetails } from '../../records.ts';

const DOWN = 'network/traces/cellular.down';

const TIMES_MS = [...parseTraceTimes(readFileSync(path.join(projectFolder, DOWN), 'latin1'))];

/** Capacity of the recorded link in this many ms from its beginning. */
function allowedBytes(untilMs: number): number {
  return OPPORTUNITY_BYTES * TIMES_MS.filter((ms) => ms <= untilMs).length;
}

test('takes the time of a recorded link for a transfer, by QUIC and TCP, and is limited by it', () =>
  withRun(
    `transfer --size 3MB --client bun --stacks lsquic-h3,bun-h2 --rtt 20 --trace ${DOWN}
      --repetitions 2 --seed 1`,
    async ({ out, observations }) => {
      const ok = observations.filter(({ outcome }) => outcome === 'ok');
      for (const { id, metrics, details, path: counts } of ok) {
        const { limitedBy, series } = details as TransferDetails;
        const totalMs = metrics.totalMs ?? Number.NaN;
        const bytes = counts?.toClient.bytes ?? Number.NaN;
        // Everything that went over the link, headers included, must fit its capacity by then.
        assert.ok(allowedBytes(totalMs + 100) >= bytes * 0.98, `${id}: ${bytes} in ${totalMs} ms`);
        assert.ok(bytes > 3_000_000);
        // On a busy machine the processor may really be the limit, or the result is unclear.
        const limits = ['link', 'processor', null];
        assert.ok(limitedBy && limits.includes(limitedBy.limit), `${id}: ${limitedBy?.because}`);
        const waits = series.map(({ queueMs }) => queueMs ?? Number.NaN);
        assert.ok(Math.max(...waits) > 20, `${id}: ${waits} ms in the queue`);
      }
      for (const stack of ['lsquic-h3', 'bun-h2']) {
        const limits = ok
          .filter(({ arm }) => arm === stack)
          .map(({ details }) => (details as TransferDetails).limitedBy?.limit);
        assert.ok(limits.includes('link'), `${stack}: ${limits}`);
      }
      assert.deepEqual(globSync('link/*', { cwd: out }), []);
    },
  ));
