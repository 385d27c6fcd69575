import assert from 'node:assert/strict';
import { test } from 'node:test';
import { factName } from '../../../../kit/text/fact-name.ts';
import { differingFacts } from '../../../../report/summary/compare-runs.ts';
import { fixtureRun } from '../../report/fixture-run.ts';

test("names facts in a reader's words", () => {
  for (const [fact, name] of [
    ['timeoutS', 'time limit of a load (s)'],
    ['choices.certificateChain', 'certificate chain'],
    ['choices.mtuBytes', 'MTU (bytes)'],
    ['choices.pinned.browserCores', 'pinned, browser cores'],
    ['host.memoryMb', 'memory (MB)'],
    ['stopping.budgetMs', 'stopping rule: budget (ms)'],
    ['arms.quic-go-h3@0.50.1.label', 'label of quic-go-h3@0.50.1'],
    ['arms.own-h3.own.program', 'own program of own-h3'],
    ['versions.chrome-har', 'version of chrome-har'],
    ['quietRule.stealPercent', 'limit of a quiet machine: steal (%)'],
    [
      'fairness.client.tcpInitialWindowSegments',
      'TCP initial window (segments), at the end of the browser',
    ],
    [
      'fairness.server.tcpSendBufferBytes.maximum',
      'TCP send buffer (bytes), maximum, at the end of the servers',
    ],
    ['fairness.stacks.bun-h2.program', 'program of bun-h2, reported by its server'],
    ['fairness.readings.lsquic-h3.initialWindowPackets', 'initial window of lsquic-h3'],
  ] as const) {
    assert.equal(factName(fact), name);
  }
});

test('names no fact of a run by its key, and no two by the same words', () => {
  const { run } = fixtureRun();
  const nothing = { ...run, fairness: { client: {}, server: {}, stacks: {}, readings: {} } };
  const bare = { choices: {}, analysis: {}, quietRule: {}, host: {}, versions: {} };
  const facts = differingFacts([
    run,
    { ...nothing, ...bare, command: [] } as unknown as typeof run,
  ]);
  const names = facts.map(({ fact }) => factName(fact));
  assert.ok(names.length > 60);
  assert.equal(new Set(names).size, names.length);
  for (const name of names.filter((each) => !each.startsWith('version of'))) {
    assert.doesNotMatch(name, /[a-z][A-Z]|^[a-z]+\./, name);
  }
});
