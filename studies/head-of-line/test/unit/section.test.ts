import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AttemptPackets } from '../../../../ground/records/packets.ts';
import { rendered } from '../../../../test/unit/experiments/rendered.ts';
import { DELAYED, fixtureRun } from '../../../../test/unit/report/fixture-run.ts';
import { viewOf as viewOfRun } from '../../../../test/unit/report/reported.ts';
import { finishTimesSection } from '../../section.ts';

const LOST = { ...DELAYED, name: '30ms-lost9', lostPacket: 9 };

/** By HTTP/3 one object waits for lost packets, by the other versions all of them. */
function viewOf(networks = [DELAYED, LOST], captures: readonly AttemptPackets[] = []) {
  const made = fixtureRun({
    subjects: ['objects-3x1kB'],
    networks,
    repetitions: 6,
    change: ({ details, network, protocol, block }) => {
      if (!details) return;
      const lateMs = network.name === LOST.name ? 40 : 0;
      details.finishMs = [100 + block, 110, 120].map((ms, object) =>
        object === 1 || protocol !== 'h3' ? ms + lateMs : ms,
      );
    },
  });
  return viewOfRun(made, { captures });
}

test('lists the number of delayed objects and their delay for each stack', () => {
  const { rowsOf, words } = rendered(finishTimesSection, viewOf());
  const rows = rowsOf('Objects that finished more than half a round trip (15 ms)');
  assert.deepEqual(rows, [
    ['lsquic (h3)', '6', '1', '3', '40.0', '30.0'],
    ['Bun (h2)', '6', '3', '3', '40.0', '40.0'],
    ['Flask (http/1.1)', '6', '3', '3', '40.0', '40.0'],
  ]);
  assert.match(words, /30ms-lost9/);
  const [first] = rowsOf('Time until this share of objects had finished');
  assert.equal(first?.[0], '10');
});

test('lists the responses in the lost packet from captures', () => {
  const { observations } = viewOf();
  const captured = observations.filter(
    ({ arm, network }) => arm === 'lsquic-h3' && network.name === LOST.name,
  );
  const captures = captured.map(
    ({ id, block }) =>
      ({
        id,
        connections: [{ opened: 'all', lostResponses: block === 1 ? [1] : [2] }],
        complaints: [],
      }) as unknown as AttemptPackets,
  );
  const { rowsOf } = rendered(finishTimesSection, viewOf([DELAYED, LOST], captures));
  const [h3, h2] = rowsOf('Objects that finished').map((cells) => cells.at(-1));
  assert.deepEqual([h3, h2], ['1 (1 load), 2 (5 loads)', '–']);
});

test('hides the section without losses, or without the same path without losses', () => {
  for (const networks of [[DELAYED], [LOST], [{ ...DELAYED, rttMs: 60, name: '60ms' }, LOST]]) {
    assert.equal(finishTimesSection.isShown?.(viewOf(networks)), false);
  }
});
