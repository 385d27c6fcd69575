import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { test } from 'node:test';
import { connectRedis, QueueError } from '../../runner/queue/redis.ts';

/** First bytes of a server in place of Redis' reply to PING. */
const ANSWERS: Record<string, Buffer> = {
  garbage: Buffer.from([0, 255, 13, 10, 42, 7, 13, 10, 36, 45, 57, 13, 10]),
  'a bulk string of 4 GB that never comes': Buffer.from('$4294967296\r\n'),
  '200,000 arrays in each other': Buffer.from('*1\r\n'.repeat(200_000)),
  'an error': Buffer.from('-ERR \x1b[31mno\r\n'),
  HTTP: Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n'),
};

test('ends the connection to a server that is no Redis with a sentence', async (t) => {
  for (const [what, answer] of Object.entries(ANSWERS)) {
    await t.test(what, async () => {
      const server = createServer((socket) => {
        socket.on('error', () => {});
        socket.on('data', () => socket.write(answer));
      });
      await once(server.listen(0, '127.0.0.1'), 'listening');
      const { port } = server.address() as AddressInfo;
      try {
        await assert.rejects(
          connectRedis(`redis://127.0.0.1:${port}`, { patienceMs: 1000 }),
          QueueError,
        );
      } finally {
        server.close();
      }
    });
  }
});
