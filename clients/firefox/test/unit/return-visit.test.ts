import assert from 'node:assert/strict';
import { test } from 'node:test';
import { oneOfEachHost, ticketDelayMs, type Visited } from '../../return-visit.ts';

function response(url: string, { connectMs = 0, method = 'GET', status = 200 } = {}): Visited {
  const connected = { connectStartMs: 10, connectEndMs: 10 + connectMs };
  return { url, method, status, version: '3.0', ...connected };
}

test('repeats one request of each host, which changes nothing there and has no long URL', () => {
  const responses = [
    response('https://a.test/'),
    response('https://b.test/1.gif'),
    response('https://a.test/2.gif'),
    response('https://b.test/beacon', { method: 'POST' }),
    response('https://c.test/gone', { status: 0 }),
    response('http://d.test/'),
    response('data:,x'),
    response(`https://b.test/${'x'.repeat(8_000)}`),
  ];
  assert.deepEqual(oneOfEachHost(responses), ['https://a.test/2.gif', 'https://b.test/1.gif']);
});

test('waits for tickets as many probe timeouts as the slowest handshake suggests, within bounds', () => {
  const [fast, slow, endless] = [30, 100, 5_000].map((connectMs) =>
    response('https://a.test/', { connectMs }),
  ) as [Visited, Visited, Visited];
  assert.equal(ticketDelayMs([]), 100);
  assert.equal(ticketDelayMs([fast, slow, response('https://a.test/')]), 4 * 325);
  assert.equal(ticketDelayMs([endless]), 10_000);
});
