import { complain, indented } from '../ground/system/printed.mjs';
import { endOnSignals } from './command.mjs';
import { root } from './folders.mjs';
import { lock } from './lock.mjs';
import { SetupError } from './setup-error.mjs';

/**
 * One thing that set-up brings onto the machine; `run` throws a SetupError with what to do.
 * @typedef {{ title: string, isDone(): boolean, run(): void | Promise<void> }} Step
 */

/**
 * Runs what sets the machine up; what keeps it from going on becomes a message and the exit status.
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

/** What the system does not let set-up do, as a full disk, is no bug. */
function asSetupError(error) {
  if (error instanceof SetupError) return error;
  if (error.syscall === undefined) throw error;
  return new SetupError(
    `It could not go on: ${error.message}. ${remedyFor(error.code)}, then run: npm run setup`,
  );
}

function remedyFor(code) {
  if (['ENOSPC', 'EDQUOT'].includes(code)) return 'Make room on the disk';
  return `Let this user write to the folders below ${root}`;
}

/**
 * Carries a step out where that is not done yet, and no other set-up does it meanwhile.
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
