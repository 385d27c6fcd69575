import assert from 'node:assert/strict';
import { test } from 'node:test';
import { go } from '../../runtime.ts';

const { needs, run } = go.install;

/** Installs it where programs answer so. */
async function install(
  version: string | null,
  build = true,
): Promise<{ trouble: string | null; calls: string[] }> {
  const calls: string[] = [];
  const trouble = await run(async (program, args) => {
    calls.push([program, ...args].join(' '));
    if (args[0] === 'version') return { ok: version !== null, output: version ?? 'ENOENT' };
    return { ok: build, output: 'dial tcp: no such host' };
  });
  return { trouble, calls };
}

test('recognizes a Go by its version output', () => {
  for (const enough of [
    'go1.26.0 linux/amd64',
    'go1.26.8 linux/arm64',
    'go1.27 linux/amd64',
    'go2.0.1 x',
  ]) {
    assert.equal(needs.isEnough(`go version ${enough}`), true, enough);
  }
  for (const old of [
    'go1.19.8 linux/amd64',
    'go1.25.9 linux/amd64',
    'go1.3 linux/386',
    'devel',
    '',
  ]) {
    assert.equal(needs.isEnough(`go version ${old}`), false, old);
  }
});

test('builds its program from the sources of this project, without other parts of the system', async () => {
  const { trouble, calls } = await install('go version go1.26.8 linux/amd64');
  assert.equal(trouble, null);
  assert.match(
    calls.join('\n'),
    /^go version\ngo build -C \/.*\/servers\/go .* -o \/.*-go\.unfinished \.\nmv -f \/.*-go\.unfinished \/.*quic-vs-https-go$/,
  );
});

test('explains the remedy without a Go, with an old one, and without the network', async () => {
  const none = await install(null);
  assert.match(
    none.trouble ?? '',
    /no Go on this machine \(ENOENT\)\. Go 1\.26\.0 or newer.*go\.dev\/dl/,
  );
  assert.equal(none.calls.length, 1);
  const old = await install('go version go1.19.8 linux/amd64');
  assert.match(old.trouble ?? '', /This machine has go version go1\.19\.8.*Go 1\.26\.0 or newer/);
  assert.equal(old.calls.length, 1);
  const cutOff = await install('go version go1.26.8 linux/amd64', false);
  assert.match(cutOff.trouble ?? '', /go build failed.*GOPROXY.*go\.mod.*no such host/s);
});

test('reports its version with that of quic-go', () => {
  assert.equal(
    go.versionsText({ go: '1.26.8', 'quic-go': '0.65.0' }),
    'Go 1.26.8 with quic-go 0.65.0',
  );
});
