/**
 * Fault of a video server from BROKEN_FROM_MS on, in picture segments. short: sends half of the
 * announced bytes; closes: closes the connection after that half; lacks: lacks one quality level.
 */
export type VideoFault = 'short' | 'closes' | 'lacks';

export const BROKEN_FROM_MS = 4000;

/** Index of the missing quality level of the picture, from the lowest on. */
export const MISSING_LEVEL = 1;
