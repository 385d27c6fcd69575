import type { AskedNetwork } from '../records/network.ts';
import type { Protocol } from '../records/protocol.ts';

/** What a section that an experiment brings is made of: a part of the report's view of a run. */
export interface RunView {
  /** Controls left out; `place` decides the colour. */
  arms: readonly { arm: string; label: string; place: number }[];
  /** In the order of the plan. */
  conditions: readonly {
    network: AskedNetwork;
    /** The condition's numbers in words. */
    text: string;
    /** Medians over the sites. */
    overview: { arms: readonly { arm: string; medianOfSiteMediansMs: number | null }[] };
    /** One for each site and arm. */
    rows: readonly {
      arm: string;
      protocol: Protocol;
      network: { measuredRttMs: number | null };
    }[];
  }[];
}
