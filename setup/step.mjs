import { isPackage, madeFolder } from '../ground/system/folders.mjs';
import { complain, indented } from '../ground/system/printed.mjs';
import { endOnSignals } from './command.mjs';
import { lock } from './lock.mjs';
import { SetupError } from './setup-error.mjs';

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
    complain(`\n${indented(`set-up: ${message}`)}`);
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

function remedyFor(code) {
  if (['ENOSPC', 'EDQUOT'].includes(code)) return 'Make room on the disk';
  const elsewhere = isPackage ? ', or set XDG_CACHE_HOME to a folder of this user' : '';
  return `Let this user write to ${madeFolder}${elsewhere}`;
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
