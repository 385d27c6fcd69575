import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseHTML } from 'linkedom';
import { handshakeRoundTrips, handshakes } from '../../../../experiments/connect/section.ts';
import type { RunView } from '../../../../experiments/run-view.ts';
import { DELAYED, fixtureRun } from '../../report/fixture-run.ts';

const ARMS = [
  { arm: 'q', label: 'Q (h3)', place: 0 },
  { arm: 't', label: 'T (h2)', place: 1 },
];

/** What the table has for each stack, behind its label. */
function cellsOf(measuredRttMs: (number | null)[], mediansMs: (number | null)[]): string[][] {
  const view: RunView = {
    run: fixtureRun().run,
    observations: [],
    counted: new Set(),
    arms: ARMS,
    conditions: [
      {
        network: DELAYED,
        text: '30 ms round-trip time added',
        overview: {
          arms: ARMS.map(({ arm }, index) => ({
            arm,
            medianOfSiteMediansMs: mediansMs[index] ?? null,
          })),
        },
        rows: ARMS.flatMap(({ arm }) =>
          measuredRttMs.map((rttMs) => ({
            arm,
            protocol: arm === 'q' ? ('h3' as const) : ('h2' as const),
            network: { measuredRttMs: rttMs },
          })),
        ),
      },
    ],
  };
  const { document } = parseHTML(handshakes.render(view, 'handshakes')?.text ?? '');
  assert.equal(document.querySelector('h2')?.id, 'handshakes');
  return [...document.querySelectorAll('tbody tr:not(.site-row)')].map((row) =>
    [...row.querySelectorAll('td')].map(({ textContent }) => textContent ?? ''),
  );
}

test('QUIC needs one round trip until the client may send, TLS 1.3 over TCP two', () => {
  assert.deepEqual(['h3', 'h2', 'http/1.1', 'http/1.0'].map(handshakeRoundTrips), [1, 2, 2, 2]);
});

test('each median stands beside its round trips at the round-trip time measured, and what they leave', () => {
  assert.deepEqual(cellsOf([30, 32], [43.5, 60]), [
    ['43.5', '1', '31.0', '12.5'],
    ['60.0', '2', '62.0', '−2.0'],
  ]);
});

test('without a round-trip time or a median there is a dash, and no number', () => {
  assert.deepEqual(cellsOf([null], [43.5, null]), [
    ['43.5', '1', '–', '–'],
    ['–', '2', '–', '–'],
  ]);
});
