import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { linkTable } from '../../../../ground/records/link-file.ts';
import type { LinkSample } from '../../../../ground/records/link-sample.ts';
import { readCarriedLoads } from '../../../../report/sections/link-file.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';
import { NOTHING_CARRIED } from '../../ground/records/link-sample.ts';
import { DELAYED, fixtureRun } from '../fixture-run.ts';
import { cellsOf, documentOf, summaryOf } from '../reported.ts';

/**
 * A load of 100 ms with a capacity of 10 Mbit/s, in the second half 5, a delay of 15 ms after the
 * limit, and a wait of 30 ms.
 */
const SAMPLES: LinkSample[] = Array.from({ length: 20 }, (_, step) => ({
  atMs: 10 * step,
  forMs: 10,
  toServer: NOTHING_CARRIED,
  toClient: {
    ...NOTHING_CARRIED,
    capacityBytes: 12_500,
    mostWaitMs: step >= 5 ? 30 : 0,
    ...(step >= 7 && step < 12 && { packets: 5, bytes: 6250 }),
    queueDrops: step === 6 ? 2 : 0,
  },
}));

const LIMITED = { ...DELAYED, name: 'slow', rttMs: 40, downKbps: 10_000 };

const made = (network = LIMITED) =>
  fixtureRun({ subjects: ['www.example.org'], networks: [network] });

/** The link section of a run with these samples of its median loads. */
async function sectionOf(network = LIMITED, samples: LinkSample[] | null = SAMPLES) {
  const run = made(network);
  const medians = summaryOf(run).rows.flatMap(({ loads }) => loads?.median ?? []);
  const carried = new Map(samples ? medians.map((id) => [id, samples]) : []);
  return (await documentOf(run, { carried })).querySelector('#link')?.closest('section') ?? null;
}

test('shows capacity, use and wait at the limit, for each stack', async () => {
  const section = (await sectionOf()) ?? assert.fail();
  const rows = cellsOf(section, '.data tbody tr');
  // Two steps of delay are behind the limit: departures in the steps from 70 ms on had passed it
  // from 50 ms on.
  assert.deepEqual(
    rows.slice(1, 6),
    [
      ['20', '10', '0', '0', '0'],
      ['40', '10', '0', '0', '0'],
      ['60', '10', '2.5', '30', '0'],
      ['80', '10', '5', '30', '2'],
      ['100', '10', '5', '30', '0'],
    ].map(([atMs, ...numbers]) => [
      `${atMs}.0`,
      ...numbers.map((text, index) => (index === 2 ? `${text}.0` : text)),
    ]),
  );
  assert.equal(section.querySelectorAll('svg[role="img"]').length, 2);
  assert.equal(section.querySelectorAll('tbody').length, 3, 'one for each stack');
});

test('omits the section without a limit towards the browser, or without the files', async () => {
  assert.equal(await sectionOf({ ...LIMITED, downKbps: null as never }), null);
  assert.equal(await sectionOf(LIMITED, null), null);
});

test('reads link files only of the displayed loads, and treats damaged ones as missing', async (t) => {
  const folder = temporaryFolder(t);
  mkdirSync(path.join(folder, 'link'));
  const { observations } = made();
  const [whole, damaged, missing, other] = observations;
  assert.ok(whole && damaged && missing && other);
  for (const load of [whole, damaged, missing, other]) {
    load.files.link = `link/${load.id}.csv.gz`;
    if (load !== missing) {
      writeFileSync(path.join(folder, load.files.link), gzipSync(linkTable(SAMPLES)));
    }
  }
  writeFileSync(path.join(folder, `link/${damaged.id}.csv.gz`), 'no gzip');
  const shown = new Set([whole.id, damaged.id, missing.id]);
  const found = await readCarriedLoads(folder, shown, observations);
  assert.deepEqual([...found], [[whole.id, SAMPLES]]);
});
