import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import {
  type LadderRecord,
  ladderRecord,
  presetOfRung,
  writeLadderRecord,
} from '../../../../../studies/published-2018/ladder/record.ts';
import { withTemporaryFolder } from '../../../../temporary-folder.ts';
import { DELAYED, type Fixture, fixtureRun, writeRun } from '../../../report/fixture-run.ts';

export const SITES = ['www.example.org', 'www.wikipedia.org', 'www.iana.org', 'www.nbcnews.com'];

/** A made-up rung: by what ratio QUIC stands to HTTPS on it. */
export interface MadeUpRung {
  name: string;
  ratio: number;
  /** Of the times' noise; 0.02 unless told. */
  noise?: number;
  repetitions?: number;
  subjects?: readonly string[];
}

export const RUNGS: readonly MadeUpRung[] = [
  { name: 'published', ratio: 0.3 },
  { name: 'keep-alive', ratio: 0.9 },
  { name: 'both-cold', ratio: 0.6 },
  { name: 'interleaved', ratio: 0.6 },
];

export function recordOf(rungs: readonly { name: string }[]): LadderRecord {
  return ladderRecord(
    { startedAt: '2026-11-20T10:00:00.000Z', command: ['--preset', 'ladder'] },
    rungs.map(({ name }) => ({
      name,
      title: `The rung ${name}`,
      change: `What ${name} changed.`,
      documentRoundTrips: { quic: 2, https: 3 },
    })),
  );
}

/** The run of a rung: lsquic (h3) against Bun (h2), with the rung's ratio on every site but for noise. */
export function runOfRung(rung: MadeUpRung): Fixture {
  const { name, ratio, noise = 0.02, repetitions = 8, subjects = SITES } = rung;
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
  run.preset = presetOfRung({ name });
  run.arms = run.arms.filter(isOfPair);
  run.trials = run.trials.filter(isOfPair);
  run.fairness.pairs = run.fairness.pairs.filter(({ a, b }) => ![a, b].includes('flask-h1'));
  if (name !== 'interleaved') {
    run.choices.order = 'sequential';
    run.analysis.metric = 'documentMs';
  }
  return { ...fixture, observations: fixture.observations.filter(isOfPair) };
}

/** A ladder's folder that is gone after `use`; rungs without a run are those that are not among the runs. */
export async function withLadder(
  rungs: readonly { name: string }[],
  runs: readonly (Fixture | null)[],
  use: (folder: string) => Promise<void>,
): Promise<void> {
  return withTemporaryFolder(async (folder) => {
    const record = recordOf(rungs);
    await writeLadderRecord(folder, record);
    for (const [index, rung] of record.rungs.entries()) {
      const run = runs[index];
      if (!run) continue;
      const own = path.join(folder, rung.folder);
      await mkdir(own);
      await writeRun(own, run);
    }
    await use(folder);
  });
}
