import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseHTML } from 'linkedom';
import { metricNamed } from '../../../../ground/experiment.ts';
import type { Observation } from '../../../../ground/records/observation.ts';
import { HOSTILE } from '../../../../test/unit/kit/charts/marks.ts';
import { fixtureRun } from '../../../../test/unit/report/fixture-run.ts';
import type { RunView } from '../../../run-view.ts';
import { sockets } from '../../experiment.ts';
import { sections } from '../../sections.ts';
import { EXCHANGE } from './exchanges.ts';

const ARM = { arm: 'socket-tls', label: HOSTILE, place: 0 };

/** Exchanges whose handshakes take two round trips and 3 ms, one that failed, and one that is not counted. */
function viewOf(rttsMs: readonly number[]): RunView {
  const { run, observations } = fixtureRun();
  const [usual] = observations;
  assert.ok(usual);
  const exchange = (id: string, rttMs: number, handshakeMs: number): Observation => ({
    ...usual,
    id,
    arm: ARM.arm,
    protocol: 'tls',
    network: { ...usual.network, name: `${rttMs}ms`, rttMs, measuredRttMs: rttMs + 0.5 },
    metrics: { handshakeMs },
    details: EXCHANGE,
  });
  const made = rttsMs.flatMap((rttMs) => [
    exchange(`a${rttMs}`, rttMs, 2 * (rttMs + 0.5) + 3),
    { ...exchange(`b${rttMs}`, rttMs, 9999), outcome: 'failed' as const },
    exchange(`warm-up${rttMs}`, rttMs, 9999),
  ]);
  return {
    run,
    observations: made,
    counted: new Set(made.flatMap(({ id }) => (id.startsWith('warm') ? [] : [id]))),
    arms: [ARM],
    compared: [],
    experiment: sockets,
    metric: metricNamed(sockets, 'handshakeMs'),
    conditions: rttsMs.map((rttMs) => ({
      network: { ...usual.network, name: `${rttMs}ms`, rttMs },
      variant: '',
      variantText: '',
      text: `${rttMs} ms round-trip time added`,
      overview: { arms: [] },
      rows: [{ arm: ARM.arm, protocol: 'tls', network: { measuredRttMs: rttMs + 0.5 } }],
      comparisons: [],
      loads: made.filter(({ network }) => network.rttMs === rttMs),
    })),
  };
}

function rendered(id: string, view: RunView): Document {
  const section = sections.find((each) => each.id === id);
  const text = section?.render(view, id)?.text ?? '';
  assert.doesNotMatch(text, /NaN|undefined|<script/);
  return parseHTML(`<main>${text}</main>`).document;
}

test('the chart has a lane for each end with all events since the client asked', () => {
  const document = rendered('events', viewOf([40]));
  const titles = [...document.querySelectorAll('svg circle title')].map((each) => each.textContent);
  assert.equal(titles.length, EXCHANGE.client.length + (EXCHANGE.server?.length ?? 0) - 1);
  assert.ok(titles.some((each) => each?.endsWith('server: data 2 at 146.00 ms')));
  assert.ok(!titles.some((each) => each?.includes('listening')));
  const hollow = document.querySelectorAll('svg circle[fill="var(--paper)"]').length;
  // session and socketClose, at both ends.
  assert.equal(hollow, 4);
});

test('a part stands beside its slope in round trips and what the protocol says', () => {
  const document = rendered('parts', viewOf([0, 20, 50]));
  const cells = [...document.querySelectorAll('tbody tr:not(.site-row)')].map((row) =>
    [...row.querySelectorAll('td')].map(({ textContent }) => textContent),
  );
  assert.deepEqual(cells, [['4.0', '44.0', '104.0', '2.00', '2']]);
});

test('one delay gives no slope', () => {
  const document = rendered('parts', viewOf([20]));
  const [row] = document.querySelectorAll('tbody tr:not(.site-row)');
  assert.deepEqual(
    [...(row?.querySelectorAll('td') ?? [])].map(({ textContent }) => textContent),
    ['44.0', '–', '2'],
  );
});
