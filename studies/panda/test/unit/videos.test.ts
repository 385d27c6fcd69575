import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rendered } from '../../../../test/unit/experiments/rendered.ts';
import { DELAYED, fixtureRun } from '../../../../test/unit/report/fixture-run.ts';
import { viewOf } from '../../../../test/unit/report/reported.ts';
import { videosSection } from '../../videos.ts';

test('compares the leads of QUIC until connected, prebuffered and started with the published ones', () => {
  const made = fixtureRun({
    preset: 'panda',
    networks: [DELAYED],
    repetitions: 6,
    change: (session) => {
      const isQuic = session.protocol === 'h3';
      Object.assign(session.metrics, {
        prebufferingMs: isQuic ? 200 : 400,
        startupDelayMs: isQuic ? 260 : 490,
      });
      const connectMs = isQuic ? 15 : 30;
      Object.assign(session.details ?? {}, { requests: [{ kind: 'manifest', connectMs }] });
    },
  });
  const rows = rendered(videosSection, viewOf(made)).rowsOf('Published, and measured');
  const [connected, prebuffered, started] = [1, 5, 9].map((first) =>
    rows.slice(first, first + 3).map(([, ...cells]) => cells),
  );
  assert.deepEqual(connected, [
    ['+410.0 ms', '–'],
    ['+550.0 ms', '–'],
    ['–', '+15.0 ms'],
  ]);
  assert.deepEqual(prebuffered, [
    ['+447.0 ms', '–'],
    ['+600.0 ms', '–'],
    ['–', '+200.0 ms'],
  ]);
  assert.deepEqual(started?.[2], ['–', '+230.0 ms']);
});
