import type { QuicSession } from 'node:quic';

/** More than a page's loads leave in a while; this number holds some MB. */
const COLLECTED_AT_ONCE = 1000;

/**
 * Frees the memory of ended sessions; returns the function to call with every session. Memory outside of JavaScript's heap is
 * freed only when their objects are collected, and the engine, which does not count that memory, does not collect in
 * an idle server. It runs when no session is open, so that no load waits for it.
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
