import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inBrowser } from '../../../ground/stack.ts';
import { addressesNeeded, siteAddresses } from '../../../runner/site-servers.ts';
import { ownStack } from '../../../servers/own-stack.ts';

const HOSTS = ['a.example', 'b.example'];

const H2 = ownStack('a-h2', 'h2', { program: '/a' });
const DUAL = ownStack('a-dual', 'h2+h3', { program: '/a' });
const H2_IN_FIREFOX = inBrowser(H2, 'firefox');
const OWN_IN_FIREFOX = inBrowser(ownStack('b-h2', 'h2', { program: '/b' }), 'firefox-beta');
const RUNNING = inBrowser(ownStack('c-h2', 'h2', { url: 'https://a.example' }), 'firefox');

const STACKS_OF_RUN = [H2, inBrowser(H2, 'beta'), DUAL, H2_IN_FIREFOX, OWN_IN_FIREFOX, RUNNING];

test('gives the servers that browsers need at the default port addresses of their own', () => {
  assert.equal(addressesNeeded(HOSTS.length, STACKS_OF_RUN), 8);
  const { addresses, apart, firstPort } = siteAddresses(HOSTS, STACKS_OF_RUN, 'own');
  assert.deepEqual(addresses, { 'a.example': '198.18.1.1', 'b.example': '198.18.1.2' });
  assert.deepEqual(
    [...apart],
    [
      [DUAL, { addresses: { 'a.example': '198.18.1.3', 'b.example': '198.18.1.4' } }],
      [H2_IN_FIREFOX, { addresses: { 'a.example': '198.18.1.5', 'b.example': '198.18.1.6' } }],
      [OWN_IN_FIREFOX, { addresses: { 'a.example': '198.18.1.7', 'b.example': '198.18.1.8' } }],
    ],
  );
  assert.equal(firstPort, undefined);
  assert.throws(() => addressesNeeded(20_000, STACKS_OF_RUN), {
    name: 'UsageError',
    message: /has 20000 hosts, whose servers need 80000 addresses\. The path has 62500\./,
  });
});

test('gives the hosts of such a server one address where hosts share one', () => {
  const { addresses, apart } = siteAddresses(HOSTS, [H2, H2_IN_FIREFOX], 'shared');
  assert.deepEqual(addresses, { 'a.example': '198.18.1.1', 'b.example': '198.18.1.1' });
  assert.deepEqual(apart.get(H2_IN_FIREFOX), {
    addresses: { 'a.example': '198.18.1.3', 'b.example': '198.18.1.3' },
  });
});

test('gives each arm whose hosts share an address another one than the rest of the run', () => {
  const settings = { origins: 'shared' } as const;
  const [h2, running] = [H2, RUNNING].map((stack) => ({ ...stack, settings }));
  assert.ok(h2 && running);
  const stacks = [H2, h2, { ...H2_IN_FIREFOX, settings }, running];
  assert.equal(addressesNeeded(HOSTS.length, stacks), 6);
  const { addresses, apart } = siteAddresses(HOSTS, stacks, 'own');
  assert.deepEqual(addresses, { 'a.example': '198.18.1.1', 'b.example': '198.18.1.2' });
  assert.deepEqual(
    [...apart.values()].map((each) => Object.values(each.addresses)),
    [
      ['198.18.1.3', '198.18.1.3'],
      ['198.18.1.5', '198.18.1.5'],
    ],
  );
});
