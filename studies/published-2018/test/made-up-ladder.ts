import { mkdir } from 'node:fs/promises';
import { presetOfRun, seriesFolder } from '../../../report/series.ts';
import { withTemporaryFolder } from '../../../test/temporary-folder.ts';
import {
  DELAYED,
  type Fixture,
  fixtureRun,
  writeRun,
} from '../../../test/unit/report/fixture-run.ts';
import { LADDER, LADDER_NAME } from '../ladder/steps.ts';

export const SITES = ['www.example.org', 'www.wikipedia.org', 'www.iana.org', 'www.nbcnews.com'];

/** A made-up step: the ratio of QUIC to HTTPS on it. */
export interface MadeUpStep {
  name: string;
  ratio: number;
  /** Noise of the times. Default: 0.02. */
  noise?: number;
  repetitions?: number;
  subjects?: readonly string[];
}

/** The first steps of the ladder, with ratios of their own. */
export const STEPS: readonly MadeUpStep[] = [
  { name: 'published', ratio: 0.3 },
  { name: 'same-bytes', ratio: 0.9 },
  { name: 'tls-1.3', ratio: 0.6 },
  { name: 'keep-alive', ratio: 0.6 },
];

/** The steps that are made up, in the order of the ladder. */
export const MADE_UP = LADDER.slice(0, STEPS.length);

/** The run of a step: lsquic (h3) against Bun (h2), with the step's ratio on every site but for noise. */
export function runOfStep(step: MadeUpStep): Fixture {
  const { name, ratio, noise = 0.02, repetitions = 8, subjects = SITES } = step;
  const fixture = fixtureRun({
    subjects,
    repetitions,
    networks: [DELAYED],
    preset: presetOfRun({ name: LADDER_NAME }, { name }),
    change: (load) => {
      const part = load.arm === 'lsquic-h3' ? ratio : 1;
      const wobble = 1 + noise * Math.sin(load.order * 78.233 + name.length);
      load.metrics.pageLoadMs = 300 * part * wobble;
      load.metrics.documentMs = 300 * part * wobble;
    },
  });
  const { run } = fixture;
  const isOfPair = ({ arm }: { arm: string }) => arm !== 'flask-h1';
  run.runId = `2026-11-20T10-00-00Z-${name}`;
  run.arms = run.arms.filter(isOfPair);
  run.trials = run.trials.filter(isOfPair);
  run.fairness.pairs = run.fairness.pairs.filter(({ a, b }) => ![a, b].includes('flask-h1'));
  if (name !== 'keep-alive') {
    run.choices.order = 'sequential';
    run.analysis.metric = 'documentMs';
  }
  return { ...fixture, observations: fixture.observations.filter(isOfPair) };
}

/** A ladder's folder that is gone after `use`; null: a step without a run. */
export async function withLadder(
  runs: readonly (Fixture | null)[],
  use: (folder: string) => Promise<void>,
): Promise<void> {
  return withTemporaryFolder(async (folder) => {
    for (const [index, step] of LADDER.entries()) {
      const run = runs[index];
      if (!run) continue;
      const own = seriesFolder(folder).run(step);
      await mkdir(own);
      await writeRun(own, run);
    }
    await use(folder);
  });
}
