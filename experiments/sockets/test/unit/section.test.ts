import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseHTML } from 'linkedom';
import { HOSTILE } from '../../../../test/unit/kit/charts/marks.ts';
import { delays, madeRun } from '../../../../test/unit/made-run.ts';
import { cellsOf, viewOf } from '../../../../test/unit/report/reported.ts';
import { sockets } from '../../experiment.ts';
import { sections } from '../../sections.ts';
import { EXCHANGE } from './exchanges.ts';

/** A section about exchanges whose handshakes take two round trips and 3 ms, one that failed, and one that is not counted. */
function rendered(id: string, rttsMs: readonly number[]): Document {
  const made = madeRun(sockets, {
    subjects: ['a.example'],
    networks: delays(...rttsMs),
    arms: [{ arm: 'socket-tls', label: HOSTILE, protocol: 'tls' }],
    repetitions: 2,
    warmups: true,
    analysis: { baseline: 'socket-tls', marginPercent: 5, metric: 'handshakeMs' },
    attempt: ({ trial: { block }, network }) => ({
      network: { ...network, backend: 'userspace', measuredRttMs: network.rttMs + 0.5 },
      outcome: block === 2 ? 'failed' : 'ok',
      metrics: { handshakeMs: block === 1 ? 2 * (network.rttMs + 0.5) + 3 : 9999 },
      details: EXCHANGE,
    }),
  });
  const section = sections.find((each) => each.id === id);
  const text = section?.render(viewOf(made), id)?.text ?? '';
  assert.doesNotMatch(text, /NaN|undefined|<script/);
  return parseHTML(`<main>${text}</main>`).document;
}

test("draws a lane for each end with all events since the client's request", () => {
  const document = rendered('events', [40]);
  const titles = [...document.querySelectorAll('svg circle title')].map((each) => each.textContent);
  assert.equal(titles.length, EXCHANGE.client.length + (EXCHANGE.server?.length ?? 0) - 1);
  assert.ok(titles.some((each) => each?.endsWith('server: data 2 at 146.00 ms')));
  assert.ok(!titles.some((each) => each?.includes('listening')));
  const hollow = document.querySelectorAll('svg circle[fill="var(--paper)"]').length;
  // session and socketClose, at both ends.
  assert.equal(hollow, 4);
});

test("shows a part with its slope in round trips and the protocol's number", () => {
  const document = rendered('parts', [0, 20, 50]);
  const [row] = cellsOf(document, 'tbody tr:not(.site-row)');
  assert.deepEqual(row?.slice(1), ['4.0', '44.0', '104.0', '2.00', '2']);
});

test('gives no slope with one delay', () => {
  const document = rendered('parts', [20]);
  const [row] = cellsOf(document, 'tbody tr:not(.site-row)');
  assert.deepEqual(row?.slice(1), ['44.0', '–', '2']);
});
