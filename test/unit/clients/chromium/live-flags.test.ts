import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chromiumFlags } from '../../../../clients/chromium/flags.ts';
import { liveFlags } from '../../../../clients/chromium/live-flags.ts';

const INPUT = { profileFolder: '/tmp/profile', netLogFile: '/tmp/log.json', asRoot: false };

test('a browser that records may go anywhere, by any protocol, and trusts nothing of its own', () => {
  const flags = liveFlags(INPUT).join('\n');
  for (const fence of ['resolver', 'proxy', 'certificate', 'quic', 'http2']) {
    assert.ok(!flags.includes(fence), fence);
  }
});

test('it differs in nothing else from a browser that measures', () => {
  const measuring = chromiumFlags({ ...INPUT, protocol: 'h2', origins: {}, spkiPins: [] });
  const flags = liveFlags(INPUT);
  assert.equal(measuring.length - flags.length, 4);
  assert.deepEqual(
    flags,
    measuring.filter((flag) => flags.includes(flag)),
  );
  assert.ok(flags.includes('--log-net-log=/tmp/log.json'));
  assert.equal(flags.at(-1), 'about:blank');
});
