import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readRun } from '../../../../ground/records/read.ts';
import { readRecords } from '../../../../report/summary/measured-run.ts';
import { median } from '../../../../statistics/median.ts';
import { withRun } from '../../../../test/e2e/with-run.ts';

const RTT_MS = 50;

test('explaining arms are measured in the blocks of the rest, and no answer is about them', () =>
  withRun(
    `benchmark --sites www.live.com --stacks lsquic-h3,bun-h2 --rtt ${RTT_MS} --repetitions 2 --explain --warm-ups 1 --hars none`,
    async ({ out, observations, output }) => {
      const { arms, analysis } = await readRun(out);
      const { summary } = (await readRecords(out)).summariseWith({});
      const further = arms.filter(({ explains }) => explains !== undefined);
      const wrong = observations.filter(({ outcome }) => outcome !== 'ok');
      assert.deepEqual(
        wrong.map(({ id, message }) => [id, message]),
        [],
      );
      assert.ok(further.length >= 10, `${further.length} further arms`);
      assert.deepEqual(
        summary.rows.map(({ arm }) => arm),
        ['lsquic-h3', 'bun-h2'],
      );
      assert.deepEqual(analysis.explanations?.length, 1);
      const connectMs = (arm: string) =>
        median(
          observations.flatMap((each) =>
            each.arm === arm && !each.warmup ? (each.metrics.connectMs ?? []) : [],
          ),
        ) ?? Number.NaN;
      const connections = (arm: string) =>
        observations.find((each) => each.arm === arm && !each.warmup)?.metrics.connections;
      assert.ok(connectMs('lsquic-h3-handshake') - connectMs('lsquic-h3') > 0.7 * RTT_MS);
      assert.ok(connectMs('bun-h2') - connectMs('bun-h2-handshake-reverse') > 0.7 * RTT_MS);
      const [usual, shared] = ['bun-h2', 'bun-h2-one-address'].map(connections);
      assert.ok(
        (shared ?? Number.NaN) < (usual ?? Number.NaN),
        `${shared} of ${usual} connections`,
      );
      const [explanation] = summary.explanations ?? [];
      assert.equal(explanation?.whole, null);
      assert.match(output, /Too few blocks/);
    },
  ));
