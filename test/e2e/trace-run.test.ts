import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { parseHTML } from 'linkedom';
import { linkSamplesIn } from '../../ground/records/link-file.ts';
import { OPPORTUNITY_BYTES, timesOfTrace } from '../../ground/records/trace.ts';
import { projectFolder } from '../../ground/system/project-folder.ts';
import { withTemporaryFolder } from '../temporary-folder.ts';
import { startProgram } from './command.ts';
import { assertNoProcessLeft } from './left-behind.ts';
import { readPageLoads } from './page-loads.ts';
import { assertStatusOf, assertWhole } from './whole-run.ts';

const DOWN = path.join(projectFolder, 'network', 'traces', 'cellular.down');

const UP = path.join(projectFolder, 'network', 'traces', 'cellular.up');

const TIMES_MS = [...timesOfTrace(readFileSync(DOWN, 'latin1'))];

/** What the recorded link lets through in so many ms from its beginning on. */
function allowedBytes(untilMs: number): number {
  return OPPORTUNITY_BYTES * TIMES_MS.filter((ms) => ms <= untilMs).length;
}

test('pages are loaded over a recorded link, which the run keeps, and the report shows what it carried of the median loads', () =>
  withTemporaryFolder(async (temporary) => {
    const out = path.join(temporary, 'run');
    const command = startProgram([
      ...['benchmark', '--sites', 'jquery-ui-demo', '--stacks', 'lsquic-h3,bun-h2'],
      // Queues in which nothing is dropped: a connection whose SYN is would come behind others to its host.
      ...['--rtt', '40', '--trace', DOWN, '--trace-up', UP, '--queue-bdp', '8'],
      ...['--repetitions', '2', '--seed', '1', '--out', out],
    ]);
    const status = await command.ended;
    await assertNoProcessLeft(command);
    await assertWhole(out, 4);
    for (const file of [DOWN, UP]) {
      const kept = await readFile(path.join(out, 'traces', path.basename(file)));
      assert.deepEqual(kept, await readFile(file));
    }
    const { pageLoads } = await readPageLoads(out);
    assertStatusOf(pageLoads, status, command.output());
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
  }));
