/**
 * What a server of a video does with the segments of the picture that begin at BROKEN_FROM_MS. short: sends half of the bytes that it has
 * announced; closes: closes the connection after that half; lacks: has nothing of one rung.
 */
export type VideoFault = 'short' | 'closes' | 'lacks';

export const BROKEN_FROM_MS = 4000;

/** Which rung of the picture is lacking, from the lowest on. */
export const LACKING_RUNG = 1;
