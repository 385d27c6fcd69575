import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageLoad } from '../../../../experiments/page-load/experiment.ts';
import type { Observation } from '../../../../ground/records/observation.ts';
import type { Block } from '../../../../report/summary/blocks.ts';
import { disturbedSentence, machineNotes } from '../../../../report/summary/machine-notes.ts';
import { summaryTable } from '../../../../report/terminal.ts';
import { type FixtureOptions, NONE, ONE_SITE, spoil } from '../fixture-run.ts';
import { fixtureSummary } from '../reported.ts';
import { noiseFrom, simulatedBlocks } from './simulated-blocks.ts';

const PAIR = { arm: { arm: 'a', label: 'A (h3)' }, baseline: { arm: 'b', label: 'B (h2)' } };

/** Blocks with this CPU pressure during one stack's loads, and that during the second's. */
function blocksUnder(percent: number | null, ofBaselinePercent: number | null): Block[] {
  const blocks = simulatedBlocks(5, noiseFrom(1));
  for (const load of blocks.flatMap(({ made }) => made)) {
    const cpuPressurePercent = load.arm === 'a' ? percent : ofBaselinePercent;
    load.machine = load.machine && { ...load.machine, cpuPressurePercent };
  }
  return blocks;
}

test('names the load with more CPU pressure in an unequal pair', () => {
  assert.deepEqual(machineNotes(PAIR, blocksUnder(63, 41), pageLoad), [
    'A (h3) met more CPU pressure than B (h2) (median 63 % against 41 %): part of the result may be due to this machine.',
  ]);
  const [other] = machineNotes(PAIR, blocksUnder(41, 63.4), pageLoad);
  assert.match(
    other ?? '',
    /^B \(h2\) met more CPU pressure than A \(h3\) \(median 63 % against 41/,
  );
});

test('ignores differences of up to 10 percentage points, and unknown pressure', () => {
  assert.deepEqual(machineNotes(PAIR, blocksUnder(50, 40), pageLoad), []);
  assert.equal(machineNotes(PAIR, blocksUnder(50.1, 40), pageLoad).length, 1);
  assert.deepEqual(machineNotes(PAIR, blocksUnder(90, null), pageLoad), []);
  assert.deepEqual(machineNotes(PAIR, [], pageLoad), []);
});

/** Blocks with this link processor time for one stack, and that for the second. */
function blocksOverLink(ms: number | null, ofBaselineMs: number | null): Block[] {
  const blocks = simulatedBlocks(5, noiseFrom(1));
  for (const load of blocks.flatMap(({ made }) => made)) {
    load.metrics.pageLoadMs = 500;
    const linkCpuMs = load.arm === 'a' ? ms : ofBaselineMs;
    load.path = load.path && { ...load.path, linkCpuMs };
  }
  return blocks;
}

test('names the stack for which the link worked more, and by how much', () => {
  assert.deepEqual(machineNotes(PAIR, blocksOverLink(46.6, 29.1), pageLoad), [
    'The link itself took more processor time for A (h3) than for B (h2): 46.6 against 29.1 ms per load (medians), a difference of 3.5 % of the page load time. Part of the result may be due to this machine: a real link has no such cost.',
  ]);
  const [other] = machineNotes(PAIR, blocksOverLink(29.1, 46.6), pageLoad);
  assert.match(
    other ?? '',
    /more processor time for B \(h2\) than for A \(h3\): 46\.6 against 29\.1 ms/,
  );
});

test('has no note about the link up to 2 % of the load time, or if it is unknown', () => {
  assert.deepEqual(machineNotes(PAIR, blocksOverLink(20, 10), pageLoad), []);
  assert.equal(machineNotes(PAIR, blocksOverLink(20.1, 10), pageLoad).length, 1);
  assert.deepEqual(machineNotes(PAIR, blocksOverLink(100, null), pageLoad), []);
  // A metric without time has no share of it.
  const rates = { ...pageLoad, metrics: pageLoad.metrics.filter(({ unit }) => unit !== 'ms') };
  assert.deepEqual(machineNotes(PAIR, blocksOverLink(100, 1), rates), []);
});

test('places the note about the link next to its answer', () => {
  const [answer, other] = fixtureSummary({
    networks: [NONE],
    change: ({ arm, path }) => {
      if (path) path.linkCpuMs = arm === 'lsquic-h3' ? 40 : 10;
    },
  }).primary;
  assert.match(answer?.notes.join() ?? '', /The link itself took more processor time for lsquic/);
  assert.doesNotMatch(other?.notes.join() ?? '', /The link itself/);
});

/** A run in which three loads of lsquic-h3, one of them timed out and one a warm-up, met a full socket. */
function summaryWithFullSockets() {
  const change: FixtureOptions['change'] = (load) => {
    if (load.arm !== 'lsquic-h3' || !load.machine) return;
    if (load.repetition === 0) drop(load, 500);
    if (load.repetition === 1) drop(load, 20);
    if (load.repetition === 2) {
      drop(load, 1_000);
      spoil(load, 'failed', 'timeout', 'late');
    }
  };
  return fixtureSummary({ ...ONE_SITE, change });
}

function drop(load: Observation, datagrams: number): void {
  if (load.machine) load.machine.udpReceiveBufferErrors = datagrams;
}

test('reports drops at full UDP sockets in all measured loads, next to verdicts and in a warning', () => {
  const summary = summaryWithFullSockets();
  const sentence =
    'In 2 of 3 loads of lsquic (h3) the kernel dropped datagrams at a full UDP socket (1,020 in all). QUIC takes them for losses: increase net.core.rmem_max if npm run doctor finds it too low.';
  assert.deepEqual(summary.warnings, [sentence]);
  const [lsquic, flask] = summary.comparisons;
  assert.ok(lsquic?.notes.includes(sentence));
  assert.ok(!flask?.notes.includes(sentence));
  assert.deepEqual(
    summary.primary.map(({ notes }) => notes),
    [[sentence], []],
  );
  assert.ok(summaryTable(summary).includes(sentence));
});

test('counts a load that met a full socket like any other', () => {
  const { rows } = summaryWithFullSockets();
  const [lsquic] = rows;
  assert.deepEqual([lsquic?.n, lsquic?.nFailed, lsquic?.nDisturbed], [2, 1, 0]);
});

test('calls a run disturbed if a tenth of it was, and not below', () => {
  const nouns = ['session', 'sessions'] as const;
  assert.equal(disturbedSentence(0, 0, nouns), null);
  assert.equal(disturbedSentence(0, 8, nouns), null);
  assert.equal(disturbedSentence(1, 11, nouns), null);
  assert.match(disturbedSentence(1, 10, nouns) ?? '', /during 1 of 10 sessions /);
  assert.match(disturbedSentence(8, 8, nouns) ?? '', /during all 8 sessions /);
});
