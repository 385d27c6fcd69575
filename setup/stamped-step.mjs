import { readStamp, writeStamp } from './folders.mjs';

/** Stamp of a step that is running or was killed. */
const UNFINISHED = 'unfinished\n';

/**
 * A step that makes something, and makes it again when its sources have changed or the step was killed.
 * @param {string} stamp name of the file that records the sources
 * @param {{ title: string, wanted(): string, isThere(): boolean, make(): void | Promise<void> }} made
 * @returns {import('./step.mjs').Step}
 */
export function stampedStep(stamp, { title, wanted, isThere, make }) {
  return {
    title,
    isDone: () => readStamp(stamp) === wanted() && isThere(),
    async run() {
      writeStamp(stamp, UNFINISHED);
      await make();
      writeStamp(stamp, wanted());
    },
  };
}
