/** What a browser is given, and how long it is waited for. */
export const LIMITS = {
  /** A browser's start-up has ended when it used next to no processor for so many intervals on end. */
  startUp: { intervalMs: 25, quietIntervals: 3, quietShare: 0.1, limitMs: 3_000 },
  /** A kept browser is closed after so many loads, before what it keeps in memory can matter. */
  loadsPerBrowser: 100,
  /** The network must be quiet for so long after the load event before the load's HAR is closed. */
  quietMs: 100,
  /**
   * A page that the path has broken is reloaded at once, and one of which nothing comes any more after so long: the limit for keeping a
   * user's attention (Nielsen, Usability Engineering, 1993).
   */
  patienceMs: 10_000,
  /** So often; a page that is broken even then has failed. */
  mostReloads: 3,
  /** A page that never gets quiet is not waited for any longer after its load event. */
  quietLimitMs: 5_000,
  /** A browser that is not ready by then does not start any more. */
  browserStartMs: 60_000,
  /** A browser that is asked something answers within ms; one that has not by then hangs. */
  browserAnswerMs: 20_000,
  /** A browser that has not closed by then is killed. It closes within 0.3 s; the end of a long NetLog takes longer. */
  browserCloseMs: 12_000,
  /** A screen takes a connection within ms, over ssh too; one that has not by then is not there. */
  screenAnswerMs: 5_000,
  /** Window of the page in CSS pixels: a common laptop. */
  window: { widthPx: 1366, heightPx: 768 },
} as const;
