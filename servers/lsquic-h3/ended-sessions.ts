import type { QuicSession } from 'node:quic';

/** Number of ended sessions that are freed together: they hold some MB. */
const COLLECTED_AT_ONCE = 1000;

/**
 * Frees the memory of ended sessions; returns the function to call with every session. Their memory outside of JavaScript's
 * heap is freed when their objects are collected, which does not happen in an idle server because the engine does not count
 * that memory. Collects when no session is open, so that no load waits.
 */
export function collectEndedSessions(): (session: QuicSession) => void {
  let open = 0;
  let ended = 0;
  const ends = () => {
    open--;
    ended++;
    if (open > 0 || ended < COLLECTED_AT_ONCE) return;
    ended = 0;
    Bun.gc(true);
  };
  return (session) => {
    open++;
    session.closed.then(ends, ends);
  };
}
