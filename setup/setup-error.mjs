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
