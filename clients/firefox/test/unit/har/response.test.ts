import { test } from 'node:test';
import { assertFields } from '../../../../../test/unit/assert-fields.ts';
import { entryOf } from './load.ts';

const CASES: {
  name: string;
  facts: Parameters<typeof entryOf>[0];
  response: Parameters<typeof assertFields>[1];
}[] = [
  {
    name: 'has a complete response',
    facts: {},
    response: {
      status: 200,
      statusText: '',
      httpVersion: 'h3',
      'content.size': 100,
      'content.mimeType': 'image/png',
      headersSize: -1,
      bodySize: 100,
      _transferSize: 150,
      _error: undefined,
    },
  },
  {
    name: 'knows the size of the headers of HTTP/1.1, and its reason phrase',
    facts: { version: '1.1' },
    response: { httpVersion: 'http/1.1', headersSize: 50, statusText: 'OK' },
  },
  {
    name: 'does not know that size with chunks, whose lengths are counted',
    facts: { version: '1.1', responseHeaders: [['Transfer-Encoding', 'chunked']] },
    response: { headersSize: -1, bodySize: 100 },
  },
  {
    name: 'has the sizes of a compressed body',
    facts: { decodedBytes: 400, responseHeaders: [['content-encoding', 'gzip']] },
    response: { bodySize: 100, 'content.size': 400, 'content.compression': 300 },
  },
  {
    name: 'has no size of a compressed body that was not decoded',
    facts: { responseHeaders: [['content-encoding', 'gzip']] },
    response: { bodySize: 100, 'content.size': 0, 'content.compression': undefined },
  },
  {
    name: 'keeps the 304 that confirmed a cached response',
    facts: { status: 304, encodedBytes: 100, transferBytes: 60 },
    response: { status: 304, bodySize: 0, _transferSize: 60, 'content.size': 100 },
  },
  {
    name: 'has no body of a HEAD request',
    facts: { method: 'HEAD', encodedBytes: 0, transferBytes: 60 },
    response: { bodySize: 0, 'content.size': 0 },
  },
  {
    name: 'has the cookies of a response with their attributes',
    facts: {
      responseHeaders: [
        ['Set-Cookie', 'a=1; Secure; HttpOnly'],
        ['set-cookie', 'b=2=3; Path=/; Domain=example.org; Expires=Wed, 09 Jun 2027 10:18:14 GMT'],
        ['set-cookie', 'only a value; Expires=never'],
      ],
    },
    response: {
      cookies: [
        { name: 'a', value: '1', httpOnly: true, secure: true },
        {
          name: 'b',
          value: '2=3',
          path: '/',
          domain: 'example.org',
          expires: '2027-06-09T10:18:14.000Z',
          httpOnly: false,
          secure: false,
        },
        { name: '', value: 'only a value', httpOnly: false, secure: false },
      ],
    },
  },
  {
    name: 'has an unknown type',
    facts: { contentType: 'application/x-unknown-content-type' },
    response: { 'content.mimeType': 'x-unknown' },
  },
  {
    name: 'says why there is no response',
    facts: { status: 0, error: 'NS_ERROR_UNKNOWN_HOST', version: '' },
    response: { status: 0, httpVersion: 'unknown', _error: 'NS_ERROR_UNKNOWN_HOST', bodySize: 0 },
  },
  {
    name: 'names the error of a failed handshake',
    facts: {
      status: 0,
      error: 'NS_ERROR_GENERATE_FAILURE(NS_ERROR_MODULE_SECURITY, SEC_ERROR_UNKNOWN_ISSUER)',
      // As Firefox says of any request to another origin without a response.
      blocked: 'CORSDIDNOTSUCCEED',
    },
    response: { _error: 'SEC_ERROR_UNKNOWN_ISSUER' },
  },
  {
    name: 'says what forbids a response to a page',
    facts: { error: 'NS_ERROR_DOM_BAD_URI', blocked: 'CORSMISSINGALLOWORIGIN' },
    response: { status: 200, _error: 'NS_ERROR_DOM_BAD_URI (CORSMISSINGALLOWORIGIN)' },
  },
  {
    name: 'says what forbids a cached response',
    facts: { cache: 'disk', blocked: 'CORSMISSINGALLOWORIGIN' },
    response: { _error: 'blocked (CORSMISSINGALLOWORIGIN)' },
  },
  {
    name: 'has no error of a preflight that forbids the request behind it',
    facts: {
      method: 'OPTIONS',
      status: 404,
      error: 'NS_ERROR_DOM_BAD_URI',
      blocked: 'CORSMISSINGALLOWORIGIN',
      requestHeaders: [['Access-Control-Request-Method', 'POST']],
    },
    response: { status: 404, _error: undefined },
  },
  {
    name: 'has a response that was not complete when the capture ended, with the bytes so far',
    facts: { endedMs: null, responseEndMs: 0, transferBytes: 0, encodedBytes: 70 },
    response: {
      _error: 'not complete when the capture ended',
      bodySize: -1,
      'content.size': 70,
      _transferSize: 70,
    },
  },
  {
    name: 'has a request without a response when the capture ended',
    facts: { endedMs: null, responseStartMs: 0, responseEndMs: 0, status: 0 },
    response: { _error: 'no response when the capture ended', _transferSize: 0 },
  },
];

for (const { name, facts, response } of CASES) {
  test(name, () => assertFields(entryOf(facts).response, response));
}
