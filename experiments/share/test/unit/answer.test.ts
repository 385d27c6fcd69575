import assert from 'node:assert/strict';
import { test } from 'node:test';
import { estimate, sentenceOf } from '../../../../test/unit/report/text/answer-sentence.ts';
import { share } from '../../experiment.ts';

test('states a divided metric as a ratio, without a claim about the protocol', () => {
  const changes = {
    transports: { differing: [], unknown: [] },
    nSites: 1,
    ratio: estimate(3.89, 3.1, 4.62),
    difference: estimate(5_600, 5_000, 6_100),
    experiment: 'share',
    metric: 'goodputKbps',
  };
  assert.equal(
    sentenceOf('faster', changes),
    `lsquic (h3) gets 3.89 times the goodput of a flow of Bun (h2) on s0 (3.10 to 4.62 times): 5.60 Mbit/s more on average (5.00 Mbit/s to 6.10 Mbit/s). ${share.differIn?.('h3', 'h2')}`,
  );
  assert.equal(share.differIn?.('h2', 'http/1.1'), null, 'both have the sender of the kernel');
});
