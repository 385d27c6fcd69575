import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { example } from '../../../experiments/example/experiment.ts';
import type { Observation } from '../../../ground/records/observation.ts';
import { readObservations } from '../../../ground/records/read.ts';
import { measureRun } from '../../../runner/benchmark.ts';
import { type PreparedRun, prepareRun } from '../../../runner/campaign/prepare.ts';
import type { Tally } from '../../../runner/campaign/tally.ts';
import { readOptions } from '../../../runner/options.ts';
import type { Stop } from '../../../runner/stop.ts';
import type { TestBed } from '../../../runner/test-bed.ts';
import { fakeMachineState, fakeTestBed } from './fake-test-bed.ts';

export const NEVER: Stop = {
  soon: new AbortController().signal,
  now: new AbortController().signal,
};

/** Carries out a run of the example with everything of the frame but a path, servers and programs. */
export async function run(
  words: readonly string[],
  {
    stop = NEVER,
    testBed = fakeTestBed,
    measure = (prepared) => measureRun(prepared, stop, undefined, testBed),
  }: {
    stop?: Stop;
    testBed?: (prepared: PreparedRun) => TestBed;
    measure?: (prepared: PreparedRun) => Promise<Tally>;
  } = {},
): Promise<Tally> {
  const options = readOptions(words, example);
  assert.ok(options);
  const prepared = await prepareRun(options, words, { readMachineState: fakeMachineState });
  const silent = mock.method(process.stderr, 'write', () => true);
  try {
    return await measure(prepared);
  } finally {
    silent.mock.restore();
  }
}

export async function drawsIn(folder: string): Promise<Observation[]> {
  return (await readObservations(folder, example)).observations;
}
