import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Har } from '../../../../../clients/har/har.ts';
import { requestSetSha256 } from '../../../checks/requests.ts';

function har(...sent: readonly { method?: string; url: string; cached?: boolean }[]): Har {
  const entries = sent.map(({ method = 'GET', url, cached }) => ({
    request: { method, url },
    ...(cached && { _fromCache: 'memory' }),
  }));
  return { log: { entries } } as unknown as Har;
}

const PAGE = { url: 'https://a.test/' };
const IMAGE = { url: 'https://a.test/1.gif' };

test('has equal digests for equal requests in any order, with repetitions and fragments', () => {
  const digest = requestSetSha256(har(PAGE, IMAGE));
  assert.match(digest, /^[0-9a-f]{64}$/);
  const same = har({ url: `${IMAGE.url}#a` }, PAGE, IMAGE, { url: 'https://a.test/favicon.ico' });
  assert.equal(requestSetSha256(same), digest);
  assert.equal(
    requestSetSha256(har(PAGE, IMAGE, { url: 'https://b.test/', cached: true })),
    digest,
  );
});

test('has another digest for another method, another request, or one fewer', () => {
  const digest = requestSetSha256(har(PAGE, IMAGE));
  assert.notEqual(requestSetSha256(har(PAGE)), digest);
  assert.notEqual(requestSetSha256(har(PAGE, { ...IMAGE, method: 'POST' })), digest);
});
