import type { NetworkCondition } from '../ground/records/network.ts';
import type { Observation } from '../ground/records/observation.ts';
import type { Protocol } from '../ground/records/protocol.ts';
import type { RunRecord } from '../ground/records/run.ts';
import type { Estimate } from '../kit/text/estimate.ts';
import type { Verdict } from '../kit/text/verdict.ts';

/** An arm as charts and tables show it; `place` decides the colour. */
export interface ShownArm {
  arm: string;
  label: string;
  place: number;
}

/** An arm with what it is compared with. */
export interface ComparedArm extends ShownArm {
  baseline: ShownArm;
}

/** A metric that verdicts of the run are not about, of two arms. */
export interface OtherComparison {
  nPairs: number;
  ratio: Estimate | null;
  difference: Estimate | null;
  pAdjusted: number | null;
  /** null: neither direction is better. */
  verdict: Verdict | null;
}

/** What a section that an experiment brings is made of: a part of the report's view of a run. */
export interface RunView {
  run: RunRecord;
  /** Every attempt, warm-ups too, in the order run. */
  observations: readonly Observation[];
  /** Ids of the attempts that the statistics speak of. */
  counted: ReadonlySet<string>;
  /** Controls left out. */
  arms: readonly ShownArm[];
  /** Those that are compared with another. */
  compared: readonly ComparedArm[];
  /** Nouns of what is measured, one and several. */
  experiment: {
    attempt: readonly [one: string, several: string];
    subject: readonly [one: string, several: string];
  };
  /** What verdicts are about. */
  metric: { name: string; label: string; phrase: string; phrases: string };
  /** In the order of the plan. */
  conditions: readonly {
    network: NetworkCondition;
    /** Values of the factors, joined by dots. */
    variant: string;
    /** Those that do not go without saying, in words; empty: all do. */
    variantText: string;
    /** The condition's numbers in words. */
    text: string;
    /** Medians over the sites. */
    overview: { arms: readonly { arm: string; medianOfSiteMedians: number | null }[] };
    /** One for each site and arm. */
    rows: readonly {
      arm: string;
      protocol: Protocol;
      network: { measuredRttMs: number | null };
    }[];
    /** Arms against what they are compared with, one for each subject and arm. */
    comparisons: readonly {
      subject: string;
      arm: string;
      nPairs: number;
      /** Arm / baseline, and arm - baseline, pair by pair. */
      ratio: Estimate | null;
      difference: Estimate | null;
      pHolm: number | null;
      verdict: Verdict;
      /** The same of what verdicts are not about, by their names. */
      otherMetrics: Readonly<Record<string, OtherComparison>>;
    }[];
    /** Every attempt that is no warm-up, in the order run; `counted` tells which are in the statistics. */
    loads: readonly Observation[];
  }[];
}
