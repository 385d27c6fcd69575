import path from 'node:path';
import type { MeasuredRun } from '../../../report/summary/measured-run.ts';
import { withTemporaryFolder } from '../../temporary-folder.ts';
import { type Fixture, fixtureRun, writeRun } from './fixture-run.ts';
import { summaryOf } from './reported.ts';

export const SHARED_SITES = ['a.example', 'b.example', 'c.example'];

/**
 * A made-up first run, and a second on another machine in which lsquic (h3) takes 1.3 times as
 * long; each with its own site.
 */
export function twoRuns(repetitions = 8): [first: Fixture, second: Fixture] {
  const first = fixtureRun({ subjects: [...SHARED_SITES, 'first.example'], repetitions });
  const second = fixtureRun({
    subjects: [...SHARED_SITES, 'second.example'],
    repetitions: repetitions + 2,
    change: (load) => {
      if (load.arm === 'lsquic-h3' && load.metrics.pageLoadMs) load.metrics.pageLoadMs *= 1.3;
      // Another machine: everything is slower, which changes no ratio.
      if (load.metrics.pageLoadMs) load.metrics.pageLoadMs *= 1.7;
    },
  });
  second.run.runId = '2026-12-01T10-00-00Z';
  second.run.startedAt = '2026-12-01T10:00:00.000Z';
  second.run.seed = 8;
  second.run.host.cpu = 'Another CPU';
  return [first, second];
}

export function measured(made: Fixture): MeasuredRun {
  return { run: made.run, observations: made.observations, summary: summaryOf(made) };
}

/** Both runs in separate folders, next to a folder for their results. */
export async function withTwoFolders(
  fixtures: readonly [Fixture, Fixture],
  use: (folders: [first: string, second: string], out: string) => Promise<void>,
): Promise<void> {
  return withTemporaryFolder((first) =>
    withTemporaryFolder(async (second) => {
      await writeRun(first, fixtures[0]);
      await writeRun(second, fixtures[1]);
      await use([first, second], path.join(first, 'comparison'));
    }),
  );
}
