import assert from 'node:assert/strict';
import { test } from 'node:test';
import { replayableHeaders } from '../../../../cache/importers/replayable-headers.ts';
import { SERVER_HEADERS } from '../../../../cache/response-headers.ts';

test('removes headers of the connection and of the moment, without a note', () => {
  const saved: [string, string][] = [...SERVER_HEADERS].map((name) => [name.toUpperCase(), '1']);
  assert.deepEqual(replayableHeaders(saved), { headers: [], notes: [] });
});

test('removes a header that Connection names as hop-by-hop', () => {
  const { headers } = replayableHeaders([
    ['Connection', 'keep-alive, X-Hop'],
    ['X-Hop', '1'],
    ['X-End', '2'],
  ]);
  assert.deepEqual(headers, [['x-end', '2']]);
});

test('keeps cookies, security policy and caching in order, repeated names too', () => {
  const { headers, notes } = replayableHeaders([
    ['Set-Cookie', 'a=1'],
    ['Strict-Transport-Security', 'max-age=1'],
    ['Set-Cookie', 'b=2'],
    ['Content-Security-Policy', 'upgrade-insecure-requests'],
    ['Age', '7'],
  ]);
  assert.deepEqual(headers, [
    ['set-cookie', 'a=1'],
    ['strict-transport-security', 'max-age=1'],
    ['set-cookie', 'b=2'],
    ['content-security-policy', 'upgrade-insecure-requests'],
    ['age', '7'],
  ]);
  assert.deepEqual(notes, []);
});

test('removes headers that send the browser to other machines by themselves', () => {
  const { headers } = replayableHeaders([
    ['Alt-Svc', 'h3=":443"'],
    ['NEL', '{}'],
    ['Report-To', '{}'],
    ['X-Original-Url', 'https://a.test/'],
  ]);
  assert.deepEqual(headers, []);
});

test('redirects to https, with other bytes percent-encoded', () => {
  const { headers } = replayableHeaders([['Location', 'http://a.test/caf\xc3\xa9']]);
  assert.deepEqual(headers, [['location', 'https://a.test/caf%C3%A9']]);
});

test('drops a value that is not ASCII with a note', () => {
  const { headers, notes } = replayableHeaders([
    ['X-Place', 'Z\xfcrich'],
    ['bad name', '1'],
  ]);
  assert.deepEqual(headers, []);
  assert.equal(notes.length, 2);
  assert.match(notes[0] ?? '', /: x-place$/);
  assert.match(notes[1] ?? '', /: "bad name"$/);
});
