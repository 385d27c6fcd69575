import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { meanKbpsOf, parseTraceTimes } from '../../../../ground/records/trace.ts';
import { cellularTimesMs, SYNTHETIC_TRACES } from '../../../../network/traces/make.ts';

const FOLDER = path.join(import.meta.dirname, '..', '..', '..', '..', 'network', 'traces');

for (const [name, link] of Object.entries(SYNTHETIC_TRACES)) {
  test(`generates ${name} by its formula and its seed`, () => {
    const timesMs = parseTraceTimes(readFileSync(path.join(FOLDER, name), 'latin1'));
    assert.deepEqual([...timesMs], cellularTimesMs(link));
    const meanKbps = meanKbpsOf(timesMs);
    assert.ok(Math.abs(meanKbps / link.meanKbps - 1) < 0.001, `${meanKbps} kbit/s`);
  });
}

test('generates a cellular link with variation and gaps', () => {
  const timesMs = cellularTimesMs({ seed: 1, meanKbps: 6000 });
  const perSecond = Array.from(
    { length: 30 },
    (_, second) => timesMs.filter((ms) => Math.ceil(ms / 1000) === second + 1).length,
  );
  assert.ok(Math.max(...perSecond) > 4 * Math.min(...perSecond), `${perSecond}`);
  const pausesMs = timesMs.slice(1).map((ms, index) => ms - (timesMs[index] ?? 0));
  assert.ok(Math.max(...pausesMs) >= 200);
  assert.notDeepEqual(cellularTimesMs({ seed: 2, meanKbps: 6000 }), timesMs);
});
