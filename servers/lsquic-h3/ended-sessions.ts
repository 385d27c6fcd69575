import type { QuicSession } from 'node:quic';

/** More than a page's loads leave in a while; what so many hold is some MB. */
const COLLECTED_AT_ONCE = 1000;

/**
 * Gives back what ended sessions hold, and returns what is to be called with every session. Memory outside of JavaScript's heap
 * stays taken until their objects are collected, and the engine, which does not count that memory, sees no reason to while a
 * server has nothing to do. It is done when no session is open, so that no load waits for it.
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
