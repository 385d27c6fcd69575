import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LIVE_NETWORK } from '../../../../ground/records/network.ts';
import type { Observation } from '../../../../ground/records/observation.ts';
import type { PlanRecord, RunRecord } from '../../../../ground/records/run.ts';
import { sharedHostsNotices, unannouncedCautions } from '../../held-back.ts';

const noticesOf = (hosts: number, origins: string, own?: { url: string }, settings = {}) =>
  sharedHostsNotices({
    subjects: [{ hosts }],
    arms: [
      { arm: 'a-h3', protocol: 'h3' },
      { arm: 'a-h2', protocol: 'h2', own, settings },
    ],
    choices: { origins },
  } as unknown as PlanRecord);

test('warns of hosts that share connections over HTTP/2', () => {
  assert.match(noticesOf(3, 'shared').join(), /over HTTP\/2 \(a-h2\)\. Chromium holds back/);
  assert.equal(noticesOf(3, 'own', { url: 'https://localhost:8443' }).length, 1);
  assert.equal(noticesOf(3, 'own', undefined, { origins: 'shared' }).length, 1);
  assert.deepEqual(noticesOf(3, 'own'), []);
  assert.deepEqual(noticesOf(1, 'shared'), []);
});

function cautionsOf(advertised: readonly boolean[], networks: object[] = []): string[] {
  const load = (arm: string, version: string, advertisedH3: boolean, outcome = 'ok') =>
    ({
      arm,
      outcome,
      details: { versions: { document: version, responses: { [version]: 3 }, advertisedH3 } },
    }) as unknown as Observation;
  const run = {
    networks,
    arms: [
      { arm: 'a-h3', label: 'A (h3)', protocol: 'h3' },
      { arm: 'a-h2', label: 'A (h2)', protocol: 'h2' },
    ],
  } as unknown as RunRecord;
  return unannouncedCautions(
    [
      ...advertised.map((each) => load('a-h3', 'h3', each)),
      load('a-h3', 'h3', true, 'failed'),
      load('a-h2', 'h2', false),
    ],
    run,
  );
}

test('warns of a stack over HTTP/3 that announces it in no load', () => {
  assert.match(cautionsOf([false, false]).join(), /^A \(h3\) sends no alt-svc over HTTP\/3/);
  assert.deepEqual(cautionsOf([false, true]), []);
  assert.deepEqual(cautionsOf([]), []);
  assert.deepEqual(cautionsOf([false], [LIVE_NETWORK]), []);
});
