import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { parseHTML } from 'linkedom';
import type { PageLoad } from '../../experiments/page-load/details.ts';
import { linkSamplesIn } from '../../ground/records/link-file.ts';
import { OPPORTUNITY_BYTES, parseTraceTimes } from '../../ground/records/trace.ts';
import { projectFolder } from '../../ground/system/folders.mjs';
import { assertWhole } from './whole-run.ts';
import { withRun } from './with-run.ts';

const [DOWN, UP] = ['network/traces/cellular.down', 'network/traces/cellular.up'];

const TIMES_MS = [...parseTraceTimes(readFileSync(path.join(projectFolder, DOWN), 'latin1'))];

/** Capacity of the recorded link in this many ms from its beginning. */
function allowedBytes(untilMs: number): number {
  return OPPORTUNITY_BYTES * TIMES_MS.filter((ms) => ms <= untilMs).length;
}

test('loads pages over a recorded link, which the run keeps, and reports its use by the median loads', () =>
  withRun<PageLoad>(
    // Queues without drops: a connection that loses its SYN would finish after later ones to its
    // host.
    `benchmark --sites jquery-ui-demo --stacks lsquic-h3,bun-h2 --rtt 40 --queue-bdp 8
     --trace ${DOWN} --trace-up ${UP} --repetitions 2 --warm-ups 1 --seed 1`,
    async ({ out, observations: pageLoads }) => {
      await assertWhole(out, 4);
      for (const file of [DOWN, UP]) {
        const kept = await readFile(path.join(out, 'traces', path.basename(file)));
        assert.deepEqual(kept, await readFile(path.join(projectFolder, file)));
      }
      for (const { network } of pageLoads) {
        assert.equal(network.name, '40ms-trace-cellular.down-trace-up-cellular.up-queue8');
      }
      const kept = pageLoads.filter(({ files }) => existsSync(path.join(out, files.link ?? '-')));
      const medians = kept.filter(({ outcome }) => outcome === 'ok');
      assert.ok(medians.length > 0 && medians.length <= 2, `${medians.length} of two stacks`);
      for (const { files, path: counts } of medians) {
        const table = gunzipSync(await readFile(path.join(out, files.link ?? ''))).toString();
        const samples = linkSamplesIn(table);
        const sumOf = (name: 'bytes' | 'capacityBytes' | 'queueDrops') =>
          samples.reduce((sum, { toClient }) => sum + toClient[name], 0);
        assert.equal(sumOf('bytes'), counts?.toClient.bytes);
        assert.equal(sumOf('queueDrops'), counts?.toClient.queueDrops);
        // The link begins with the first packet, some ms after the samples.
        const first = samples.findIndex(({ toClient }) => toClient.capacityBytes > 0);
        const forMs = 10 * (samples.length - first);
        const most = allowedBytes(forMs + 10);
        assert.ok(
          first >= 0 && sumOf('capacityBytes') <= most,
          `${sumOf('capacityBytes')} of ${most}`,
        );
        assert.ok(sumOf('capacityBytes') >= allowedBytes(forMs - 30));
        assert.ok(sumOf('bytes') <= most);
      }
      const page = await readFile(path.join(out, 'report.html'), 'utf8');
      const { document } = parseHTML(page);
      const section = document.querySelector('#link')?.closest('section');
      assert.equal(section?.querySelectorAll('svg[role="img"]').length, 2);
    },
  ));
