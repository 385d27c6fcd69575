import type { WireConnection } from '../../ground/records/packets.ts';
import { quantileOfSorted } from '../../statistics/quantile.ts';

type Side = 'client' | 'server';

/**
 * Round-trip times seen from wherever the packets were captured: the way to the server and back, and the way to the client and back.
 * At one of the ends the nearer way takes next to nothing.
 */
export class RoundTrips {
  readonly #samplesMs: Record<Side, number[]> = { client: [], server: [] };

  /** Takes how long an acknowledgement took to come back from one side. */
  add(from: Side, ms: number): void {
    this.#samplesMs[from].push(ms);
  }

  /** null: a side acknowledged nothing, and the other one alone may be that at which packets were captured, a few µs away. */
  figures(): WireConnection['roundTripMs'] {
    const sides = Object.values(this.#samplesMs).map((each) => Float64Array.from(each).sort());
    const [near, far] = sides.sort((a, b) => (a[0] ?? 0) - (b[0] ?? 0));
    // Of the nearer side the least alone: what it waited before it acknowledged is no part of the way.
    const [nearMs, least] = [near?.[0], far?.[0]];
    if (near === undefined || far === undefined || nearMs === undefined || least === undefined)
      return null;
    return {
      least: least + nearMs,
      median: (quantileOfSorted(far, 0.5) ?? least) + nearMs,
      p95: (quantileOfSorted(far, 0.95) ?? least) + nearMs,
      samples: far.length,
      clientLeast: leastOf(this.#samplesMs.client),
    };
  }
}

function leastOf(samplesMs: readonly number[]): number | null {
  return samplesMs.reduce<number | null>((least, each) => Math.min(least ?? each, each), null);
}
