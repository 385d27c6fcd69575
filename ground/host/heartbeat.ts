/** Irregularities of the machine's clocks during a load. */
export interface HeartbeatReport {
  /** Maximum delay of a beat, in ms. */
  longestStallMs: number;
  /** Maximum divergence of wall clock and monotonic clock, in ms. */
  clocksApartMs: number;
}

/** Clocks in ms and a timer, replaced in tests. */
export interface Clocks {
  /** Monotonic, stops while the machine is suspended. */
  monotonicMs(): number;
  /** Wall clock. */
  wallMs(): number;
  /** Calls repeatedly; returns a function that stops it. */
  every(intervalMs: number, beat: () => void): () => void;
}

const BEAT_MS = 100;

/**
 * Reads the clocks every 100 ms, which takes some microseconds each. A late beat shows that the machine stood
 * still or gave this program no processor; diverging clocks show that it was suspended or its clock was set.
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
