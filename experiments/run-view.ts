import type { NetworkCondition } from '../ground/records/network.ts';
import type { Observation } from '../ground/records/observation.ts';
import type { Protocol } from '../ground/records/protocol.ts';
import type { RunRecord } from '../ground/records/run.ts';
import type { Estimate } from '../kit/text/estimate.ts';
import type { Verdict } from '../kit/text/verdict.ts';

/** An arm of charts and tables; `place` decides the colour. */
export interface ShownArm {
  arm: string;
  label: string;
  place: number;
}

export interface ComparedArm extends ShownArm {
  baseline: ShownArm;
}

/** Comparison of two arms by a metric without verdicts. */
export interface OtherComparison {
  nPairs: number;
  ratio: Estimate | null;
  difference: Estimate | null;
  pAdjusted: number | null;
  /** null: neither direction is better. */
  verdict: Verdict | null;
}

/** The part of the report's view of a run from which an experiment makes its sections. */
export interface RunView {
  run: RunRecord;
  /** All attempts, including warm-ups, in the order of the run. */
  observations: readonly Observation[];
  /** Ids of the attempts in the statistics. */
  counted: ReadonlySet<string>;
  /** Without controls. */
  arms: readonly ShownArm[];
  /** The arms that have a baseline. */
  compared: readonly ComparedArm[];
  /** Nouns, singular and plural. */
  experiment: {
    attempt: readonly [one: string, several: string];
    subject: readonly [one: string, several: string];
  };
  /** The metric of the verdicts. */
  metric: { name: string; label: string; phrase: string; phrases: string };
  /** In the order of the plan. */
  conditions: readonly {
    network: NetworkCondition;
    /** Values of the factors, joined by dots. */
    variant: string;
    /** The values that are not the default, in words; empty: all are. */
    variantText: string;
    /** The condition's numbers in words. */
    text: string;
    /** Medians over the sites. */
    overview: { arms: readonly { arm: string; medianOfSiteMedians: number | null }[] };
    /** One for each subject and arm. */
    rows: readonly {
      arm: string;
      protocol: Protocol;
      network: { measuredRttMs: number | null };
    }[];
    /** Arms against their baselines, one for each subject and arm. */
    comparisons: readonly {
      subject: string;
      arm: string;
      nPairs: number;
      /** Arm / baseline, and arm - baseline, over the pairs. */
      ratio: Estimate | null;
      difference: Estimate | null;
      pHolm: number | null;
      verdict: Verdict;
      /** By name, for the metrics without verdicts. */
      otherMetrics: Readonly<Record<string, OtherComparison>>;
    }[];
    /** All attempts except warm-ups, in the order of the run; `counted` has those in the statistics. */
    loads: readonly Observation[];
  }[];
}
