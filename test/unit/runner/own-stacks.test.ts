import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageLoad } from '../../../experiments/page-load/experiment.ts';
import { isProtocolPair } from '../../../experiments/stacks.ts';
import type { Experiment } from '../../../ground/experiment.ts';
import { readOptions } from '../../../runner/options.ts';
import { assertEach } from '../assert-each.ts';

const read = (stacks: string, experiment: Experiment = pageLoad, ...more: string[]) =>
  readOptions(['--stacks', stacks, ...more], experiment);

test('names an existing server as a stack, with the protocol of its ending, at 443 by default', () => {
  const { stacks } = read(
    'a-h3=https://a.test,b-h2=https://10.0.0.5:8443,c-h1=https://[::1]:1/,d-dual=https://d.test',
  );
  assertEach(stacks, ({ stack, protocol, own }) => [stack, protocol, own], [
    ['a-h3', 'h3', { url: 'https://a.test' }],
    ['b-h2', 'h2', { url: 'https://10.0.0.5:8443' }],
    ['c-h1', 'http/1.1', { url: 'https://[::1]:1' }],
    ['d-dual', 'h2+h3', { url: 'https://d.test' }],
  ]);
});

test('pairs two whose names differ in the ending alone, with the one over TCP as baseline', () => {
  const { stacks, analysis } = read(
    'mine-h3=https://a.test,other-h2=https://b.test,mine-h2=https://a.test',
  );
  assert.equal(stacks[0]?.tcpTwin?.stack, 'mine-h2');
  assert.equal(analysis.baseline, 'mine-h2');
  assert.ok(isProtocolPair('mine-h3', 'mine-h2') && isProtocolPair('mine-h2', 'mine-h3'));
  assert.ok(!isProtocolPair('mine-h3', 'other-h2') && !isProtocolPair('mine-h3', 'mine-h1'));
  assert.ok(isProtocolPair('mine-dual', 'mine-h2') && !isProtocolPair('mine-dual', 'mine-h3'));
  assert.ok(isProtocolPair('lsquic-h3', 'bun-h2') && !isProtocolPair('lsquic-h3', 'lsquic-h2'));
});

const WRONG: Record<string, RegExp> = {
  'Mine-h2=https://a.test': /small letters.*"Mine-h2"/,
  '=https://a.test': /small letters.*""/,
  'mine-=https://a.test': /small letters/,
  'mine=https://a.test': /ends with -h3, -h2, -h1, -dual, .*mine-h2/,
  'bun-h2=https://a.test': /is a stack of this project.*my-bun-h2/,
  'mine-h2=http://a.test': /got http\. .*TLS/,
  'mine-h2=a.test:8443': /expected https:\/\/HOST.*got "a\.test:8443"/,
  'mine-h2=https://': /got "https:\/\/"/,
  'mine-h2=https://a.test/page': /more than that/,
  'mine-h2=https://user@a.test': /more than that/,
  'mine-h2=https://a.test,mine-h2=https://b.test': /mine-h2 occurs twice/,
};

test('reports what is wrong with name or address', () => {
  for (const [stacks, said] of Object.entries(WRONG)) {
    assert.throws(() => read(stacks), { name: 'UsageError', message: said }, stacks);
  }
});

test('rejects requests that such a server cannot receive, with the name of the option', () => {
  const refused = (said: RegExp, experiment: Experiment, ...more: string[]) =>
    assert.throws(() => read('mine-h2=https://a.test,bun-h2', experiment, ...more), {
      name: 'UsageError',
      message: said,
    });
  refused(/--think recorded/, pageLoad, '--think', 'recorded');
  refused(/--sub-resources missing/, pageLoad, '--sub-resources', 'missing');
});

test('allows an HTTPS record only for port 443', () => {
  const visits = ['--visit', 'discovered,https-record'];
  assert.throws(() => read('mine-dual=https://a.test:8443', pageLoad, ...visits), {
    name: 'UsageError',
    message: /mine-dual=.*port 443/,
  });
  read('mine-dual=https://a.test', pageLoad, ...visits);
  read('mine-dual=https://a.test:8443', pageLoad, '--visit', 'discovered');
});
