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

test('no two stacks have the same name or label', () => {
  for (const key of ['stack', 'label'] as const) {
    assert.equal(new Set(STACKS.map((each) => each[key])).size, STACKS.length, key);
  }
});

test('a name can stand in a list of --stacks and in the name of a file', () => {
  for (const { stack } of STACKS) assert.match(stack, /^[a-z0-9]+(-[a-z0-9]+)*$/);
});

test('every stack that a folder describes is in the list', async () => {
  const described = await Promise.all(
    globSync('*/stack.ts', { cwd: servers }).map(
      async (file) => (await import(pathToFileURL(path.join(servers, file)).href)) as object,
    ),
  );
  const stacks = described.flatMap((module) => Object.values(module).flat());
  assert.deepEqual(new Set(stacks), new Set(STACKS_OF_PAGES));
});

test('every stack of the index speaks HTTP', () => {
  for (const { stack, protocol } of STACKS_OF_PAGES) assert.match(protocol, /^h(2|3|ttp)/, stack);
});

test("every stack's program is there, beside its description", () => {
  for (const { stack, program } of STACKS) {
    if (program === undefined) continue;
    assert.ok(existsSync(program), `${stack}: ${program}`);
    assert.ok(existsSync(path.join(program, '..', 'stack.ts')), stack);
  }
});

test('what a reader has to know of a stack are whole sentences', () => {
  for (const { note } of STACKS) assert.match(note, /^[A-Z].*\.$/);
});

test('whatever is over QUIC brings a transport along, with a congestion control', () => {
  for (const { stack, protocol, transport } of STACKS) {
    assert.equal(transport !== undefined, isOverQuic(protocol), stack);
    if (transport) assert.ok(transport.congestionControls.length > 0, stack);
  }
});

test('a transport declares how it sends with each congestion control that it can be set to', () => {
  for (const { stack, transport } of STACKS) {
    if (!transport) continue;
    assert.deepEqual(Object.keys(transport.senders), [...transport.congestionControls], stack);
  }
});

test('a stack declares the response order of each of its versions of HTTP, HTTP/1 aside', () => {
  for (const { stack, protocol, responseOrders = {} } of STACKS) {
    const versions = protocol.split('+').filter((version) => /^h[23]$/.test(version));
    assert.deepEqual(Object.keys(responseOrders).sort(), versions, stack);
  }
});

test('the twin of a stack over QUIC is one of the list over TCP', () => {
  for (const { stack, protocol, tcpTwin } of STACKS) {
    if (!tcpTwin) continue;
    assert.ok(isOverQuic(protocol), stack);
    assert.ok(STACKS.includes(tcpTwin) && !isOverQuic(tcpTwin.protocol), stack);
  }
});

test('a pair of protocols is one in either order, and no other two stacks are', () => {
  const [quic, tcp] = PROTOCOL_PAIR.map(({ stack }) => stack) as [string, string];
  assert.equal(isProtocolPair(quic, tcp), true);
  assert.equal(isProtocolPair(tcp, quic), true);
  assert.equal(isProtocolPair(quic, quic), false);
  assert.equal(isProtocolPair(quic, 'of-another-version'), false);
  assert.equal(stackNamed('of-another-version'), undefined);
});

test('what a runtime is made from is in the project', () => {
  for (const { title, install } of RUNTIMES) {
    for (const file of install?.madeFrom ?? []) {
      assert.ok(existsSync(path.join(servers, '..', file)), `${title}: ${file}`);
    }
  }
});
