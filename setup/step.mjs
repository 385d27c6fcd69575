import { statfsSync } from 'node:fs';
import { isPackage, madeFolder } from '../ground/system/folders.mjs';
import { complain, indented } from '../ground/system/printed.mjs';
import { endOnSignals } from './command.mjs';
import { lock } from './lock.mjs';
import { SetupError } from './setup-error.mjs';

/** What is left on a full disk, as a failed program may have removed its files. */
const LITTLE_MB = 100;

/**
 * One step of set-up; `run` throws a SetupError with a remedy.
 * @typedef {{ title: string, isDone(): boolean, run(): void | Promise<void> }} Step
 */

/**
 * Runs set-up; converts errors to a message and an exit status.
 * @param {() => Promise<void>} work
 */
export async function reported(work) {
  endOnSignals();
  try {
    await work();
  } catch (error) {
    const { message, exitStatus } = asSetupError(error);
    complain(`\n${indented(`set-up: ${message}${roomNote()}`)}`);
    process.exitCode = exitStatus;
  }
}

/**
 * Carries out steps that do not need each other; the failure of one does not affect the rest.
 * @param {readonly Step[]} steps
 * @throws SetupError that names each failed step
 */
export async function carryOutEach(steps) {
  const failures = [];
  for (const step of steps) {
    try {
      await carryOut(step);
    } catch (error) {
      if (!(error instanceof SetupError)) throw error;
      failures.push({ step, error });
    }
  }
  const [first] = failures;
  if (first === undefined) return;
  const texts = failures.map(({ step, error }) => `Failed: ${step.title}. ${error.message}`);
  throw new SetupError(`${texts.join('\n')}\nThe rest is set up.`, first.error.exitStatus);
}

/** A system error such as a full disk is not a bug. */
function asSetupError(error) {
  if (error instanceof SetupError) return error;
  if (error.syscall === undefined) throw error;
  return new SetupError(
    `It could not go on: ${error.message}. ${remedyFor(error.code)}, then run: npm run setup`,
  );
}

/** Programs that set-up starts seldom say that the disk is full. */
function roomNote() {
  try {
    const { bavail, bsize } = statfsSync(madeFolder);
    const freeMb = Math.floor((bavail * bsize) / 1e6);
    if (freeMb >= LITTLE_MB) return '';
    return `\nThe disk of ${madeFolder} has ${freeMb} MB left. Make room on it.`;
  } catch {
    return '';
  }
}

function remedyFor(code) {
  if (['ENOSPC', 'EDQUOT'].includes(code)) return 'Make room on the disk';
  return isPackage
    ? 'Let this user write there, or set XDG_CACHE_HOME and XDG_DATA_HOME to folders of this user'
    : `Let this user write to the folders below ${madeFolder}`;
}

/**
 * Carries out a step unless it is done; no other set-up may run it meanwhile.
 * @param {Step} step
 */
export async function carryOut(step) {
  if (step.isDone()) return;
  await lock();
  if (step.isDone()) return;
  complain(`set-up: ${step.title} ...`);
  await step.run();
  if (!step.isDone()) throw new SetupError(`${step.title}: ran, but is still not complete.`);
}
