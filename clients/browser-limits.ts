/** Limits of the browser. */
export const LIMITS = {
  /** Start-up has ended when processor use stays below `quietShare` for `quietIntervals` intervals. */
  startUp: { intervalMs: 25, quietIntervals: 3, quietShare: 0.1, limitMs: 3_000 },
  /** Loads before a kept browser is replaced, so that its memory use has no effect. */
  loadsPerBrowser: 100,
  /** Time without network activity, after the load event, before the HAR is complete. */
  quietMs: 100,
  /**
   * A broken page is reloaded at once; a page that receives nothing, after this time: the limit for keeping a user's attention
   * (Nielsen, Usability Engineering, 1993).
   */
  patienceMs: 10_000,
  /** A page still broken after these reloads has failed. */
  mostReloads: 3,
  /** Limit for waiting for a quiet network after the load event. */
  quietLimitMs: 5_000,
  browserStartMs: 60_000,
  /** Limit for a browser's response, which normally takes ms; afterwards it counts as hung. */
  browserAnswerMs: 20_000,
  /** Limit for closing before a kill. Closing takes 0.3 s, or longer with a long NetLog. */
  browserCloseMs: 12_000,
  /** Limit for closing a Firefox's connections, which takes three probe timeouts over QUIC. */
  closeConnectionsMs: 15_000,
  /** Limit for connecting to a screen, which takes ms, over ssh too. */
  screenAnswerMs: 5_000,
} as const;
