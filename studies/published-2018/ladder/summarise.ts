import { verdictMetric } from '../../../experiments/index.ts';
import { subjectConditionKey } from '../../../ground/records/cell.ts';
import { askedOf } from '../../../ground/records/network.ts';
import type { Estimate } from '../../../kit/text/estimate.ts';
import { counted } from '../../../kit/text/number.ts';
import { blocksOf } from '../../../report/summary/blocks.ts';
import { pairedLogRatios } from '../../../report/summary/compare.ts';
import type { MeasuredRun } from '../../../report/summary/measured-run.ts';
import { pooledChange, ratioChange } from '../../../report/summary/ratio-change.ts';
import { changeVerdict } from '../../../report/summary/runs-comparison.ts';
import { seedOf } from '../../../report/summary/seed.ts';
import { median } from '../../../statistics/median.ts';
import { assertOneLadder, type MeasuredStep } from './measured-step.ts';
import { publishedClaim } from './published-claim.ts';
import type { LadderRecord, LadderStep } from './record.ts';
import {
  LADDER_SUMMARY_FORMAT_VERSION,
  type LadderSummary,
  type StepResult,
  type StepSummary,
} from './summary.ts';
import { ladderSentences } from './text.ts';

/**
 * Puts the runs of a ladder together: what each says, and what each change did to it. Loads of different runs are never
 * paired: changes are ratios of the runs' own ratios, site by site. Pure: the same input gives the same numbers.
 * @throws DamagedRunError when the runs cannot be of one ladder.
 */
export function summariseLadder(
  { startedAt, command }: LadderRecord,
  measuredSteps: readonly MeasuredStep[],
): LadderSummary {
  assertOneLadder(measuredSteps);
  const readings = measuredSteps.map(({ measured }) => measured && readingOf(measured));
  const first = readings.find((reading) => reading !== null);
  const marginPercent = first?.measured.summary.analysis.marginPercent ?? 5;
  const steps = measuredSteps.map(({ step, state }, index): StepSummary => {
    const [before, own] = [readings[index - 1], readings[index]];
    const ratioChange = before && own ? changeBetween(before, own) : null;
    return {
      ...step,
      state,
      result: own?.result ?? null,
      ratioChange,
      changeVerdict: ratioChange && changeVerdict(ratioChange, marginPercent),
    };
  });
  const [bottom, top] = [readings.at(0), readings.at(-1)];
  const network = first?.measured.run.networks[0];
  const subjects = first?.measured.run.subjects.map(({ subject }) => subject) ?? [];
  const numbers = {
    formatVersion: LADDER_SUMMARY_FORMAT_VERSION,
    startedAt,
    command,
    warnings: warningsOf(measuredSteps),
    subjects,
    network: network ? askedOf(network) : null,
    marginPercent,
    published: publishedClaim(network?.rttMs ?? null, subjects),
    steps,
    whole: bottom && top && readings.length > 1 ? changeBetween(bottom, top) : null,
  } as const;
  return { ...numbers, sentences: ladderSentences(numbers) };
}

/** A run with its result and the log ratios of its pairs, site by site. */
interface Reading {
  measured: MeasuredRun;
  result: StepResult;
  logRatiosOf: ReadonlyMap<string, readonly number[]>;
}

function readingOf(measured: MeasuredRun): Reading | null {
  const { run, summary, observations } = measured;
  const [answer] = summary.primary;
  if (!answer) return null;
  const { arm, baseline, nSites, nPairs, ratio, verdict, sentence, variant } = answer;
  const blocks = blocksOf(run, observations);
  const metric = verdictMetric(summary);
  const logRatiosOf = new Map(
    run.subjects.map(({ subject }) => {
      const key = subjectConditionKey({ subject, network: { name: answer.network }, variant });
      return [subject, pairedLogRatios(blocks.get(key) ?? [], metric, arm, baseline)];
    }),
  );
  const labelOf = (name: string) => run.arms.find((each) => each.arm === name)?.label ?? name;
  return {
    measured,
    logRatiosOf,
    result: {
      runId: run.runId,
      metric: summary.analysis.metric,
      variant,
      order: run.choices.order,
      arm,
      label: labelOf(arm),
      baseline,
      baselineLabel: labelOf(baseline),
      nSites,
      nPairs,
      nPairsPlanned: run.repetitions * run.subjects.length,
      ratio,
      medianOfSites: median(
        summary.comparisons.flatMap(({ ratio: ofSite }) => ofSite?.estimate ?? []),
      ),
      verdict,
      sentence,
      subjects: summary.comparisons.map(({ subject, nPairs: pairs, ratio: ofSite }) => ({
        subject,
        nPairs: pairs,
        ratio: ofSite,
      })),
    },
  };
}

/** By what factor the ratio of the second is higher, over the sites that both have pairs of. */
function changeBetween(first: Reading, second: Reading): Estimate | null {
  const seeds = [first, second].map(({ measured: { run } }) => String(run.seed));
  const changes = [...first.logRatiosOf].flatMap(([subject, logRatios]) => {
    const names = [first.result.runId, second.result.runId, subject];
    // The old word for a step: with another one the same runs would have other intervals.
    const seed = seedOf(first.measured.run.seed, 'rung', ...seeds, ...names);
    return ratioChange(logRatios, second.logRatiosOf.get(subject) ?? [], { seed }) ?? [];
  });
  return pooledChange(changes);
}

function warningsOf(steps: readonly MeasuredStep[]): string[] {
  return steps.flatMap(({ step, state, measured }, index) => {
    if (state === 'not measured') return [`${nameOf(step, index)} has not been measured.`];
    if (state === 'interrupted') {
      return [`${nameOf(step, index)} was interrupted before its end, and is left out here.`];
    }
    const left = measured?.summary.ledger.blocks.nBroken ?? 0;
    return [
      ...(measured?.summary.warnings ?? []).map((warning) => `${nameOf(step, index)}: ${warning}`),
      ...(left > 0
        ? [
            `${nameOf(step, index)}: ${counted(left, 'pair')} of loads ${left === 1 ? 'is' : 'are'} left out, because a load failed or was not what was asked. Its own report says why.`,
          ]
        : []),
    ];
  });
}

function nameOf({ title }: LadderStep, index: number): string {
  return `Step ${index} (${title})`;
}
