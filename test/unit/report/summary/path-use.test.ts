import assert from 'node:assert/strict';
import { test } from 'node:test';
import { summarise } from '../../../../report/summary/summary.ts';
import { pathUseOf } from '../../../../report/summary/use.ts';
import { fixtureRun, NONE } from '../fixture-run.ts';

function loadsWith(packets: readonly (number | null)[]) {
  const { observations } = fixtureRun({
    subjects: ['a.example'],
    networks: [NONE],
    repetitions: 9,
  });
  return packets.map((count, index) => {
    const load = observations[index];
    assert.ok(load?.path);
    if (count === null) return { ...load, path: null };
    const { toServer, toClient } = load.path;
    const path = {
      ...load.path,
      toClient: { ...toClient, packets: count, bytes: 1000 * count },
      toServer: { ...toServer, packets: count / 2, bytes: 100 * count },
    };
    return { ...load, path };
  });
}

test('path use is the median of the loads that tell, down to the browser and up to the servers', () => {
  assert.deepEqual(pathUseOf(loadsWith([10, null, 30, 20])), {
    ...{ downBytes: 20_000, upBytes: 2000, downPackets: 20, upPackets: 10 },
  });
});

test('where no load tells there is nothing', () => {
  const none = { downBytes: null, upBytes: null, downPackets: null, upPackets: null };
  assert.deepEqual(pathUseOf(loadsWith([null])), none);
  assert.deepEqual(pathUseOf([]), none);
});

test('a row has the path use of its counted loads alone', () => {
  const { run, observations } = fixtureRun({
    ...{ subjects: ['a.example'], networks: [NONE] },
    change: (load) => {
      if (!load.path || load.arm !== 'bun-h2') return;
      load.path.toClient.packets = load.warmup ? 9000 : 100 * load.repetition;
      if (load.repetition === 3) load.outcome = 'invalid';
    },
  });
  const row = summarise(run, observations).rows.find(({ arm }) => arm === 'bun-h2');
  assert.equal(row?.path.downPackets, 150);
});
