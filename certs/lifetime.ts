const DAY_MS = 24 * 3600 * 1000;

/** How long authorities and leaves are good for: a key that got away is soon worth nothing. */
export const LIFETIME_MS = 14 * DAY_MS;

/** What has less than this left is replaced before servers start, so that none expires while they run. */
export const MARGIN_MS = 7 * DAY_MS;

/** From when to when a certificate made at this moment is good: from a day before, for clocks that are slow. */
export function newLifetime(): { notBefore: Date; notAfter: Date } {
  const nowMs = Date.now();
  return { notBefore: new Date(nowMs - DAY_MS), notAfter: new Date(nowMs + LIFETIME_MS) };
}

/** Whether a certificate is good for long enough, and for no longer than those that are made now. */
export function isFresh(notAfter: Date): boolean {
  const leftMs = notAfter.getTime() - Date.now();
  return leftMs > MARGIN_MS && leftMs <= LIFETIME_MS;
}
