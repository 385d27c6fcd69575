import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reportView } from '../../../../report/sections/view.ts';
import { summarise } from '../../../../report/summary/summary.ts';
import { rendered } from '../../../../test/unit/experiments/rendered.ts';
import { fixtureRun, NONE } from '../../../../test/unit/report/fixture-run.ts';
import { jaegerSection } from '../../section.ts';

const ARMS = [
  { arm: 'lsquic-h3', via: 'quic', roundTrips: 1, workMs: 5 },
  { arm: 'bun-h2', via: 'tls1.3', roundTrips: 2, workMs: 3 },
  { arm: 'flask-h1', via: 'tls1.2', roundTrips: 3, workMs: 3 },
] as const;

/** Until the client may send QUIC takes 1 round trip and 5 ms, TLS 1.3 2 and 3 ms, TLS 1.2 3 and 3 ms; QUIC is confirmed a round trip later. */
function viewOf({
  rttsMs = [10, 20, 50],
  arms = ARMS as readonly (typeof ARMS)[number][],
  preset = 'jaeger' as string | null,
} = {}) {
  const { run, observations } = fixtureRun({
    subjects: ['www.example.org'],
    networks: rttsMs.map((rttMs) => ({ ...NONE, name: `${rttMs}ms`, rttMs })),
    repetitions: 6,
  });
  run.preset = preset;
  for (const each of run.arms) each.via = arms.find(({ arm }) => arm === each.arm)?.via ?? 'tcp';
  for (const { arm, network, metrics } of observations) {
    const { rttMs } = network;
    const { via, roundTrips, workMs } = ARMS.find((each) => each.arm === arm) ?? ARMS[0];
    const maySendMs = roundTrips * rttMs + workMs;
    network.measuredRttMs = rttMs;
    Object.assign(metrics, {
      maySendMs,
      completeMs: maySendMs + 0.5,
      confirmedMs: via === 'quic' ? maySendMs + rttMs : null,
    });
  }
  return reportView(run, summarise(run, observations), observations);
}

function rowsOf(options?: Parameters<typeof viewOf>[0]): string[][] {
  return rendered(jaegerSection, viewOf(options)).rowsOf('Published, and measured');
}

test('QUIC takes two round trips to where the thesis timed it, and one to where a request may leave', () => {
  const found = rowsOf().map(([timed, published, measured = '']) => [
    timed,
    published,
    /^[\d.−]+( ms)?/.exec(measured)?.[0],
  ]);
  const confirmed = 'by QUIC until the client knows that the server has all of the handshake';
  assert.deepEqual(
    found.filter(([, published]) => published !== undefined),
    [
      [`${confirmed}, all hosts`, '1.74', '2.00'],
      [`${confirmed}, hosts that add little`, '1.95', '2.00'],
      ['by QUIC until the client has all of the handshake', '–', '1.00'],
      ['by QUIC until a request may leave', '–', '1.00'],
      ['by TLS 1.3 until a request may leave', '2.08', '2.00'],
      ['by TLS 1.2 until a request may leave', '3.16', '3.00'],
      // 2 x 20 + 3 less 2 x 20 + 5, and less 20 + 5.
      [`${confirmed}, from emilia`, '10.4 ms', '−2.0 ms'],
      [`${confirmed}, from vmott17`, '1.8 ms', '−2.0 ms'],
      ['by QUIC until a request may leave', '–', '18.0 ms'],
    ],
  );
});

test('what a run was not asked for is left open', () => {
  const measured = (options: Parameters<typeof viewOf>[0]) =>
    rowsOf(options).flatMap(([, , number]) => number ?? []);
  assert.deepEqual(measured({ rttsMs: [10] }), new Array(9).fill('–'));
  const withoutQuic = measured({ arms: ARMS.filter(({ via }) => via !== 'quic') });
  assert.deepEqual(
    withoutQuic.map((number) => number !== '–'),
    [false, false, false, false, true, true, false, false, false],
  );
});

test('only runs of the preset have the section', () => {
  assert.equal(jaegerSection.isShown?.(viewOf({ preset: null })), false);
});
