import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fixtureRun, NONE } from '../../../../test/unit/report/fixture-run.ts';
import { transfer } from '../../experiment.ts';

test('reports files that a link cannot carry in time with a sufficient timeout, by the direction of the bodies', () => {
  const { run } = fixtureRun({ repetitions: 1 });
  const [first] = run.subjects;
  assert.ok(first);
  const noticesOf = (direction: 'download' | 'upload') =>
    transfer.planning?.notices?.(
      {
        ...run,
        // 10 MB over 1 Mbit/s take 80 s, 100 kB less than one.
        timeoutS: 60,
        subjects: [
          { ...first, subject: '100kB' },
          { ...first, subject: '10MB' },
        ],
        networks: [NONE, { ...NONE, name: 'slow', downKbps: 1000, upKbps: 100_000 }],
        choices: {
          ...run.choices,
          transfers: {
            direction,
            client: 'bun',
            streamWindowBytes: null,
            receiveWindowBytes: null,
            explains: false,
          },
        },
      },
      6,
    );
  assert.deepEqual(noticesOf('download'), [
    '1,000 kbit/s cannot carry 10MB within the timeout of 60 s: the download of the largest takes at least 80 s. These transfers will fail. Use --timeout 120, a faster link, or smaller sizes.',
  ]);
  assert.deepEqual(noticesOf('upload'), []);
});
