import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linkSamplesIn, linkTable } from '../../../../ground/records/link-file.ts';
import type { LinkSample } from '../../../../ground/records/link-sample.ts';

const carried = (first: number): LinkSample['toServer'] => ({
  packets: first,
  bytes: first + 1,
  lost: first + 2,
  queueDrops: first + 3,
  busyMs: first + 4.5,
  mostQueuedBytes: first + 5,
  mostWaitMs: first + 6.25,
  capacityBytes: first + 7.125,
});

const SAMPLES: LinkSample[] = [0, 1].map((step) => ({
  atMs: 5_000 + 10 * step,
  forMs: 10,
  toServer: carried(100 * step),
  toClient: carried(1000 * (step + 1)),
}));

test('has all of the link in a table, with times since the beginning', () => {
  const table = linkTable(SAMPLES);
  assert.match(table, /^t_ms,for_ms,up_packets,.*,up_capacity_bytes,down_packets,/);
  assert.deepEqual(
    linkSamplesIn(table),
    SAMPLES.map((sample) => ({ ...sample, atMs: sample.atMs - 5_000 })),
  );
});

test('rejects an invalid or truncated table', () => {
  assert.throws(() => linkSamplesIn('a,b\n1,2\n'), { message: /header/ });
  const cut = linkTable(SAMPLES).replace(/,[^,]*\n$/, '\n');
  assert.throws(() => linkSamplesIn(cut), { message: /^line 3 / });
  assert.throws(
    () => linkSamplesIn(linkTable(SAMPLES).replace('5010', 'x').replace('10,10,', '10,x,')),
    {
      message: /^line 3 /,
    },
  );
});
