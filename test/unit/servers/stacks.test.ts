import assert from 'node:assert/strict';
import { existsSync, globSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { allStacks, isProtocolPair, stackNamed } from '../../../experiments/stacks.ts';
import { isOverQuic } from '../../../ground/records/protocol.ts';
import { PROTOCOL_PAIR, RUNTIMES, STACKS as STACKS_OF_PAGES } from '../../../servers/index.ts';

const STACKS = allStacks();
const servers = path.join(import.meta.dirname, '..', '..', '..', 'servers');

test('gives no two stacks the same name or label', () => {
  for (const key of ['stack', 'label'] as const) {
    assert.equal(new Set(STACKS.map((each) => each[key])).size, STACKS.length, key);
  }
});

test('allows every name in a list of --stacks and in a file name', () => {
  for (const { stack } of STACKS) assert.match(stack, /^[a-z0-9]+(-[a-z0-9]+)*$/);
});

test('lists every stack that a folder describes', async () => {
  const described = await Promise.all(
    globSync('*/stack.ts', { cwd: servers }).map(
      async (file) => (await import(pathToFileURL(path.join(servers, file)).href)) as object,
    ),
  );
  const stacks = described.flatMap((module) => Object.values(module).flat());
  assert.deepEqual(new Set(stacks), new Set(STACKS_OF_PAGES));
});

test('contains only stacks that speak HTTP', () => {
  for (const { stack, protocol } of STACKS_OF_PAGES) assert.match(protocol, /^h(2|3|ttp)/, stack);
});

test("has every stack's program next to its description", () => {
  for (const { stack, program } of STACKS) {
    if (program === undefined) continue;
    assert.ok(existsSync(program), `${stack}: ${program}`);
    assert.ok(existsSync(path.join(program, '..', 'stack.ts')), stack);
  }
});

test('states caveats of a stack in whole sentences', () => {
  for (const { note } of STACKS) assert.match(note, /^[A-Z].*\.$/);
});

test('declares a transport with a congestion control for everything over QUIC', () => {
  for (const { stack, protocol, transport } of STACKS) {
    assert.equal(transport !== undefined, isOverQuic(protocol), stack);
    if (transport) assert.ok(transport.congestionControls.length > 0, stack);
  }
});

test('declares how a transport sends with each of its congestion controls', () => {
  for (const { stack, transport } of STACKS) {
    if (!transport) continue;
    assert.deepEqual(Object.keys(transport.senders), [...transport.congestionControls], stack);
  }
});

test('declares the response order of each version of HTTP but HTTP/1', () => {
  for (const { stack, protocol, responseOrders = {} } of STACKS) {
    const versions = protocol.split('+').filter((version) => /^h[23]$/.test(version));
    assert.deepEqual(Object.keys(responseOrders).sort(), versions, stack);
  }
});

test('lists the twin of a QUIC stack as one over TCP', () => {
  for (const { stack, protocol, tcpTwin } of STACKS) {
    if (!tcpTwin) continue;
    assert.ok(isOverQuic(protocol), stack);
    assert.ok(STACKS.includes(tcpTwin) && !isOverQuic(tcpTwin.protocol), stack);
  }
});

test('pairs protocols in either order, and no other two stacks', () => {
  const [quic, tcp] = PROTOCOL_PAIR.map(({ stack }) => stack) as [string, string];
  assert.equal(isProtocolPair(quic, tcp), true);
  assert.equal(isProtocolPair(tcp, quic), true);
  assert.equal(isProtocolPair(quic, quic), false);
  assert.equal(isProtocolPair(quic, 'of-another-version'), false);
  assert.equal(stackNamed('of-another-version'), undefined);
});

test('has the sources of every runtime in the project', () => {
  for (const { title, install } of RUNTIMES) {
    for (const file of install?.madeFrom ?? []) {
      assert.ok(existsSync(path.join(servers, '..', file)), `${title}: ${file}`);
    }
  }
});
