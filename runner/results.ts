import { existsSync } from 'node:fs';
import {
  appendFile,
  mkdir,
  open,
  readdir,
  rename,
  symlink,
  unlink,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import type { CalibrationRecord } from '../records/calibration.ts';
import type { PageLoad } from '../records/page-load.ts';
import type { RunRecord } from '../records/run.ts';
import { runFolder } from '../records/run-folder.ts';
import type { SittingRecord } from '../records/sitting.ts';
import { UsageError } from './errors.ts';
import type { Har } from './har/har.ts';
import { projectFolder } from './stacks.ts';

/** Where runs go unless --out says otherwise. */
export const resultsFolder = path.join(projectFolder, 'results');

/** Writes a run's files as the run goes on. */
export interface Results {
  folder: string;
  logsFolder: string;
  /** Writes a load's HAR and returns its path relative to the run's folder. */
  writeHar(id: string, har: Har): Promise<string>;
  /** Adds a line to sittings.jsonl. */
  appendSitting(sitting: SittingRecord): Promise<void>;
  /** Adds a line to calibrations.jsonl. */
  appendCalibration(calibration: CalibrationRecord): Promise<void>;
  /** Adds a line to page-loads.jsonl; when it returns, the line is on the disk. */
  append(pageLoad: PageLoad): Promise<void>;
  close(): Promise<void>;
}

/**
 * Refuses a folder that holds something already.
 * @throws UsageError so that no earlier results are overwritten.
 */
export async function assertUnused(folder: string): Promise<void> {
  if (!existsSync(folder)) return;
  const names = await readdir(folder).catch(() => ['(not a folder)']);
  if (names.length > 0) {
    throw new UsageError(
      `--out ${folder} exists and is not empty (${names.slice(0, 3).join(', ')}); results are never overwritten. Name another folder, or remove this one.`,
    );
  }
}

/** Makes a run's folder and writes run.json before anything is measured. */
export async function openResults(folder: string, run: RunRecord): Promise<Results> {
  const files = runFolder(folder);
  await mkdir(files.har, { recursive: true });
  await mkdir(files.logs, { recursive: true });
  await writeFile(files.run, `${JSON.stringify(run, null, 2)}\n`);
  const pageLoads = await open(files.pageLoads, 'ax');
  await pointLatestTo(folder);
  return {
    folder,
    logsFolder: files.logs,
    async writeHar(id, har) {
      const file = path.join(files.har, `${id}.har`);
      // Written beside and renamed: a HAR is whole or not there.
      await writeFile(`${file}.unfinished`, JSON.stringify(har));
      await rename(`${file}.unfinished`, file);
      return path.relative(folder, file);
    },
    async appendSitting(sitting) {
      await appendFile(files.sittings, `${JSON.stringify(sitting)}\n`);
    },
    async appendCalibration(calibration) {
      await appendFile(files.calibrations, `${JSON.stringify(calibration)}\n`);
    },
    async append(pageLoad) {
      await pageLoads.write(`${JSON.stringify(pageLoad)}\n`);
      await pageLoads.datasync();
    },
    close: () => pageLoads.close(),
  };
}

/** Lets results/latest lead to a run, wherever that lies. */
async function pointLatestTo(folder: string): Promise<void> {
  const link = path.join(resultsFolder, 'latest');
  const beside = `${link}.${process.pid}`;
  await mkdir(resultsFolder, { recursive: true });
  await unlink(beside).catch(() => {});
  await symlink(path.relative(resultsFolder, path.resolve(folder)), beside);
  await rename(beside, link);
}
