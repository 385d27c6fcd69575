import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { parseHTML } from 'linkedom';
import { withRun } from '../../../../test/e2e/with-run.ts';

test('finds with the preset jaeger QUIC confirmed after two round trips, and 1, 2 and 3 until a request may leave', () =>
  withRun('connect --preset jaeger --rtt 10,130 --repetitions 8', async ({ out, output }) => {
    const { document } = parseHTML(await readFile(path.join(out, 'report.html'), 'utf8'));
    const rows = [
      ...document.querySelectorAll('section[aria-labelledby="jaeger"] tbody tr:not(.site-row)'),
    ].slice(0, 6);
    const found = rows.map(({ lastElementChild }) =>
      Number.parseFloat(lastElementChild?.textContent ?? ''),
    );
    const expected = [2, 2, 1, 1, 2, 3];
    assert.equal(found.length, expected.length, output);
    for (const [row, roundTrips] of expected.entries()) {
      const off = Math.abs((found[row] ?? Number.NaN) - roundTrips);
      assert.ok(off < 0.25, `${rows[row]?.textContent}: expected ${roundTrips}`);
    }
    assert.match(
      await readFile(path.join(out, 'connections.jaeger.csv'), 'utf8'),
      /^DnsLookupTime;TimeOfMeasurement;Url;/,
    );
  }));
