import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageLoad } from '../../../../experiments/page-load/experiment.ts';
import { PHONE } from '../../../../ground/records/device.ts';
import { LIVE_NETWORK } from '../../../../ground/records/network.ts';
import { NOTHING_ADDED } from '../../../../network/conditions.ts';
import { type PlanInFirefox, unsupportedInFirefox } from '../../unsupported.ts';

/** An experiment that Firefox cannot make. */
const unfit = { ...pageLoad, notInFirefox: 'a reason' };

const ARM = { client: 'firefox', protocol: 'h3' } as const;
const PLAN: PlanInFirefox = {
  arms: [{ client: 'chromium', protocol: 'h3' }, ARM],
  networks: [NOTHING_ADDED],
  factors: { visit: ['cold', 'discovered'], cpu: ['cpu-1'] },
  choices: { tlsMost: '1.3' },
};

/** A plan with everything that Firefox does not support. */
const ODD: PlanInFirefox = {
  arms: [
    { client: 'firefox-beta', protocol: 'h2+h3', quicVersion: 2 },
    { ...ARM, own: { url: 'https://127.0.0.1:8443' } },
  ],
  networks: [{ ...LIVE_NETWORK, event: { kind: 'rebind', atMs: 500 } }],
  factors: { cpu: ['cpu-1', 'cpu-4'] },
  choices: { filmedLoads: 1, device: PHONE, netLogs: true, tlsMost: '1.2' },
};

const namesOf = (reasons: readonly string[]) => reasons.map((each) => each.replace(/ \(.*/, ''));

test('supports loads of sites from local servers', () => {
  assert.deepEqual(unsupportedInFirefox(PLAN, pageLoad), []);
  const own = { url: 'https://127.0.0.1' };
  assert.deepEqual(unsupportedInFirefox({ ...PLAN, arms: [{ ...ARM, own }] }, pageLoad), []);
});

test('names everything that is unsupported, with its reason', () => {
  const reasons = unsupportedInFirefox(ODD, unfit);
  assert.deepEqual(namesOf(reasons), [
    'page-load',
    '--live',
    '--film',
    '--cpu above 1',
    'a device other than --desktop',
    '--net-log',
    '--event',
    '--quic-version 2',
    '--tls 1.2 with a server of HTTP/2 and HTTP/3',
    'https://127.0.0.1:8443',
  ]);
  for (const reason of reasons) assert.match(reason, / \(.+\)$/);
});

test('leaves plans without an arm in Firefox alone', () => {
  const arms = [
    { client: 'chromium', protocol: 'h3' },
    { client: 'beta', protocol: 'h2' },
  ] as const;
  assert.deepEqual(unsupportedInFirefox({ ...ODD, arms }, unfit), []);
});
