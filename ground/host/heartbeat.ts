/** How a machine's time went by during a load. */
export interface HeartbeatReport {
  /** By how much the latest beat came too late. */
  longestStallMs: number;
  /** By how much the wall clock and the clock that only runs forward moved apart, at most. */
  clocksApartMs: number;
}

/** Clocks in ms, and a timer; a test has its own. */
export interface Clocks {
  /** Runs forward only, and stands still while the machine is suspended. */
  monotonicMs(): number;
  /** The time of day. */
  wallMs(): number;
  /** Calls again and again; returns what ends it. */
  every(intervalMs: number, beat: () => void): () => void;
}

const BEAT_MS = 100;

/**
 * Begins to look at the clocks every 100 ms, some microseconds of the runner's time each. A beat that comes too late tells that the
 * machine stood still, or gave this program no processor; clocks that move apart tell that it was suspended or its clock set.
 */
export function startHeartbeat(clocks: Clocks = SYSTEM_CLOCKS): { end(): HeartbeatReport } {
  const offsetMs = clocks.wallMs() - clocks.monotonicMs();
  let lastMs = clocks.monotonicMs();
  const kept: HeartbeatReport = { longestStallMs: 0, clocksApartMs: 0 };
  const beat = () => {
    const nowMs = clocks.monotonicMs();
    const apartMs = Math.abs(clocks.wallMs() - nowMs - offsetMs);
    kept.longestStallMs = Math.max(kept.longestStallMs, nowMs - lastMs - BEAT_MS);
    kept.clocksApartMs = Math.max(kept.clocksApartMs, apartMs);
    lastMs = nowMs;
  };
  const stop = clocks.every(BEAT_MS, beat);
  return {
    end() {
      stop();
      beat();
      return { ...kept };
    },
  };
}

const SYSTEM_CLOCKS: Clocks = {
  monotonicMs: () => performance.now(),
  wallMs: () => Date.now(),
  every(intervalMs, beat) {
    const timer = setInterval(beat, intervalMs);
    return () => clearInterval(timer);
  },
};
