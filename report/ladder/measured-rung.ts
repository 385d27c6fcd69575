import { access } from 'node:fs/promises';
import path from 'node:path';
import { pageLoad } from '../../experiments/page-load/experiment.ts';
import { DamagedRunError } from '../../records/damaged-run.ts';
import { variantsOf } from '../../records/factors.ts';
import { type LadderRung, presetOfRung } from '../../records/ladder.ts';
import type { RunRecord } from '../../records/run.ts';
import { runFolder } from '../../records/run-folder.ts';
import { conditionKey } from '../summary/condition.ts';
import { type MeasuredRun, readRecords } from '../summary/measured-run.ts';

/** A rung with its run; null: it has none, or none that ended as planned. */
export interface MeasuredRung {
  rung: LadderRung;
  state: 'measured' | 'interrupted' | 'not measured';
  measured: MeasuredRun | null;
}

/**
 * Reads the run of a rung from the ladder's folder.
 * @throws DamagedRunError when the folder holds a damaged run, or one that is not of this rung.
 */
export async function readRung(ladder: string, rung: LadderRung): Promise<MeasuredRung> {
  const folder = path.join(ladder, rung.folder);
  const files = runFolder(folder);
  if (!(await isThere(files.run))) return { rung, state: 'not measured', measured: null };
  if (!(await isThere(path.join(folder, pageLoad.recordFile))))
    return { rung, state: 'interrupted', measured: null };
  const { run, summariseWith } = await readRecords(folder);
  assertOfRung(folder, run, rung);
  const measured = summariseWith({});
  return measured.summary.progress.complete
    ? { rung, state: 'measured', measured }
    : { rung, state: 'interrupted', measured: null };
}

/**
 * Refuses rungs that cannot be compared with each other.
 * @throws DamagedRunError with the two and what they differ in.
 */
export function assertOneLadder(rungs: readonly MeasuredRung[]): void {
  const runs = rungs.flatMap(({ rung, measured }) => (measured ? [{ rung, ...measured }] : []));
  const [first] = runs;
  for (const each of runs) {
    for (const [what, of] of ALIKE) {
      if (first === undefined || of(first.run) === of(each.run)) continue;
      throw new DamagedRunError(
        `${first.rung.folder} and ${each.rung.folder} have other ${what}: they are no rungs of one ladder. Make the one that is not meant again.`,
      );
    }
  }
}

const ALIKE: readonly (readonly [what: string, of: (run: RunRecord) => string])[] = [
  [
    'sites',
    ({ subjects }) => subjects.map((each) => `${each.subject} ${each.manifestSha256}`).join(),
  ],
  ['networks', ({ networks }) => networks.map(conditionKey).join()],
  ['repetitions', ({ repetitions }) => String(repetitions)],
];

function assertOfRung(folder: string, run: RunRecord, rung: LadderRung): void {
  const { preset, networks, arms } = run;
  const variants = variantsOf(run);
  const own = arms.filter(({ controlOf }) => controlOf === null);
  if (preset !== presetOfRung(rung)) {
    const got = preset === null ? 'of no preset' : `of the preset ${preset}`;
    throw new DamagedRunError(
      `${folder} holds a run ${got}, expected one of ${presetOfRung(rung)}.`,
    );
  }
  if (networks.length !== 1 || variants.length !== 1 || own.length !== 2) {
    throw new DamagedRunError(
      `${folder} has ${networks.length} networks, ${variants.length} kinds of visit and ${own.length} stacks, expected 1, 1 and 2: a rung is one number.`,
    );
  }
}

async function isThere(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
