import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { plainReplies } from '../../../../test/unit/servers/replay/plain-replies.ts';
import { readReplayCases } from '../../../../test/unit/servers/replay-cases.ts';
import { failedReply, replayOf } from '../../replay.ts';

for (const { rules, site, cases } of readReplayCases()) {
  describe(`${rules}:`, () => {
    for (const { name, request, expected } of cases) {
      test(name, () => {
        assert.deepEqual(plainReplies(site, [request]), [expected]);
      });
    }
  });
}

test('has no body in a response to HEAD or without content, and may have one in an empty response', () => {
  const headers = () => undefined;
  const request = { method: 'GET', host: 'www.site.test', path: '/', header: headers };
  const replay = replayOf({ url: 'https://www.site.test/', resources: [] });
  assert.equal(replay(request, 0).mayHaveBody, true);
  assert.equal(replay({ ...request, method: 'HEAD' }, 0).mayHaveBody, false);
});

test('answers an unreadable body by 500 with only the common headers', () => {
  const { status, headers, match, bytes } = failedReply('GET', 1500);
  assert.deepEqual([status, match, bytes], [500, 'none', null]);
  assert.deepEqual(headers, [
    ['date', 'Thu, 01 Jan 1970 00:00:01 GMT'],
    ['alt-svc', 'h3=":443"; ma=86400'],
    ['content-length', '0'],
  ]);
});
