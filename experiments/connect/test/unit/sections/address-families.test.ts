import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rendered } from '../../../../../test/unit/experiments/rendered.ts';
import { addressFamilies } from '../../../sections/address-families.ts';
import { fail, type MadeUpOptions, viewOf } from './made-up-connections.ts';

const HOSTS = Array.from({ length: 7 }, (_, place) => `host-${place}.example`);
/** IPv6 takes 4 ms more for every round trip. */
const BOTH: MadeUpOptions = {
  hosts: HOSTS,
  families: [4, 6],
  rttMs: (place, _, family) => 10 + place + (family === 6 ? 4 : 0),
};

test('shows both families of each stack side by side, with the difference at the same hosts', () => {
  const { rowsOf, document } = rendered(addressFamilies, viewOf(BOTH));
  assert.equal(document.querySelector('h3')?.textContent, 'none');
  assert.deepEqual(rowsOf('Median time').slice(0, 2), [
    ['tls1.3', '7', '29.0', '37.0', '+8.0', '0 %'],
    ['quic', '7', '18.0', '22.0', '+4.0', '0 %'],
  ]);
});

test('has an interval of a difference from 6 hosts on, without hosts that answered over one family', () => {
  const noisy: MadeUpOptions = {
    ...BOTH,
    rttMs: (place, _, family) => 10 + place + (family === 6 ? (place % 3) - 1 : 0),
  };
  const [, , , , interval] =
    rendered(addressFamilies, viewOf(noisy)).rowsOf('Median time')[1] ?? [];
  assert.match(interval ?? '', /^0\.0−\S+ to \+\S+$/);
  const few = viewOf({
    ...noisy,
    change: (connection, details) => {
      if (connection.factors.ipv !== '6' || HOSTS.indexOf(connection.subject) < 2) return;
      fail(connection, details, 'failed', { layer: 'tcp', code: 'ENETUNREACH', reason: 'None.' });
    },
  });
  const row = rendered(addressFamilies, few).rowsOf('Median time')[1];
  assert.equal(row?.[1], '2');
  assert.match(row?.[4] ?? '', /no interval$/);
});

test('draws a panel for each stack with a line for each family, which differ in more than colour', () => {
  const { document, rowsOf } = rendered(addressFamilies, viewOf(BOTH));
  const charts = [...document.querySelectorAll('svg.chart')];
  assert.equal(charts.length, 4);
  for (const chart of charts) {
    const lines = [...chart.querySelectorAll('path[stroke-dasharray]')];
    assert.equal(new Set(lines.map((line) => line.getAttribute('stroke-dasharray'))).size, 2);
  }
  assert.equal(rowsOf('Value reached')[1]?.at(-1), '14');
});

test('omits the section for a run over one family', () => {
  assert.equal(addressFamilies.isShown?.(viewOf({ hosts: HOSTS })), false);
  assert.equal(addressFamilies.isShown?.(viewOf({ hosts: HOSTS, families: [6] })), false);
});
