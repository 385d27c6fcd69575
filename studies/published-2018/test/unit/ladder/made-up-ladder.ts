import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { withTemporaryFolder } from '../../../../../test/temporary-folder.ts';
import {
  DELAYED,
  type Fixture,
  fixtureRun,
  writeRun,
} from '../../../../../test/unit/report/fixture-run.ts';
import { presetOfStep } from '../../../ladder/names.ts';
import { type LadderRecord, ladderRecord, writeLadderRecord } from '../../../ladder/record.ts';

export const SITES = ['www.example.org', 'www.wikipedia.org', 'www.iana.org', 'www.nbcnews.com'];

/** A made-up step: by what ratio QUIC stands to HTTPS on it. */
export interface MadeUpStep {
  name: string;
  ratio: number;
  /** Of the times' noise; 0.02 unless told. */
  noise?: number;
  repetitions?: number;
  subjects?: readonly string[];
}

export const STEPS: readonly MadeUpStep[] = [
  { name: 'published', ratio: 0.3 },
  { name: 'keep-alive', ratio: 0.9 },
  { name: 'both-cold', ratio: 0.6 },
  { name: 'interleaved', ratio: 0.6 },
];

export function recordOf(steps: readonly { name: string }[]): LadderRecord {
  return ladderRecord(
    { startedAt: '2026-11-20T10:00:00.000Z', command: ['--preset', 'ladder'] },
    steps.map(({ name }) => ({
      name,
      title: `The step ${name}`,
      change: `What ${name} changed.`,
      documentRoundTrips: { quic: 2, https: 3 },
    })),
  );
}

/** The run of a step: lsquic (h3) against Bun (h2), with the step's ratio on every site but for noise. */
export function runOfStep(step: MadeUpStep): Fixture {
  const { name, ratio, noise = 0.02, repetitions = 8, subjects = SITES } = step;
  const fixture = fixtureRun({
    subjects,
    repetitions,
    networks: [DELAYED],
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
  run.preset = presetOfStep({ name });
  run.arms = run.arms.filter(isOfPair);
  run.trials = run.trials.filter(isOfPair);
  run.fairness.pairs = run.fairness.pairs.filter(({ a, b }) => ![a, b].includes('flask-h1'));
  if (name !== 'interleaved') {
    run.choices.order = 'sequential';
    run.analysis.metric = 'documentMs';
  }
  return { ...fixture, observations: fixture.observations.filter(isOfPair) };
}

/** A ladder's folder that is gone after `use`; steps without a run are those that are not among the runs. */
export async function withLadder(
  steps: readonly { name: string }[],
  runs: readonly (Fixture | null)[],
  use: (folder: string) => Promise<void>,
): Promise<void> {
  return withTemporaryFolder(async (folder) => {
    const record = recordOf(steps);
    await writeLadderRecord(folder, record);
    for (const [index, step] of record.steps.entries()) {
      const run = runs[index];
      if (!run) continue;
      const own = path.join(folder, step.folder);
      await mkdir(own);
      await writeRun(own, run);
    }
    await use(folder);
  });
}
