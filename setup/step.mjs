/**
 * One thing that set-up brings onto the machine; `run` throws a SetupError with what to do.
 * @typedef {{ title: string, isDone(): boolean, run(): void }} Step
 */

/** Set-up cannot go on; the message names the remedy. */
export class SetupError extends Error {
  /**
   * @param {string} message
   * @param {number} exitStatus 3: this machine lacks something.
   */
  constructor(message, exitStatus = 3) {
    super(message);
    this.exitStatus = exitStatus;
  }
}

/**
 * Runs what sets the machine up; what keeps it from going on becomes a message and the exit status.
 * @param {() => void} work
 */
export function reported(work) {
  try {
    work();
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    console.error(`\nset-up: ${error.message}`);
    process.exitCode = error.exitStatus;
  }
}

/**
 * Carries a step out where that is not done yet.
 * @param {Step} step
 */
export function carryOut(step) {
  if (step.isDone()) return;
  console.error(`set-up: ${step.title} ...`);
  step.run();
  if (!step.isDone()) throw new SetupError(`${step.title}: ran, but is still not complete.`);
}
