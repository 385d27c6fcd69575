import { readStamp, writeStamp } from './folders.mjs';

/** The stamp of a step that was begun, and killed unless it is still at work. */
const UNFINISHED = 'unfinished\n';

/**
 * A step that makes something, anew when what it is made from changes, or when it was killed while it made it.
 * @param {string} stamp where it is remembered what it was made from
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
