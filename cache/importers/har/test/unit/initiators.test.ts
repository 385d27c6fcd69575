import { test } from 'node:test';
import { assertEach } from '../../../../../test/unit/assert-each.ts';
import { exampleExchange } from '../../../../../test/unit/cache/example-recording.ts';
import { addInitiators } from '../../page.ts';

test('finds initiators by URL, by the first frame of a script, and by redirects', () => {
  const cases: [url: string, entry: object, location?: string][] = [
    ['https://a.test/', {}],
    ['https://a.test/s.js', { _initiator: { type: 'parser', url: 'https://a.test/#top' } }],
    [
      'https://a.test/x',
      { _initiator: { stack: { callFrames: [{ url: '' }, { url: 'https://a.test/s.js' }] } } },
    ],
    ['https://a.test/r', { _initiator: 'https://a.test/' }, '/target'],
    ['https://a.test/target', { _initiator: { url: 'https://a.test/' } }],
    ['https://a.test/later', { _initiator: { url: 'https://a.test/not-seen' } }],
  ];
  const exchanges = cases.map(([url, , location]) =>
    exampleExchange(url, location ? { status: 302, headers: [['Location', location]] } : {}),
  );
  addInitiators(
    exchanges,
    cases.map(([, entry]) => entry),
  );
  assertEach(exchanges, ({ initiator }) => initiator, [undefined, 0, 1, 0, 3, undefined]);
});

test('makes nothing its own initiator, nor a later request', () => {
  const exchanges = [exampleExchange('https://a.test/'), exampleExchange('https://b.test/')];
  addInitiators(exchanges, [{ _initiator: 'https://b.test/' }, { _initiator: 'https://b.test/' }]);
  assertEach(exchanges, ({ initiator }) => initiator, [undefined, undefined]);
});

test('takes the later response after a bounce as the initiator', () => {
  const to = (url: string, location: string) =>
    exampleExchange(url, { status: 302, headers: [['location', location]] });
  const exchanges = [
    to('https://a.test/', 'https://sso.test/'),
    to('https://sso.test/', 'https://a.test/'),
    exampleExchange('https://a.test/'),
    exampleExchange('https://a.test/s.js'),
  ];
  addInitiators(exchanges, [{}, {}, {}, { _initiator: 'https://a.test/' }]);
  assertEach(exchanges, ({ initiator }) => initiator, [undefined, 0, 1, 2]);
});
