import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LAYERS } from '../../../../../ground/records/connection-attempt.ts';
import { HOSTILE, rendered } from '../../../../../test/unit/experiments/rendered.ts';
import { errors } from '../../../sections/errors.ts';
import { fail, viewOf } from './made-up-connections.ts';

test('groups errors by layer, code and stack, with counts and the first error', () => {
  const view = viewOf({
    change: (connection, details) => {
      const reason = `Nothing came from ${connection.subject} in block ${connection.block}.`;
      if (details.transport === 'quic' && connection.subject !== 'c.example')
        fail(connection, details, 'unsupported', { layer: 'udp', code: 'timeout', reason });
      if (details.transport === 'tls1.2' && connection.subject === 'a.example')
        fail(connection, details, 'failed', { layer: 'tls', code: 'protocol_version', reason });
    },
  });
  const { rowsOf, words } = rendered(errors, view);
  const [udp, timeout, tls, version, ...rest] = rowsOf('Connections that ended');
  assert.match(udp?.[0] ?? '', /^udp .*: 4 connections to 2 /);
  assert.deepEqual(timeout, [
    'timeout',
    'Not supported',
    'quic',
    '4',
    '2',
    'a.example: Nothing came from a.example in block 1.',
  ]);
  assert.match(tls?.[0] ?? '', /^tls alerts and certificates: 2 connections to 1 /);
  assert.deepEqual(version?.slice(0, 5), ['protocol_version', 'Failed', 'tls1.2', '2', '1']);
  assert.deepEqual(rest, []);
  assert.match(words, /4 not supported, 2 failed/);
});

test('separates unsupported and failed connections with the same code', () => {
  const view = viewOf({
    change: (connection, details) => {
      if (details.transport !== 'quic') return;
      const outcome = connection.subject === 'a.example' ? 'failed' : 'unsupported';
      fail(connection, details, outcome, { layer: 'udp', code: 'timeout', reason: 'None.' });
    },
  });
  const outcomes = rendered(errors, view)
    .rowsOf('Connections that ended')
    .map(([, outcome, , count]) => [outcome, count]);
  assert.deepEqual(outcomes.slice(1), [
    ['Not supported', '4'],
    ['Failed', '2'],
  ]);
});

test('places every layer from the client to the response', () => {
  let next = 0;
  const view = viewOf({
    hosts: LAYERS.map((layer) => `${layer}.example`),
    change: (connection, details) => {
      const layer = LAYERS[Math.floor(next++ / 8) % LAYERS.length] ?? 'client';
      fail(connection, details, 'failed', { layer, code: 'x', reason: 'y' });
    },
  });
  const layers = rendered(errors, view)
    .rowsOf('Connections that ended')
    .flatMap((row) => (row.length === 1 ? (row[0] ?? '').split(' ')[0] : []));
  assert.deepEqual(layers, [...LAYERS]);
});

test('renders hostile hosts and reasons as text, and shortens a long reason', () => {
  const view = viewOf({
    hosts: [HOSTILE],
    change: (connection, details) =>
      fail(connection, details, 'failed', {
        layer: 'tls',
        code: HOSTILE,
        reason: HOSTILE + 'x'.repeat(5000),
      }),
  });
  const { rowsOf, text } = rendered(errors, view);
  assert.equal(rowsOf('Connections that ended')[1]?.[0], HOSTILE);
  assert.doesNotMatch(text, /x{300}/);
});

test('omits the section without errors, and errors of the bench itself', () => {
  assert.equal(errors.isShown?.(viewOf()), false);
  const broken = viewOf({
    change: (connection) => {
      Object.assign(connection, {
        outcome: 'failed',
        code: 'client-failed',
        metrics: {},
        details: null,
      });
    },
  });
  assert.equal(errors.isShown?.(broken), false);
});
