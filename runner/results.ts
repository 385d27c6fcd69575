import { existsSync, lstatSync, readdirSync } from 'node:fs';
import {
  lstat,
  mkdir,
  readdir,
  realpath,
  rename,
  rm,
  symlink,
  unlink,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { allExperiments } from '../experiments/index.ts';
import {
  flushFolder,
  writeFileAtomically,
  writeFileAtomicallyWith,
} from '../ground/records/atomic-file.ts';
import type { CalibrationRecord } from '../ground/records/calibration.ts';
import { inFolder } from '../ground/records/file-name.ts';
import type { InvocationRecord } from '../ground/records/invocation.ts';
import { type LinesFile, openLines } from '../ground/records/lines-file.ts';
import type { LookRecord } from '../ground/records/look.ts';
import type { Observation } from '../ground/records/observation.ts';
import { modesOf } from '../ground/records/private-files.ts';
import type { PlanRecord, RunChoices, RunRecord } from '../ground/records/run.ts';
import { runFolder } from '../ground/records/run-folder.ts';
import type { Trace } from '../ground/records/trace.ts';
import { MachineError, UsageError } from '../ground/system/errors.ts';
import { outputFolder } from '../ground/system/folders.mjs';
import { assertPlainFolder } from '../ground/system/plain-folder.ts';
import { shellWord } from '../ground/system/shell-word.ts';
import { assertUnlocked, LOCK_NAME, lockFolder } from './campaign/folder-lock.ts';
import { writeTraces } from './traces.ts';

/** Suffix of a file in progress. It names no process: the one that resumes a run cleans up after the killed one. */
const UNFINISHED = '.unfinished';

/** Default folder of runs. */
export const resultsFolder = path.join(outputFolder, 'results');

/** Writes a run's files during the run. */
export type Results = Awaited<ReturnType<typeof openResults>>;

/**
 * Rejects a folder that is not empty.
 * @throws UsageError so that no earlier results are overwritten.
 */
export async function assertUnused(folder: string): Promise<void> {
  if (!existsSync(folder)) return;
  assertUnlocked(folder);
  await assertBeginning(folder);
}

async function assertBeginning(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => ['(not a folder)']);
  if (!names.every((name) => isBeginning(folder, name))) {
    const hasRun = existsSync(runFolder(folder).run);
    throw new UsageError(
      `--out ${folder} exists and is not empty (${names.slice(0, 3).join(', ')}); results are never overwritten. Name another folder${hasRun ? `, or resume its run: --resume ${shellWord(folder)}` : ': one that is new or empty'}.`,
    );
  }
  assertPlainFolder(folder);
}

/** Whether a file may belong to a run that was killed before it wrote run.json. */
function isBeginning(folder: string, name: string): boolean {
  const { run, traces, har, logs, invocations, calibrations } = runFolder(folder);
  const file = path.join(folder, name);
  const found = lstatSync(file);
  if ([har, logs].includes(file)) return found.isDirectory() && readdirSync(file).length === 0;
  if (file === traces) return found.isDirectory();
  if (file === calibrations) return found.size === 0;
  return (
    name === RESERVE_NAME ||
    name.startsWith(LOCK_NAME) ||
    [invocations, `${run}${UNFINISHED}`].includes(file) ||
    (found.size === 0 && allExperiments().some(({ recordFile }) => recordFile === name))
  );
}

/** Creates a run's folder, which contains only recorded links until it has a run.json. */
export async function createFolder(folder: string, traces: readonly Trace[] = []): Promise<void> {
  const files = runFolder(folder);
  // Checks again: another run may have begun in it since the plan was made, and its files must not change.
  await assertUnused(folder);
  await makeOnDisk(folder);
  const unlock = await lockFolder(folder);
  try {
    await assertBeginning(folder);
    await rm(files.invocations, { force: true });
    await makeOnDisk(files.har, modesOf(files.har).folder);
    await makeOnDisk(files.logs);
    await writeTraces(files.traces, traces);
  } finally {
    await unlock();
  }
}

/** Creates a folder and its parents, and syncs them to the disk. */
async function makeOnDisk(folder: string, mode?: number): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode });
  if (first === undefined) return;
  for (let made = folder; made.length >= first.length; made = path.dirname(made)) {
    await flushFolder(path.dirname(made));
  }
}

/** Writes run.json before anything is measured: from then on the run can be resumed. */
export async function writeRun(folder: string, run: RunRecord): Promise<void> {
  await writeInRun(runFolder(folder).run, `${JSON.stringify(run, null, 2)}\n`);
}

/**
 * Opens a run's folder for this process alone, to add to it.
 * @throws UsageError when another process has it open
 */
export async function openResults(
  folder: string,
  {
    recordFile,
    choices,
  }: Pick<PlanRecord, 'recordFile'> & { choices: Pick<RunChoices, 'compressHars'> },
) {
  const files = runFolder(folder);
  const { compressHars } = choices;
  const unlock = await lockFolder(folder);
  for (const each of [
    files.har,
    files.films,
    files.link,
    files.packets,
    files.tcpInfo,
    files.netLog,
    files.profiles,
  ])
    await removeUnfinished(each);
  const reserve = createReserve(folder);
  await reserve.take();
  const observations = await openLines(inFolder(folder, recordFile));
  const calibrations = await openLines(files.calibrations);
  const invocations = await openLines(files.invocations);
  let looks: LinesFile | null = null;
  let invocationId = '';
  /** Writes a file into a folder that is created on first use. */
  const addTo = async (file: string, begin: Uint8Array, add: (file: string) => Promise<void>) => {
    const parent = path.dirname(file);
    const { folder: folderMode, file: mode } = modesOf(parent);
    await makeOnDisk(parent, folderMode);
    const writing = { unfinished: `${file}${UNFINISHED}`, mode };
    await writeFileAtomicallyWith(file, begin, writing, add);
    await reserve.take();
    return path.relative(folder, file);
  };
  return {
    logsFolder: files.logs,
    /** Writes a load's HAR and returns its path relative to the run's folder. */
    async writeHar(id: string, har: object): Promise<string> {
      const text = JSON.stringify(har);
      const file = inFolder(files.har, compressHars ? `${id}.har.gz` : `${id}.har`);
      await writeInRun(file, compressHars ? await promisify(gzip)(text) : text);
      await reserve.take();
      return path.relative(folder, file);
    },
    /**
     * Writes an attempt's packets and returns their path relative to the run's folder.
     * @param header first bytes of the file
     * @param add appends the packets to a file
     */
    async writePackets(
      id: string,
      header: Uint8Array,
      add: (file: string) => Promise<void>,
    ): Promise<string> {
      return addTo(inFolder(files.packets, `${id}.pcapng`), header, add);
    },
    /** As writePackets(), for the kernel's statistics of an attempt's TCP connections. */
    writeTcpInfo: (id: string, add: (file: string) => Promise<void>) =>
      addTo(inFolder(files.tcpInfo, `${id}.jsonl.gz`), new Uint8Array(), add),
    /** As writePackets(), for the link's table of an attempt. */
    writeLink: async (id: string, table: string) =>
      addTo(inFolder(files.link, `${id}.csv.gz`), await promisify(gzip)(table), async () => {}),
    /** The same for the film of a load. */
    writeFilm: (id: string, film: object) =>
      addTo(inFolder(files.films, `${id}.json`), Buffer.from(JSON.stringify(film)), async () => {}),
    /** Writes a profile of programs, and returns its path relative to the run's folder. */
    writeProfile: (fileName: string, text: string) =>
      addTo(inFolder(files.profiles, fileName), Buffer.from(text), async () => {}),
    /** Keeps the NetLog of a browser; ids of browsers are unique in an invocation. */
    async keepNetLog(id: string, netLogFile: string): Promise<void> {
      const { keepNetLog } = await import('../clients/chromium/net-log/keep.ts');
      const fileOf = (name: string) => inFolder(files.netLog, `${name}.json.gz`);
      const file = existsSync(fileOf(id)) ? fileOf(`${id}@${invocationId}`) : fileOf(id);
      await addTo(file, new Uint8Array(), (unfinished) => keepNetLog(netLogFile, unfinished));
    },
    appendInvocation(invocation: InvocationRecord): Promise<void> {
      invocationId = invocation.id;
      return reserve.append(invocations, invocation);
    },
    async appendLook(look: LookRecord): Promise<void> {
      looks ??= await openLines(files.looks);
      await reserve.append(looks, look);
    },
    appendCalibration: (calibration: CalibrationRecord) =>
      reserve.append(calibrations, calibration),
    /** Appends a line to the experiment's file; it is on the disk when this returns. */
    append: (observation: Observation) => reserve.append(observations, observation),
    async close(): Promise<void> {
      const open = [observations, calibrations, invocations, looks];
      await Promise.all(open.map((file) => file?.close()));
      await reserve.give();
      await unlock();
    },
  };
}

async function writeInRun(file: string, content: string | Buffer): Promise<void> {
  const { file: mode } = modesOf(path.dirname(file));
  await writeFileAtomically(file, content, { unfinished: `${file}${UNFINISHED}`, mode });
}

/** Removes files that a killed run was writing. */
async function removeUnfinished(folder: string): Promise<void> {
  for (const name of existsSync(folder) ? await readdir(folder) : []) {
    if (name.endsWith(UNFINISHED)) await rm(path.join(folder, name), { force: true });
  }
}

/**
 * Points results/latest to a run in results/. Ignores runs in other folders, which may be temporary. The run continues when the link
 * cannot be written.
 */
export async function pointLatestTo(folder: string, results = resultsFolder): Promise<void> {
  const link = path.join(results, 'latest');
  const unfinished = `${link}.${process.pid}`;
  try {
    // Resolved, as the folder may be named by this link, which must not point to itself.
    const target = path.relative(await realpath(results), await realpath(folder));
    if (target.startsWith('..')) return;
    await unlink(unfinished).catch(() => {});
    await symlink(target, unfinished);
    await rename(unfinished, link);
  } catch {
    await unlink(unfinished).catch(() => {});
  }
}

/** The disk is full; existing records are complete. */
export class DiskError extends MachineError {
  override name = 'DiskError';
}

/** Name of the reserve in a run's folder. */
const RESERVE_NAME = '.reserve';

/** Enough for several records of loads. */
const RESERVE_BYTES = 256 * 1024;

/**
 * Reserves disk space for records. When the disk is full, it is released, so that the loads that failed because of it can be
 * recorded.
 */
export function createReserve(folder: string) {
  const file = path.join(folder, RESERVE_NAME);
  /** Releases the space; returns whether there was any. */
  const give = (): Promise<boolean> =>
    unlink(file).then(
      () => true,
      () => false,
    );
  return {
    give,
    /** Reserves the space, once; returns whether it is reserved. */
    async take(): Promise<boolean> {
      const found = await lstat(file).catch(() => null);
      if (found?.isFile() && found.size === RESERVE_BYTES) return true;
      await give();
      try {
        // Not zeros, which a file system may store as a hole.
        await writeFile(file, Buffer.alloc(RESERVE_BYTES, 'reserved'), { flag: 'wx', flush: true });
        return true;
      } catch {
        await give();
        return false;
      }
    },
    /**
     * Appends a record to a file, in the reserve if no other space is left.
     * @throws DiskError when the reserve is used up; the file then has no part of the record
     */
    async append(lines: LinesFile, record: object): Promise<void> {
      try {
        await lines.append(record);
      } catch (error) {
        if (!(await give())) throw noRoom(lines, error as Error);
        await lines.append(record).catch((again: Error) => {
          throw noRoom(lines, again);
        });
      }
    },
  };
}

function noRoom({ file }: LinesFile, { message }: Error): DiskError {
  return new DiskError(
    `${file} cannot be written: ${message}. All lines in it are complete. Make room, then use --resume.`,
  );
}
