import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertEach } from '../../../../test/unit/assert-each.ts';
import { netLogAnswers } from '../../exchanges.ts';
import { begun, ended, head, type LogLine, netLogOf, read } from './net-log-lines.ts';

const URL_1 = 'https://a.test/1';

async function answersOf(...lines: LogLine[]) {
  const answers = await netLogAnswers(netLogOf(lines));
  return answers.map(({ body, ...answer }) => ({ ...answer, body: Buffer.from(body).toString() }));
}

test('reads a response with its headers in order and its body before the decoding filters', async () => {
  const answers = await answersOf(
    begun(1, `${URL_1}#part`, {
      request_type: 'main frame',
      network_isolation_key: 'https://a.test https://a.test',
    }),
    head(1, 'HTTP/1.1 200 OK', 'Set-Cookie: a=1', 'content-encoding: br', 'Set-Cookie: b: 2'),
    [1, 'URL_REQUEST_FILTERS_SET'],
    read(1, 'co', false),
    read(1, 'decoded'),
    read(1, 'ded', false),
    ended(1),
  );
  assert.deepEqual(answers, [
    {
      method: 'GET',
      url: URL_1,
      status: 200,
      headers: [
        ['Set-Cookie', 'a=1'],
        ['content-encoding', 'br'],
        ['Set-Cookie', 'b: 2'],
      ],
      body: 'coded',
      whole: true,
      isolationKey: 'https://a.test https://a.test',
      isDocument: true,
    },
  ]);
});

test('reads the delivered body without filters', async () => {
  const [answer] = await answersOf(
    begun(1, URL_1),
    head(1, 'HTTP/1.1 200', 'content-encoding: gzip'),
    read(1, 'as '),
    read(1, 'sent'),
    ended(1),
  );
  assert.equal(answer?.body, 'as sent');
});

test('reads each step of a redirect as a response without a body', async () => {
  const answers = await answersOf(
    begun(1, URL_1),
    head(1, 'HTTP/1.1 302', 'location: /2'),
    [1, 'URL_REQUEST_REDIRECTED', { location: 'https://a.test/2' }],
    begun(1, 'https://a.test/2'),
    head(1, 'HTTP/1.1 200'),
    read(1, 'there'),
    ended(1),
  );
  assertEach(answers, ({ url, status, body, whole }) => [url, status, body, whole], [
    [URL_1, 302, '', true],
    ['https://a.test/2', 200, 'there', true],
  ]);
});

test('keeps only the last response of a repeated request', async () => {
  const [answer, ...more] = await answersOf(
    begun(1, URL_1),
    head(1, 'HTTP/1.1 401'),
    read(1, 'who?'),
    head(1, 'HTTP/1.1 200'),
    read(1, 'you'),
    ended(1),
  );
  assert.deepEqual([answer?.status, answer?.body, more], [200, 'you', []]);
});

test('calls an aborted or unfinished response incomplete, unless it has its Content-Length', async () => {
  const wholeOf = async (...lines: LogLine[]) => (await answersOf(...lines))[0]?.whole;
  const plain = head(1, 'HTTP/1.1 200');
  const announced = head(1, 'HTTP/1.1 200', 'Content-Length: 4');
  assert.equal(await wholeOf(begun(1, URL_1), plain, read(1, 'half')), false);
  assert.equal(await wholeOf(begun(1, URL_1), plain, [1, 'CANCELLED'], ended(1)), false);
  assert.equal(await wholeOf(begun(1, URL_1), plain, read(1, 'half'), ended(1, -101)), false);
  assert.equal(await wholeOf(begun(1, URL_1), announced, read(1, 'four'), [1, 'CANCELLED']), true);
  assert.equal(await wholeOf(begun(1, URL_1), announced, read(1, 'two'), [1, 'CANCELLED']), false);
  assert.equal(await wholeOf(begun(1, URL_1), head(1, 'HTTP/1.1 204'), [1, 'CANCELLED']), true);
});

test('gives a request without a response status 0', async () => {
  const [failed] = await answersOf(begun(1, URL_1), ended(1, -105));
  assert.deepEqual([failed?.status, failed?.whole], [0, false]);
});

test('decodes bytes that are not ASCII from the escapes of the log', async () => {
  const [answer] = await answersOf(
    begun(1, URL_1),
    head(1, 'HTTP/1.1 200', '%ESCAPED:\u200b x-name: caf%C3%A9 100%25', 'x-plain: 100%25'),
    ended(1),
  );
  assert.deepEqual(answer?.headers, [
    ['x-name', 'caf\xc3\xa9 100%'],
    ['x-plain', '100%25'],
  ]);
});

test('rejects a file that is no NetLog', async () => {
  await assert.rejects(netLogAnswers((async function* () {})()), /no readable NetLog/);
});
