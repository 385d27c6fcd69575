import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { parseHTML } from 'linkedom';
import { withRun } from '../../../../test/e2e/with-run.ts';

/**
 * By QUIC and by TCP and TLS: as the study timed it, until the message is sent, until the server's
 * handshake is over, until the response is back.
 */
const ROUND_TRIPS = [1, 1, 1, 2, 1.5, 2.5, 2, 3];

test('finds with the preset dresden one round trip by both as the study timed it, and 1 and 2 until the message is sent', () =>
  withRun('sockets --preset dresden --rtt 10,130 --repetitions 8', async ({ out, output }) => {
    const { document } = parseHTML(await readFile(path.join(out, 'report.html'), 'utf8'));
    const rows = [
      ...document.querySelectorAll('section[aria-labelledby="dresden"] tbody tr:not(.site-row)'),
    ].slice(0, ROUND_TRIPS.length);
    assert.equal(rows.length, ROUND_TRIPS.length, output);
    for (const [row, expected] of ROUND_TRIPS.entries()) {
      const found = Number.parseFloat(rows[row]?.lastElementChild?.textContent ?? '');
      assert.ok(
        Math.abs(found - expected) < 0.3,
        `${rows[row]?.textContent}: expected ${expected}`,
      );
    }
  }));
