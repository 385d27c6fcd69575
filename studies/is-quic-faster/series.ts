import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Given } from '../../ground/options/row.ts';
import { UsageError } from '../../ground/system/errors.ts';
import { EXIT } from '../../ground/system/exit-status.ts';
import { assertPlainFolder } from '../../ground/system/plain-folder.ts';
import type { CommandLine } from '../../runner/command-line/command-line.ts';
import { realFolder } from '../../runner/real-folder.ts';
import { assertUnused, resultsFolder } from '../../runner/results.ts';
import { measureRuns } from '../../runner/series.ts';
import type { Series, SeriesActions } from '../../runner/study.ts';
import { seriesFolder } from './folder.ts';
import { PARTS, presetOfPart, SERIES } from './parts.ts';

/** Options that may be chosen for a whole series, for a trial: with any of them it is another measurement. */
const FREE_OPTIONS = ['sites', 'repetitions', 'timeout', 'out'];

/**
 * The whole measurement, where a command line asks for it or for resuming it; null: it asks for something else.
 * @throws UsageError for options that it does not have
 */
export async function seriesAsked({
  given: { preset, resume, ...beside },
}: Pick<CommandLine, 'given'>): Promise<Series | null> {
  if (preset === SERIES) {
    assertOnly(FREE_OPTIONS, beside, `--preset ${SERIES}`, 'Anything else is part of its plans.');
    const { out, ...chosen } = beside;
    const at = new Date().toISOString().slice(0, 19).replaceAll(':', '-');
    const folder = path.resolve(out ?? path.join(resultsFolder, `${at}-${SERIES}`));
    return {
      async measure(actions) {
        const status = await freezePlans(folder, chosen, actions);
        return status === EXIT.ok ? measureParts(folder, {}, actions) : status;
      },
    };
  }
  if (resume === undefined || !isSeries(resume)) return null;
  const folder = realFolder('resume', resume);
  assertPlainFolder(folder);
  assertOnly(['resume-anyway'], beside, `--resume ${folder}`, 'Its plans are frozen.');
  return { measure: (actions) => measureParts(folder, beside, actions) };
}

/** Whether a folder holds the measurement, or part of it. */
export function isSeries(folder: string): boolean {
  return PARTS.some((part) => existsSync(seriesFolder(folder).plan(part)));
}

function assertOnly(names: readonly string[], given: Given, what: string, why: string): void {
  const others = Object.keys(given).filter((name) => !names.includes(name));
  if (others.length === 0) return;
  throw new UsageError(
    `${what} and --${others.join(', --')}: only --${names.join(', --')} can be given beside it. ${why}`,
  );
}

/** Writes the plan of every part before anything is measured, so that no result can change what is measured after it. */
async function freezePlans(
  folder: string,
  chosen: Given,
  { measure }: SeriesActions,
): Promise<number> {
  const files = seriesFolder(folder);
  await assertUnused(folder);
  await mkdir(files.plans, { recursive: true });
  for (const part of PARTS) {
    const status = await measure({
      ...chosen,
      preset: presetOfPart(part),
      freeze: files.plan(part),
    });
    if (status !== EXIT.ok) return status;
  }
  return EXIT.ok;
}

/** @throws UsageError when not every plan was frozen */
async function measureParts(
  folder: string,
  besideResume: Given,
  actions: SeriesActions,
): Promise<number> {
  const files = seriesFolder(folder);
  const missing = PARTS.filter((part) => !existsSync(files.plan(part)));
  if (missing.length > 0) {
    throw new UsageError(
      `${files.plans} has no plan of ${missing.map(({ name }) => name).join(', ')}: it was interrupted before all plans were frozen, and nothing was measured, or it is of another version of this project. Begin it again in another folder.`,
    );
  }
  const runs = PARTS.map((part) => ({
    title: part.title,
    folder: files.part(part),
    given: { plan: files.plan(part) },
  }));
  return measureRuns(runs, { folder, word: 'Part', besideResume }, actions);
}
