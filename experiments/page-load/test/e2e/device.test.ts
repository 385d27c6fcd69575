import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import type { Har } from '../../../../clients/har/har.ts';
import { PHONE } from '../../../../ground/records/device.ts';
import { readRun } from '../../../../ground/records/read.ts';
import { runFolder } from '../../../../ground/records/run-folder.ts';
import { quantile } from '../../../../statistics/quantile.ts';
import { loadOverPath, withPathBench } from '../../../../test/e2e/path-bench.ts';
import type { FixtureResource } from '../../../../test/e2e/site-fixture.ts';
import { withRun } from '../../../../test/e2e/with-run.ts';

/** Does fixed work, and requests an address with its duration before the load event. */
function work(who: string): string {
  return `<!doctype html><link rel="icon" href="data:,"><title>work</title><script>
const startMs = performance.now();
let sum = 0;
for (let step = 0; step < 2e7; step++) sum += step % 7;
new Image().src = 'https://www.work.test/${who}-' + Math.round(performance.now() - startMs) + '.gif';
</script>`;
}

function document(url: string, body: string): FixtureResource {
  return { url, type: 'document', headers: [['content-type', 'text/html']], body };
}

/** Duration of the work of a page or its frame, as it reported it. */
function workMs(har: Har, who: string): number {
  const report = new RegExp(`/${who}-(\\d+)\\.gif$`);
  const found = har.log.entries.flatMap(({ request }) => report.exec(request.url)?.[1] ?? []);
  assert.equal(found.length, 1, who);
  return Number(found[0]);
}

const LEAST_PAIRS = 3;
const MOST_PAIRS = 10;

test('--cpu 4 makes the work of a page and of a frame take longer, and only in its own loads', () =>
  withPathBench(
    [
      document(
        'https://www.work.test/',
        `${work('page')}<iframe src="https://frame.other.test/"></iframe>`,
      ),
      document('https://frame.other.test/', work('frame')),
    ],
    async (bench) => {
      const [server] = bench.servers;
      assert.ok(server);
      const hars: Record<'cpu-1' | 'cpu-4', Har[]> = { 'cpu-1': [], 'cpu-4': [] };
      // A busy machine lengthens work, and in a few loads slows a frame too late.
      const ratioOf = (who: string) => {
        const times = (loads: readonly Har[]) => loads.map((har) => workMs(har, who));
        return Number(quantile(times(hars['cpu-4']), 0.25)) / Math.min(...times(hars['cpu-1']));
      };
      let ratios = { page: 1, frame: 1 };
      for (
        let pair = 0;
        pair < LEAST_PAIRS || (pair < MOST_PAIRS && Math.min(...Object.values(ratios)) < 2);
        pair++
      ) {
        for (const cpu of ['cpu-4', 'cpu-1'] as const) {
          const { pageLoad, har } = await loadOverPath(bench, server, { cpu });
          assert.equal(pageLoad.outcome, 'ok', pageLoad.message ?? '');
          hars[cpu].push(har);
        }
        ratios = { page: ratioOf('page'), frame: ratioOf('frame') };
      }
      for (const [who, ratio] of Object.entries(ratios)) assert.ok(ratio >= 2, `${who}: ${ratio}`);
    },
  ));

test('a page on a phone keeps its window until it is reloaded', () => {
  // Requests an address with the widths that the page had before, other than the phone's.
  const script = `<script>
const widths = sessionStorage.widths ?? 'first';
sessionStorage.widths = '';
addEventListener('resize', () => { if (innerWidth !== 412) sessionStorage.widths += '-' + innerWidth; });
new Image().src = '/' + innerWidth + 'px-before-' + (widths || 'none') + '.gif';
</script>`;
  const narrow = '<meta name="viewport" content="width=device-width">';
  const page = `<!doctype html><link rel="icon" href="data:,"><title>widths</title>${narrow}<p>Some text.</p>${script}`;
  return withPathBench(
    [document('https://www.widths.test/', page)],
    async (bench) => {
      const [server] = bench.servers;
      assert.ok(server);
      const { har } = await loadOverPath(bench, server, { visit: 'reload' });
      const paths = har.log.entries.map(({ request }) => new URL(request.url).pathname);
      assert.deepEqual(paths, ['/', '/412px-before-none.gif']);
    },
    { choices: { device: PHONE } },
  );
});

test('a run on a phone with a slow processor says so in plan, records and report', () =>
  withRun(
    'benchmark --sites www.example.org --stacks lsquic-h3,bun-h2 --rtt 0 --repetitions 1 --mobile --cpu 1,4',
    async ({ out, observations, output }) => {
      const run = await readRun(out);
      assert.deepEqual(run.choices.device, PHONE);
      assert.deepEqual(run.factors, { visit: ['cold'], cpu: ['cpu-1', 'cpu-4'] });
      const counted = observations.filter(({ warmup }) => !warmup);
      assert.deepEqual(counted.map(({ factors }) => factors.cpu).toSorted(), [
        'cpu-1',
        'cpu-1',
        'cpu-4',
        'cpu-4',
      ]);
      for (const { files } of counted) {
        const har: Har = JSON.parse(await readFile(path.join(out, files.har ?? ''), 'utf8'));
        const [document] = har.log.entries;
        const agent = document?.request.headers.find(({ name }) => /^user-agent$/i.test(name));
        assert.match(agent?.value ?? '', /Android.* Mobile /);
      }
      assert.match(output, /processor slowed 4 times/i);
      assert.match(output, /network process, which runs QUIC and TLS/);
      const report = await readFile(runFolder(out).report, 'utf8');
      assert.match(report, /a phone of 412x915 CSS pixels/);
      assert.match(report, /What the processor changes/);
    },
  ));
