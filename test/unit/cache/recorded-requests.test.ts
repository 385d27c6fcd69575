import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lost } from '../../../cache/notes.ts';
import { nearlyEmpty } from '../../../cache/recorded-requests.ts';
import { siteOfRecording } from '../../../cache/site-of-recording.ts';
import { exampleExchange, exampleRecording } from './example-recording.ts';

const requestsOf = (...[exchanges, rest]: Parameters<typeof exampleRecording>) =>
  siteOfRecording(exampleRecording(exchanges, rest), { file: 'x' }).manifest.requests;

test('counts a request with any missing part of its response once, and likewise unreadable entries', () => {
  assert.deepEqual(
    requestsOf(
      [
        exampleExchange('https://a.test/1', { status: 0 }),
        exampleExchange('https://a.test/1', { body: null }),
        exampleExchange('https://a.test/2', { status: 304 }),
        exampleExchange('https://a.test/2', { method: 'POST' }),
      ],
      { notes: [lost('entry 9', 'it is damaged'), { where: 'entry 8', text: 'a file' }, 'a note'] },
    ),
    { recorded: 5, answered: 2 },
  );
});

test('does not count as missing what has a response after all, or is never sent to a server', () => {
  assert.deepEqual(
    requestsOf([
      exampleExchange('http://a.test/1', {
        status: 301,
        headers: [['location', 'https://a.test/1']],
      }),
      exampleExchange('https://a.test/1', { status: 0 }),
      exampleExchange('https://a.test/1'),
      exampleExchange('https://a.test/1#again'),
      exampleExchange('data:text/css,x'),
      exampleExchange('https://a.test/1', { method: 'OPTIONS' }),
    ]),
    { recorded: 2, answered: 2 },
  );
});

test('calls a site nearly empty when less than half of the requests have a response', () => {
  assert.equal(nearlyEmpty({}), null);
  assert.equal(nearlyEmpty({ requests: { recorded: 2, answered: 1 } }), null);
  assert.match(
    nearlyEmpty({ requests: { recorded: 1076, answered: 1 } }) ?? '',
    /^the site is nearly empty: its recording has 1,076 requests, and replayable answers to only 1 of them\./,
  );
  assert.notEqual(nearlyEmpty({ requests: { recorded: 3, answered: 1 } }), null);
});
