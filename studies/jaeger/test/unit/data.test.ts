import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { allExperiments } from '../../../../experiments/index.ts';
import { type Experiment, metricNamed } from '../../../../ground/experiment.ts';
import { readObservations } from '../../../../ground/records/read.ts';
import { blocksOf } from '../../../../report/summary/blocks.ts';
import { pairedDifferences } from '../../../../report/summary/paired-differences.ts';
import { withTemporaryFolder } from '../../../../test/temporary-folder.ts';
import { readTable } from '../../../../tools/read/read-table.ts';

const connect = allExperiments().find(({ name }) => name === 'connect');
const skip = !connect && 'the experiment connect, which reads the data, is not there';

const DATA = path.join(import.meta.dirname, '..', '..', 'data');

/**
 * The published results, each arm against another one: pairs, median in ms, and percent faster at
 * all, by 10 ms and by 20 ms.
 */
const PUBLISHED: Readonly<Record<string, readonly (readonly [string, string, ...number[]])[]>> = {
  emilia_v4_1kTls13: [['tls1.3', 'tls1.2', 8012, 9.4, 97.4, 41, 8]],
  emilia_v4_QUIC_quic_perf_first: [
    ['quic', 'tls1.2', 20_123, 25.5, 98.2, 88, 56],
    ['quic', 'tls1.3', 160, 10.4, 98.8, 59, 1],
  ],
  vmott17_v4_QUIC: [
    ['quic', 'tls1.2', 4791, 18.4, 96.8, 57, 24],
    ['quic', 'tls1.3', 38, 1.8, 97.4, 0, 0],
  ],
  vmott17_v6_QUIC: [['quic', 'tls1.2', 7871, 20.7, 96.8, 88, 71]],
};

/** Results of these pairs of arms in a published file, in the columns of PUBLISHED. */
async function differencesIn(
  experiment: Experiment,
  name: string,
  rows: readonly (readonly [string, string, ...number[]])[],
) {
  return withTemporaryFolder(async (folder) => {
    const out = path.join(folder, 'run');
    const run = await readTable(experiment, path.join(DATA, `${name}.csv.gz`), out);
    const { observations } = await readObservations(out, experiment);
    const blocks = [...blocksOf(run, observations).values()].flat();
    const metric = metricNamed(experiment, run.analysis.metric);
    return rows.map(([arm, other]) => {
      const { nPairs, median, soonerPercent, soonerBy } = pairedDifferences(
        blocks,
        metric,
        arm,
        other,
      );
      const shares = soonerBy.map(({ percent }) => Math.round(percent ?? Number.NaN));
      return [arm, other, nPairs, rounded(median), rounded(soonerPercent), ...shares];
    });
  });
}

// Read before the first test begins, whose hooks make each of a hundred thousand promises more expensive.
const found = new Map<string, unknown>();
if (connect) {
  for (const [name, rows] of Object.entries(PUBLISHED)) {
    found.set(name, await differencesIn(connect, name, rows));
  }
}

for (const [name, rows] of Object.entries(PUBLISHED)) {
  test(`has the pairs and differences of the data in ${name} of Jaeger's study`, { skip }, () =>
    assert.deepEqual(found.get(name), rows),
  );
}

/** To one decimal, as in the table. */
function rounded(value: number | null): number {
  return Number((value ?? Number.NaN).toFixed(1));
}
