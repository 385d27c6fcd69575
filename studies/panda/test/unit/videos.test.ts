import assert from 'node:assert/strict';
import { test } from 'node:test';
import { madeUpVideos } from '../../../../experiments/video/test/unit/fixture.ts';
import { reportView } from '../../../../report/sections/view.ts';
import { summarise } from '../../../../report/summary/summary.ts';
import { rendered } from '../../../../test/unit/experiments/rendered.ts';
import { videosSection } from '../../videos.ts';

test('the lead of QUIC until connected, prebuffered and started stands beside the published ones', () => {
  const { run, observations } = madeUpVideos();
  run.preset = 'panda';
  const view = reportView(run, summarise(run, observations), observations);
  const rows = rendered(videosSection, view).rowsOf('Published, and measured');
  const [connected, prebuffered, started] = [1, 5, 9].map((first) =>
    rows.slice(first, first + 3).map(([, ...cells]) => cells),
  );
  assert.deepEqual(connected, [
    ['+410.0 ms', '–'],
    ['+550.0 ms', '–'],
    ['–', '+15.0 ms'],
  ]);
  assert.deepEqual(prebuffered?.slice(0, 2), [
    ['+447.0 ms', '–'],
    ['+600.0 ms', '–'],
  ]);
  assert.match(prebuffered?.[2]?.[1] ?? '', /^\+200\.0 ms/);
  // The manifest comes 30 ms later, the first segments take 200 ms longer.
  assert.match(started?.[2]?.[1] ?? '', /^\+2(2[89]|3[012])\.\d ms\+2\d\d\.\d ms to/);
});
