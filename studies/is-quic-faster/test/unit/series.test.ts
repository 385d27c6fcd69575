import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { pageLoad } from '../../../../experiments/page-load/experiment.ts';
import type { Given } from '../../../../ground/options/row.ts';
import { runFolder } from '../../../../ground/records/run-folder.ts';
import { NAMED_CONDITIONS } from '../../../../network/conditions.ts';
import { readCommandLine } from '../../../../runner/command-line/command-line.ts';
import { optionsOf } from '../../../../runner/options.ts';
import { withTemporaryFolder } from '../../../../test/temporary-folder.ts';
import { FEWER_PAGES, PAGES, PARTS, presetOfPart } from '../../parts.ts';
import { isSeries, seriesAsked } from '../../series.ts';
import { isQuicFaster } from '../../study.ts';

const NAMES = PARTS.map(({ name }) => name);

function withFolder(use: (folder: string) => Promise<void>): Promise<void> {
  return withTemporaryFolder((above) => use(path.join(above, 'results')));
}

function asked(...words: string[]) {
  const line = readCommandLine(['benchmark', ...words]);
  assert.ok(line);
  return seriesAsked(line);
}

/** Measures with runs that are made up; the one that is to be the last is interrupted. */
async function measure(words: string[], { last = Number.POSITIVE_INFINITY } = {}) {
  const series = await asked(...words);
  assert.ok(series);
  const invocations: Given[] = [];
  let reports = 0;
  const ended = series.measure({
    async measure(given) {
      invocations.push(given);
      if (given.freeze !== undefined) await writeFile(given.freeze, '{}');
      if (given.out !== undefined) {
        await mkdir(given.out);
        await writeFile(runFolder(given.out).run, '{}');
      }
      if (invocations.length >= last) throw new Error('interrupted');
      return 0;
    },
    async report() {
      reports++;
    },
  });
  const status = await ended.catch((error: Error) => error.message);
  return { invocations, reports, status };
}

test('every part is a run whose plan needs nothing that is drawn by chance', () => {
  assert.equal(new Set(NAMES).size, NAMES.length);
  for (const part of PARTS) {
    const options = optionsOf(
      { given: { preset: presetOfPart(part) } },
      pageLoad,
      isQuicFaster.presets,
    );
    assert.equal(String(options.seed), part.options.seed);
    assert.equal(String(options.repetitions), part.options.repetitions);
    assert.deepEqual(options.subjects, part.name === 'main' ? PAGES : FEWER_PAGES);
  }
  assert.equal(new Set(PARTS.map(({ options: { seed } }) => seed)).size, PARTS.length);
});

test('two parts together have what the lossy wireless network has', () => {
  const [bursts, overtaking] = ['bursts', 'overtaking'].map((name) => {
    const given = { preset: presetOfPart({ name }) };
    const [network] = optionsOf({ given }, pageLoad, isQuicFaster.presets).networks;
    assert.ok(network);
    return network;
  });
  const named = NAMED_CONDITIONS.find(({ name }) => name === 'lossy-wireless');
  assert.ok(named && bursts && overtaking);
  const { source: _, name, jitterMs, burstLoss, ...rest } = named;
  assert.deepEqual(bursts, { ...rest, name: bursts.name, jitterMs: 0, burstLoss });
  assert.deepEqual(overtaking, { ...rest, name: overtaking.name, jitterMs, burstLoss: null });
});

test('all plans are frozen before the first part is measured, each part by its own plan', () =>
  withFolder(async (folder) => {
    const { invocations, reports, status } = await measure([
      ...['--preset', 'is-quic-faster', '--repetitions', '2', '--out', folder],
    ]);
    const planOf = (name: string) => path.join(folder, 'plans', `${name}.json`);
    assert.deepEqual(invocations, [
      ...NAMES.map((name) => ({
        repetitions: '2',
        preset: `is-quic-faster/${name}`,
        freeze: planOf(name),
      })),
      ...NAMES.map((name) => ({ plan: planOf(name), out: path.join(folder, name) })),
    ]);
    assert.deepEqual([reports, status], [PARTS.length, 0]);
  }));

test('an interrupted series goes on where it was, with the plans that it has', () =>
  withFolder(async (folder) => {
    const begun = ['--preset', 'is-quic-faster', '--out', folder];
    const interrupted = await measure(begun, { last: PARTS.length + 2 });
    assert.deepEqual([interrupted.reports, interrupted.status], [2, 'interrupted']);
    const resumed = await measure(['--resume', folder, '--resume-anyway']);
    assert.equal(resumed.status, 0);
    assert.deepEqual(
      resumed.invocations.map((given) => Object.keys(given)),
      NAMES.map((_, index) => (index < 2 ? ['resume', 'resume-anyway'] : ['plan', 'out'])),
    );
    const again = await measure(begun);
    assert.match(`${again.status}`, /not empty|already/);
    assert.deepEqual(again.invocations, []);
  }));

test('a series of which not every plan was frozen is refused', () =>
  withFolder(async (folder) => {
    await measure(['--preset', 'is-quic-faster', '--out', folder], { last: 2 });
    assert.ok(isSeries(folder));
    const { status, invocations } = await measure(['--resume', folder]);
    assert.match(`${status}`, /no plan of losses, .* nothing was measured/);
    assert.deepEqual(invocations, []);
    await rm(path.join(folder, 'plans'), { recursive: true });
    assert.equal(await asked('--resume', folder), null);
  }));

test('what would change the plans is refused, and other words are not of the series', async () => {
  const refused = { name: 'UsageError', message: /--rtt: only --sites, --repetitions/ };
  await assert.rejects(asked('--preset', 'is-quic-faster', '--rtt', '10'), refused);
  assert.equal(await asked('--preset', 'is-quic-faster/losses'), null);
  assert.equal(await asked('--rtt', '10'), null);
});
