import { existsSync } from 'node:fs';
import path from 'node:path';
import { pageLoad } from '../../../experiments/page-load/experiment.ts';
import { DamagedRunError } from '../../../ground/records/damaged-run.ts';
import { variantsOf } from '../../../ground/records/factors.ts';
import { networkKey } from '../../../ground/records/network.ts';
import type { RunRecord } from '../../../ground/records/run.ts';
import { runFolder } from '../../../ground/records/run-folder.ts';
import { type MeasuredRun, readRecords } from '../../../report/summary/measured-run.ts';
import { presetOfStep } from './names.ts';
import type { LadderStep } from './record.ts';

/** A step with its run; null: it has none, or none that ended as planned. */
export interface MeasuredStep {
  step: LadderStep;
  state: 'measured' | 'interrupted' | 'not measured';
  measured: MeasuredRun | null;
}

/**
 * Reads the run of a step from the ladder's folder.
 * @throws DamagedRunError when the folder holds a damaged run, or one that is not of this step.
 */
export async function readStep(ladder: string, step: LadderStep): Promise<MeasuredStep> {
  const folder = path.join(ladder, step.folder);
  const files = runFolder(folder);
  if (!existsSync(files.run)) return { step, state: 'not measured', measured: null };
  if (!existsSync(path.join(folder, pageLoad.recordFile)))
    return { step, state: 'interrupted', measured: null };
  const { run, summariseWith } = await readRecords(folder);
  assertOfStep(folder, run, step);
  const measured = summariseWith({});
  return measured.summary.progress.complete
    ? { step, state: 'measured', measured }
    : { step, state: 'interrupted', measured: null };
}

/**
 * Refuses steps that cannot be compared with each other.
 * @throws DamagedRunError with the two and what they differ in.
 */
export function assertOneLadder(steps: readonly MeasuredStep[]): void {
  const runs = steps.flatMap(({ step, measured }) => (measured ? [{ step, ...measured }] : []));
  const [first] = runs;
  for (const each of runs) {
    for (const [what, of] of ALIKE) {
      if (first === undefined || of(first.run) === of(each.run)) continue;
      throw new DamagedRunError(
        `${first.step.folder} and ${each.step.folder} have other ${what}: they are no steps of one ladder. Make the one that is not meant again.`,
      );
    }
  }
}

const ALIKE: readonly (readonly [what: string, of: (run: RunRecord) => string])[] = [
  [
    'sites',
    ({ subjects }) => subjects.map((each) => `${each.subject} ${each.manifestSha256}`).join(),
  ],
  ['networks', ({ networks }) => networks.map(networkKey).join()],
  ['repetitions', ({ repetitions }) => String(repetitions)],
];

function assertOfStep(folder: string, run: RunRecord, step: LadderStep): void {
  const { preset, networks, arms } = run;
  const variants = variantsOf(run);
  const own = arms.filter(({ controlOf }) => controlOf === null);
  if (preset !== presetOfStep(step)) {
    const got = preset === null ? 'of no preset' : `of the preset ${preset}`;
    throw new DamagedRunError(
      `${folder} holds a run ${got}, expected one of ${presetOfStep(step)}.`,
    );
  }
  if (networks.length !== 1 || variants.length !== 1 || own.length !== 2) {
    throw new DamagedRunError(
      `${folder} has ${networks.length} networks, ${variants.length} kinds of visit and ${own.length} stacks, expected 1, 1 and 2: a step is one number.`,
    );
  }
}
