import type { AskedNetwork } from '../records/network.ts';
import type { Observation } from '../records/observation.ts';
import type { Protocol } from '../records/protocol.ts';
import type { RunRecord } from '../records/run.ts';

/** What a section that an experiment brings is made of: a part of the report's view of a run. */
export interface RunView {
  run: RunRecord;
  /** Every attempt, warm-ups too, in the order run. */
  observations: readonly Observation[];
  /** Ids of the attempts that the statistics speak of. */
  counted: ReadonlySet<string>;
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
