import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  ARMS,
  madeUpConnections,
} from '../../../../experiments/connect/test/unit/sections/made-up-connections.ts';
import { rendered } from '../../../../test/unit/experiments/rendered.ts';
import { delays } from '../../../../test/unit/made-run.ts';
import { viewOf as viewOfRun } from '../../../../test/unit/report/reported.ts';
import { jaegerSection } from '../../section.ts';

/** QUIC takes 1 round trip and 5 ms, TLS 1.3 2 and 3 ms, TLS 1.2 3 and 3 ms. */
const viewOf = ({
  rttsMs = [10, 20, 50],
  arms = ARMS.slice(0, 3),
  preset = 'jaeger' as string | null,
} = {}) =>
  viewOfRun(
    madeUpConnections({
      hosts: ['www.example.org'],
      networks: delays(...rttsMs),
      rttMs: (_, { rttMs }) => rttMs,
      isMeasured: true,
      repetitions: 6,
      arms,
      preset,
    }),
  );

function rowsOf(options?: Parameters<typeof viewOf>[0]): string[][] {
  return rendered(jaegerSection, viewOf(options)).rowsOf('Published, and measured');
}

test('takes two round trips by QUIC as timed in the thesis, and one until a request may leave', () => {
  const found = rowsOf().map(([timed, published, measured = '']) => [
    timed,
    published,
    /^[\d.−]+( ms)?/.exec(measured)?.[0],
  ]);
  const confirmed = 'by QUIC until the client knows that the server has the complete handshake';
  assert.deepEqual(
    found.filter(([, published]) => published !== undefined),
    [
      [`${confirmed}, all hosts`, '1.74', '2.00'],
      [`${confirmed}, hosts that add little`, '1.95', '2.00'],
      ['by QUIC until the client has the complete handshake', '–', '1.00'],
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

test('leaves open what a run did not measure', () => {
  const measured = (options: Parameters<typeof viewOf>[0]) =>
    rowsOf(options).flatMap(([, , number]) => number ?? []);
  assert.deepEqual(measured({ rttsMs: [10] }), new Array(9).fill('–'));
  const withoutQuic = measured({
    arms: ARMS.slice(0, 3).filter(({ transport }) => transport !== 'quic'),
  });
  assert.deepEqual(
    withoutQuic.map((number) => number !== '–'),
    [false, false, false, false, true, true, false, false, false],
  );
});

test('is omitted for runs of other presets', () => {
  assert.equal(jaegerSection.isShown?.(viewOf({ preset: null })), false);
});
