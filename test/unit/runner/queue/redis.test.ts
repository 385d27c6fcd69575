import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutPassword } from '../../../../runner/queue/redis.ts';

test('no part of a password in an address of Redis is shown, whatever characters it has', () => {
  for (const [given, shown] of [
    ['redis://:secret@host:6379', 'redis://:***@host:6379'],
    ['redis://me:secret@host', 'redis://me:***@host'],
    ['rediss://:s@cr@et@host/1', 'rediss://:***@host/1'],
    ['redis://me:se:cr/et@host', 'redis://me:***@host'],
    ['redis://host:6379?password=se@cret', 'redis://host:6379?password=***'],
    ['redis://host/0?db=1&password=se@cret&a=b', 'redis://host/0?db=1&password=***&a=b'],
    ['redis://host?sentinelPassword=secret', 'redis://host?sentinelPassword=***'],
    ['--queue=redis://:secret@host', '--queue=redis://:***@host'],
  ] as const) {
    assert.equal(withoutPassword(given), shown);
  }
});

test('what is no address of Redis, or has no password, is shown as it is', () => {
  for (const text of [
    'redis://host:6379',
    'redis://me@host',
    'a:b@c',
    '--fail-if',
    'x?password=y',
  ]) {
    assert.equal(withoutPassword(text), text);
  }
});
