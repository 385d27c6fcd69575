import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EXIT } from '../../../../ground/system/exit-status.ts';
import type { FailureCode } from '../../../load-failure.ts';
import { livePageError } from '../../live-page-error.ts';

const URL_OF_PAGE = 'https://a.test/';

function errorOf(code: FailureCode, message: string) {
  return livePageError(URL_OF_PAGE, { failure: { code, message }, document: null });
}

function documentOf(mimeType: string) {
  const document = { url: URL_OF_PAGE, status: 200, mimeType };
  return livePageError(URL_OF_PAGE, { failure: null, document });
}

test('does not count an HTML page as an error, with any status', () => {
  assert.equal(documentOf('text/html'), null);
  assert.equal(documentOf('application/xhtml+xml'), null);
});

test('gives each error a remedy and an exit status', () => {
  const cases: [ReturnType<typeof errorOf>, RegExp, number][] = [
    [
      errorOf('navigation-failed', 'Chromium: net::ERR_NAME_NOT_RESOLVED at x'),
      /internet/,
      EXIT.network,
    ],
    [
      errorOf('navigation-failed', 'Chromium: net::ERR_CERT_DATE_INVALID at x'),
      /certificate/,
      EXIT.network,
    ],
    [
      errorOf('navigation-failed', 'Chromium: net::ERR_CONNECTION_REFUSED at x'),
      /reach it/,
      EXIT.network,
    ],
    [errorOf('navigation-failed', 'Chromium: net::ERR_ABORTED at x'), /not a page/, EXIT.usage],
    [errorOf('timeout', 'No load event.'), /--timeout/, EXIT.network],
    [errorOf('page-crashed', 'Crashed.'), /memory/, EXIT.machine],
    [documentOf('application/pdf'), /application\/pdf, expected HTML/, EXIT.usage],
    [livePageError(URL_OF_PAGE, { failure: null, document: null }), /no document/, EXIT.network],
  ];
  for (const [error, message, exitStatus] of cases) {
    assert.match(error?.message ?? '', message);
    assert.match(error?.message ?? '', /https:\/\/a\.test\//);
    assert.equal(error?.exitStatus, exitStatus);
  }
});
