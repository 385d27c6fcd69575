import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chromiumFlags } from '../../flags.ts';
import { liveFlags } from '../../live-flags.ts';

const INPUT = { profileFolder: '/tmp/profile', netLogFile: '/tmp/log.json' };

const OF_BENCH = { ...INPUT, origins: {}, spkiPins: [] };

function differencesFrom(measuring: readonly string[], live: readonly string[]) {
  return {
    gone: measuring.filter((flag) => !live.includes(flag)).map((flag) => flag.replace(/=.*/, '')),
    added: live.filter((flag) => !measuring.includes(flag)),
  };
}

const SILENT = [
  '--component-updater=url-source=https://127.0.0.1:1',
  '--gaia-url=https://127.0.0.1:1',
];

test('lets a recording browser go anywhere, by any protocol, with no trust of its own and no requests by itself', () => {
  const measuring = chromiumFlags({ ...OF_BENCH, protocol: 'h2' });
  const { gone, added } = differencesFrom(measuring, liveFlags(INPUT));
  assert.deepEqual(gone, [
    '--disable-quic',
    '--host-resolver-rules',
    '--no-proxy-server',
    '--ignore-certificate-errors-spki-list',
  ]);
  assert.deepEqual(added, SILENT);
  assert.equal(liveFlags(INPUT).at(-1), 'about:blank');
});

test('loads a live page by one version of HTTP, with QUIC forced only on its hosts that speak it', () => {
  const quicHosts = ['www.example.org:443', 'cdn.example.org:8443'];
  const forced = `--origin-to-force-quic-on=${quicHosts.join(',')}`;
  assert.ok(liveFlags(INPUT, { protocol: 'h3', quicHosts }).includes(forced));
  for (const protocol of ['h2', 'http/1.1'] as const) {
    const flags = liveFlags(INPUT, { protocol, quicHosts });
    assert.ok(flags.includes('--disable-quic'), protocol);
    assert.equal(flags.includes('--disable-http2'), protocol === 'http/1.1');
    const measuring = chromiumFlags({ ...OF_BENCH, protocol });
    assert.deepEqual(differencesFrom(measuring, flags).added, SILENT);
  }
});
