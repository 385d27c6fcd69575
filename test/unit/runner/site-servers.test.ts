import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inBrowser, type Stack } from '../../../ground/stack.ts';
import { addressesNeeded, siteAddresses } from '../../../runner/site-servers.ts';
import { STACKS } from '../../../servers/index.ts';
import { ownStack } from '../../../servers/own-stack.ts';

const HOSTS = ['a.example', 'b.example'];

const stackOf = (name: string) => STACKS.find(({ stack }) => stack === name) as Stack;

const H2 = stackOf('bun-h2');
const DUAL = stackOf('bun-dual');
const H2_IN_FIREFOX = inBrowser(H2, 'firefox');
const OWN_IN_FIREFOX = inBrowser(ownStack('own-h2', 'h2', { program: '/x' }), 'firefox-beta');
const RUNNING = inBrowser(ownStack('own-h2', 'h2', { url: 'https://a.example' }), 'firefox');

const STACKS_OF_RUN = [H2, inBrowser(H2, 'beta'), DUAL, H2_IN_FIREFOX, OWN_IN_FIREFOX, RUNNING];

test('gives the servers that browsers need at the default port addresses of their own', () => {
  assert.equal(addressesNeeded(HOSTS.length, STACKS_OF_RUN), 8);
  const { addresses, apart, firstPort } = siteAddresses(HOSTS, STACKS_OF_RUN, 'own');
  assert.deepEqual(addresses, { 'a.example': '10.89.1.1', 'b.example': '10.89.1.2' });
  assert.deepEqual(
    [...(apart ?? [])],
    [
      [DUAL, { 'a.example': '10.89.1.3', 'b.example': '10.89.1.4' }],
      [H2_IN_FIREFOX, { 'a.example': '10.89.1.5', 'b.example': '10.89.1.6' }],
      [OWN_IN_FIREFOX, { 'a.example': '10.89.1.7', 'b.example': '10.89.1.8' }],
    ],
  );
  assert.equal(firstPort, undefined);
});

test('gives the hosts of such a server one address where hosts share one', () => {
  const { addresses, apart } = siteAddresses(HOSTS, [H2, H2_IN_FIREFOX], 'shared');
  assert.deepEqual(addresses, { 'a.example': '10.89.1.1', 'b.example': '10.89.1.1' });
  assert.deepEqual(apart?.get(H2_IN_FIREFOX), {
    'a.example': '10.89.1.3',
    'b.example': '10.89.1.3',
  });
});
