import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { noiseOf } from '../statistics/noise.ts';
import { type Fixture, fixtureRun, ONE_SITE, writeRun } from './fixture-run.ts';

const NOISE = noiseOf(11);

/** A made-up run of a day in November, in which lsquic (h3) takes `factor` times as long; each day differs by 2 %. */
export function runOfDay(day: number, factor = 1): Fixture {
  const ofDay = factor * NOISE.logNormal(0.02);
  const made = fixtureRun({
    ...ONE_SITE,
    repetitions: 8,
    change: ({ arm, metrics }) => {
      if (metrics.pageLoadMs) metrics.pageLoadMs *= arm === 'lsquic-h3' ? ofDay : 1;
    },
  });
  const startedAt = new Date(Date.UTC(2026, 10, day, 3)).toISOString();
  Object.assign(made.run, { runId: idOfDay(day), startedAt, seed: 100 + day });
  for (const invocation of made.invocations) invocation.startedAt = startedAt;
  return made;
}

export function idOfDay(day: number): string {
  return `2026-11-${String(day).padStart(2, '0')}T03-00-00Z`;
}

/** Writes runs as folders of one folder, named by `runId`. */
export async function writeRuns(folder: string, runs: readonly Fixture[]): Promise<void> {
  for (const made of runs) {
    const own = path.join(folder, made.run.runId);
    await mkdir(own);
    await writeRun(own, made);
  }
}
