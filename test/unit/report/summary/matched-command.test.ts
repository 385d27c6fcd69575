import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PlanRecord } from '../../../../ground/records/run.ts';
import { matchedCommand } from '../../../../report/summary/matched-command.ts';
import { summaryTable } from '../../../../report/terminal.ts';
import { fixtureRun } from '../fixture-run.ts';
import { documentOf, summaryOf } from '../reported.ts';

const STOCK = { receiveBufferBytes: null, initialWindowSegments: null };
const WORDS =
  '--film --stacks lsquic-h3,bun-h2 --receive-buffer stock --initcwnd=stock --sites a&b';

/** A run with stock transports, and what replaces its choices and fields. */
function stockRun(choices: Partial<PlanRecord['choices']> = STOCK, fields: object = {}) {
  const made = fixtureRun({ repetitions: 6 });
  Object.assign(made.run.choices, choices);
  Object.assign(made.run, { command: WORDS.split(' ') }, fields);
  return made;
}

test('a comparison with stock transports gives the command of the matched one', async () => {
  const command =
    "npm run benchmark -- --stacks lsquic-h3,bun-h2 --sites 'a&b' --receive-buffer matched --initcwnd matched";
  const made = stockRun();
  assert.equal(matchedCommand(made.run), command);
  assert.ok(summaryTable(summaryOf(made), 80).includes(`matched\ntransports:\n${command}\n`));
  const page = await documentOf(made);
  assert.equal(page.querySelector('.answer code')?.textContent, command);
  assert.equal(matchedCommand(stockRun({ receiveBufferBytes: null }).run), command);
});

test('a run with matched transports, or without a comparison of QUIC with TCP, gives none', () => {
  const { run } = stockRun();
  const [arm] = run.arms;
  const networks = run.networks.map((each) => ({
    ...each,
    receiveBuffer: 'stock' as const,
    initialWindow: 'stock' as const,
  }));
  for (const each of [stockRun({}).run, { ...run, arms: arm ? [arm] : [] }, { ...run, networks }]) {
    assert.equal(matchedCommand(each), null);
  }
});
