/** These folders cannot become one run; the message says why, and nothing was written. */
export class MergeError extends Error {
  override name = 'MergeError';
}
