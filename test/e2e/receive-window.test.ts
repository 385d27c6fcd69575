import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import type { Observation } from '../../ground/records/observation.ts';
import { readRun } from '../../ground/records/read.ts';
import { QUIC_WINDOW_BYTES } from '../../network/receive-window.ts';
import { readFlow } from '../../packets/flow/flow.ts';
import { orSkip } from './userspace-path.ts';
import { type EndedRun, withRun } from './with-run.ts';

const CAPTURED =
  'benchmark --sites www.example.org --stacks lsquic-h3,bun-h2 --rtt 10 --repetitions 1 --warm-ups 0 --packets all';

/** The browser's first window in bytes on each connection, by stack, from its packets. */
async function firstWindowsBytes({ out, observations }: EndedRun<Observation>) {
  const windows: Record<string, Set<number | undefined>> = {};
  for (const { arm, files } of observations) {
    const { connections } = await readFlow(path.join(out, files.packets ?? ''));
    assert.ok(connections.length > 0);
    windows[arm] ??= new Set();
    for (const { series } of connections) windows[arm].add(series.window[0]?.bytes);
  }
  return windows;
}

test("has a first receive window over TCP like that of Chromium's QUIC, and 64 kB with a stock buffer", (t) =>
  // Only tshark reads captures.
  orSkip(t, () =>
    withRun(CAPTURED, async (run) => {
      const matched = await firstWindowsBytes(run);
      assert.deepEqual([...(matched['lsquic-h3'] ?? [])], [QUIC_WINDOW_BYTES.chromium]);
      assert.ok(matched['bun-h2']?.size);
      for (const bytes of matched['bun-h2']) {
        const ratio = (bytes ?? Number.NaN) / QUIC_WINDOW_BYTES.chromium;
        assert.ok(ratio > 0.98 && ratio < 1.02, `${bytes} bytes`);
      }
      const { fairness } = await readRun(run.out);
      for (const { tcpReceiveBufferBytes } of [fairness.client, fairness.server]) {
        assert.equal(tcpReceiveBufferBytes.value?.initial, 2 * QUIC_WINDOW_BYTES.chromium);
      }
      await withRun(`${CAPTURED} --receive-buffer stock`, async (stockRun) => {
        const stock = await firstWindowsBytes(stockRun);
        assert.deepEqual([...(stock['lsquic-h3'] ?? [])], [QUIC_WINDOW_BYTES.chromium]);
        assert.ok(stock['bun-h2']?.size);
        for (const bytes of stock['bun-h2']) {
          assert.ok(bytes && bytes >= 64_000 && bytes <= 65_536, `${bytes} bytes`);
        }
      });
    }),
  ));
