import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Har, HarEntry } from '../../../../clients/har/har.ts';
import { NONE } from '../../../../test/unit/report/fixture-run.ts';
import { exchangeLog, exchangesOf } from '../../exchanges.ts';

const URL_OF_PAGE = 'https://a.test/';

function har(...entries: [url: string, headers?: Record<string, string>, change?: object][]): Har {
  const made = entries.map(([url, headers = {}, change = {}]) => ({
    request: { method: 'GET', url },
    response: {
      status: 200,
      headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
    },
    ...change,
  }));
  return { log: { entries: made as unknown as HarEntry[] } } as Har;
}

const trialOf = (arm: string, visit = 'cold') => ({
  subject: 'a.test',
  network: NONE,
  factors: { visit },
  arm,
});

test('has method, URL, status and the fields by which servers are compared', () => {
  const exchanges = exchangesOf(
    har(
      [`${URL_OF_PAGE}#top`, { Vary: 'accept', date: 'Thu, 01 Jan 2026 00:00:00 GMT' }],
      ['https://a.test/favicon.ico'],
      ['https://a.test/cached', {}, { _fromCache: 'disk' }],
      ['https://a.test/lost', {}, { response: { status: 0, headers: [] } }],
    ),
  );
  assert.deepEqual(exchanges, [
    { request: `GET ${URL_OF_PAGE}`, status: 200, fields: { vary: 'accept' } },
    { request: 'GET https://a.test/lost', status: null, fields: {} },
  ]);
});

test('omits values of secrets as in HARs', () => {
  const [exchange] = exchangesOf(
    har([URL_OF_PAGE, { 'set-cookie': 'id=4711; Secure', 'x-auth-token': 'hunter2' }]),
  );
  assert.deepEqual(exchange?.fields, {
    'set-cookie': 'id=(removed); Secure',
    'x-auth-token': '(removed)',
  });
});

test('lists a set of exchanges once in a run, from the first stack that has it', () => {
  const log = exchangeLog();
  const first = log.fieldsOf(har([URL_OF_PAGE]), trialOf('bun-h2'));
  assert.equal(first.exchanges?.length, 1);
  const second = log.fieldsOf(har([URL_OF_PAGE]), trialOf('lsquic-h3'));
  assert.deepEqual(second, { exchangesSha256: first.exchangesSha256 });
});

test('limits the records of a server that never sends the same twice', () => {
  const log = exchangeLog({ mostSets: 3 });
  const listedIn = (visit: string) =>
    Array.from({ length: 10 }, (_, index) =>
      log.fieldsOf(har([URL_OF_PAGE, { 'x-id': `${visit} ${index}` }]), trialOf('own-h2', visit)),
    ).filter(({ exchanges }) => exchanges);
  assert.equal(listedIn('cold').length, 3);
  assert.equal(listedIn('repeat').length, 3);
  const small = exchangeLog({ mostBytes: 100 });
  const { exchanges } = small.fieldsOf(
    har([URL_OF_PAGE, { csp: 'x'.repeat(100) }]),
    trialOf('own-h2'),
  );
  assert.equal(exchanges, undefined);
});
