import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { type TestContext, test } from 'node:test';
import { Redis } from 'ioredis';
import { connectRedis, withoutPassword } from '../../../../runner/queue/redis.ts';
import { assertEach } from '../../assert-each.ts';

test('shows no part of a password in a Redis address, with any characters', () => {
  for (const [given, shown] of [
    ['redis://:secret@host:6379', 'redis://:***@host:6379'],
    ['redis://me:secret@host', 'redis://me:***@host'],
    ['rediss://:s@cr@et@host/1', 'rediss://:***@host/1'],
    ['redis://me:se:cr/et@host', 'redis://me:***@host'],
    ['redis://host:6379?password=se@cret', 'redis://host:6379?password=***'],
    ['redis://host/0?db=1&password=se@cret&a=b', 'redis://host/0?db=1&password=***&a=b'],
    ['redis://host?sentinelPassword=secret', 'redis://host?sentinelPassword=***'],
    ['--queue=redis://:secret@host', '--queue=redis://:***@host'],
    ['redis://me%3Asecret@host', 'redis://me%3A***@host'],
    ['REDIS://:secret@host', 'REDIS://:***@host'],
    ['redis://host?pass%77ord=secret', 'redis://host?pass%77ord=***'],
    ['redis://host?%50assword=secret&db=1', 'redis://host?%50assword=***&db=1'],
    ['redis://host?db=1&sentinel%50assword=secret', 'redis://host?db=1&sentinel%50assword=***'],
    [
      'redis://host?%=a&%70%61%73%73%77%6f%72%64=s%3D',
      'redis://host?%=a&%70%61%73%73%77%6f%72%64=***',
    ],
  ] as const) {
    assert.equal(withoutPassword(given), shown);
  }
});

test('shows unchanged what is no Redis address, or has no password', () => {
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

test('removes every encoding of the password parameter that the Redis client accepts', () => {
  const letters = [...'password'];
  for (let encoded = 0; encoded < 2 ** letters.length; encoded++) {
    const name = letters.map((letter, place) =>
      (encoded >> place) & 1 ? `%${letter.charCodeAt(0).toString(16)}` : letter,
    );
    const url = `redis://host:1/0?db=1&${name.join('')}=s%65cret`;
    const redis = new Redis(url, { lazyConnect: true });
    assert.equal(redis.options.password, 'secret');
    assert.doesNotMatch(withoutPassword(url), /s%65cret/);
  }
});

/** Answers every command, and records those that authenticate. */
async function fakeRedis(t: TestContext): Promise<{ address: string; sent: string[] }> {
  const sent: string[] = [];
  const server = createServer((socket) => {
    socket.on('data', (data) => {
      for (const [command = ''] of data.toString().matchAll(/\*\d+\r\n(\$\d+\r\n[^\r]*\r\n)+/g)) {
        if (/auth/i.test(command)) sent.push(command);
        socket.write(/info/i.test(command) ? '$9\r\nloading:0\r\n' : '+PONG\r\n');
      }
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  return { address: `127.0.0.1:${(server.address() as AddressInfo).port}`, sent };
}

test('uses a password of the environment if the address lacks one', async (t) => {
  const { address, sent } = await fakeRedis(t);
  process.env.REDIS_PASSWORD = 'of-environment';
  t.after(() => delete process.env.REDIS_PASSWORD);
  for (const url of [`redis://${address}`, `redis://:of-url@${address}`]) {
    (await connectRedis(url)).close();
  }
  assertEach(sent, (command) => /of-\w+/.exec(command)?.[0], ['of-environment', 'of-url']);
});
