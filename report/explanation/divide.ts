import { type Metric, numberOf } from '../../ground/experiment.ts';
import { subjectConditionKey } from '../../ground/records/cell.ts';
import type { ExplainedPair, PlannedExplanation } from '../../ground/records/explanation.ts';
import type { Observation } from '../../ground/records/observation.ts';
import type { RunRecord } from '../../ground/records/run.ts';
import type { Estimate } from '../../kit/text/estimate.ts';
import { type FixedSites, fixedSites, fixedSitesInterval } from '../../statistics/fixed-sites.ts';
import { FEWEST_FOR_INTERVAL } from '../../statistics/interval.ts';
import type { Block } from '../summary/blocks.ts';
import { conditionsPlanned } from '../summary/primary-questions.ts';
import { SIGNIFICANCE } from '../summary/verdict.ts';
import type { ExplainedPart, ExplanationResult } from './schema.ts';
import { divisionText } from './sentence.ts';

interface ExplainedRun {
  run: Pick<RunRecord, 'analysis' | 'subjects' | 'networks' | 'factors' | 'arms'>;
  /** By `subjectConditionKey`, with the arms that explain. */
  blocks: ReadonlyMap<string, readonly Block[]>;
  metric: Metric;
}

/** Divides each explained gain, page by page and over all pages. */
export function explanationResults({ run, blocks, metric }: ExplainedRun): ExplanationResult[] {
  const { explanations = [] } = run.analysis;
  return conditionsPlanned(run).flatMap(({ network, variant }) => {
    const pages = run.subjects.flatMap(({ subject }): Page[] => {
      const own = blocks.get(subjectConditionKey({ subject, network, variant })) ?? [];
      return own.length > 0 ? [{ subject, blocks: own }] : [];
    });
    const groups = pages.length > 1 ? [pages, ...pages.map((page) => [page])] : [pages];
    return explanations.flatMap((explanation) =>
      groups
        .filter(({ length }) => length > 0)
        .map((group) => {
          const divided = divide(explanation, group, metric);
          return {
            network: network.name,
            variant,
            arm: explanation.arm,
            baseline: explanation.baseline,
            subject: group.length === 1 ? (group[0]?.subject ?? null) : null,
            ...divided,
            unchanged: explanation.unchanged,
            sentence: divisionText(divided, metric, run, explanation),
          };
        }),
    );
  });
}

interface Page {
  subject: string;
  blocks: readonly Block[];
}

/** Number of a block; null: one of its loads is missing. */
type BlockNumber = (block: Block, page: Page) => number | null;

/** The numbers of a division. */
type Division = Pick<ExplanationResult, 'whole' | 'parts' | 'residual' | 'alternatives' | 'level'>;

/** Divides a gain over these pages. */
export function divide(
  { arm, baseline, steps, responseDelay, alternatives }: PlannedExplanation,
  pages: readonly Page[],
  metric: Metric,
): Division {
  const level = SIGNIFICANCE / (2 + steps.length + (responseDelay ? 1 : 0));
  const meanOf = (number: BlockNumber) => fixedSites(samplesOf(pages, number));
  const estimateOf = (number: BlockNumber) => estimateAt(meanOf(number), level);
  const gainOf = (pair: ExplainedPair) => gainBy(metric, pair);
  const whole = gainOf({ arm, baseline });
  let rest = whole;
  const parts = steps.map((step, index): ExplainedPart => {
    const { name, label, phrase, change, together, alone, aloneAfter, reverse, reverseReason } =
      step;
    const after = gainOf(together);
    const number = minus(rest, after);
    const part = estimateOf(number);
    const ofAlone = minus(aloneAfter ? gainOf(aloneAfter) : whole, gainOf(alone));
    const nBlocks = countOf(pages, number);
    if (part) rest = after;
    return {
      name,
      label,
      phrase,
      change,
      nBlocks,
      part,
      alone: estimateOf(ofAlone),
      interaction: index === 0 || !part ? null : estimateOf(minus(number, ofAlone)),
      reverse: reverse ? estimateOf(minus(whole, gainOf(reverse))) : null,
      ...(reverseReason !== undefined && { reverseReason }),
      ...(!part && { missing: tooFew(nBlocks, pages) }),
    };
  });
  let furtherError = 0;
  if (responseDelay) {
    const response = responsePart({ arm, baseline, ...responseDelay }, pages, metric);
    const { mean, number, error } = response;
    const nBlocks = countOf(pages, number);
    const part = estimateAt(mean, level);
    if (part) {
      rest = minus(rest, number);
      furtherError = error;
    }
    parts.push({
      ...RESPONSE,
      change: `With ${responseDelay.delayMs} ms more before each response, a millisecond costs ${response.slopeText}. The part is this cost times the difference of the waits for the document’s first byte.`,
      nBlocks,
      part,
      alone: null,
      interaction: null,
      reverse: null,
      reverseReason: 'a server cannot be made faster from outside',
      ...(!part && { missing: tooFew(nBlocks, pages) }),
    });
  }
  const wholeMean = meanOf(whole);
  return {
    whole: estimateAt(wholeMean, level),
    parts,
    residual: residualOf(wholeMean, parts, { direct: meanOf(rest), furtherError, level }),
    alternatives: alternatives.map(({ name, label, change, with: pair }) => ({
      name,
      label,
      change,
      nBlocks: countOf(pages, gainOf(pair)),
      gain: estimateOf(gainOf(pair)),
      effect: estimateOf(minus(gainOf(pair), whole)),
    })),
    level,
  };
}

const RESPONSE = {
  name: 'response',
  label: 'Wait for the document’s first byte',
  phrase: 'the shorter wait for its server’s response',
};

function tooFew(nBlocks: number, pages: readonly Page[]): string {
  const isOfPage = pages.length === 1 ? '' : ' of each page';
  return `Only ${nBlocks} blocks have all loads of this change; ${FEWEST_FOR_INTERVAL}${isOfPage} are needed.`;
}

/** Metric of the baseline less that of the arm. */
function gainBy(metric: Metric, { arm, baseline }: ExplainedPair): BlockNumber {
  return ({ loads }) => {
    const [own, other] = [arm, baseline].map((name) => {
      const load = loads.get(name);
      return load ? numberOf(load, metric) : null;
    });
    return typeof own === 'number' && typeof other === 'number' ? other - own : null;
  };
}

function minus(one: BlockNumber, other: BlockNumber): BlockNumber {
  return (block, page) => {
    const [first, second] = [one(block, page), other(block, page)];
    return first === null || second === null ? null : first - second;
  };
}

/** The numbers of each page, in the groups of blocks whose loads shared browsers. */
function samplesOf(pages: readonly Page[], number: BlockNumber): number[][][] {
  return pages.map((page) => {
    const known = page.blocks.flatMap((block) => {
      const value = number(block, page);
      return value === null ? [] : [{ value, browsers: browsersOf(block) }];
    });
    const groups = Map.groupBy(known, ({ browsers }) => browsers);
    return [...groups.values()].map((group) => group.map(({ value }) => value));
  });
}

/** All browsers of a block are replaced together, so that one names them all. */
function browsersOf({ loads }: Block): string {
  const [first] = [...loads.values()].toSorted((a, b) => (a.arm < b.arm ? -1 : 1));
  return first?.client ? `${first.invocation} ${first.client.id}` : (first?.id ?? '');
}

function countOf(pages: readonly Page[], number: BlockNumber): number {
  return samplesOf(pages, number).flat(2).length;
}

/** null: a page has too few blocks. */
function estimateAt(mean: FixedSites | null, level: number): Estimate | null {
  const interval = mean && fixedSitesInterval(mean, level);
  return interval && { estimate: mean.estimate, low: interval.low, high: interval.high };
}

/**
 * The whole less its parts. Hodges-Lehmann estimates do not add up exactly, so the interval is that of the direct estimate,
 * shifted to the difference and widened by their distance.
 */
function residualOf(
  whole: FixedSites | null,
  parts: readonly ExplainedPart[],
  {
    direct,
    furtherError,
    level,
  }: { direct: FixedSites | null; furtherError: number; level: number },
): Estimate | null {
  if (!whole || !direct?.errors) return null;
  const sum = parts.reduce((total, { part }) => total + (part?.estimate ?? 0), 0);
  const estimate = whole.estimate - sum;
  const { below, above } = direct.errors;
  const errors = {
    below: Math.hypot(below, furtherError),
    above: Math.hypot(above, furtherError),
  };
  const interval = fixedSitesInterval({ ...direct, estimate, errors }, level);
  const apart = Math.abs(estimate - direct.estimate);
  return interval && { estimate, low: interval.low - apart, high: interval.high + apart };
}

/** Time from the end of the connection's set-up to the first byte of the document, in ms; null: not recorded. */
function waitOf(load: Observation | undefined): number | null {
  const { firstByteMs = null, connectMs = null } = load?.metrics ?? {};
  return firstByteMs === null || connectMs === null ? null : firstByteMs - connectMs;
}

/** The part of the servers' responses: the cost of a known delay, times the difference of the waits. */
function responsePart(
  {
    arm,
    baseline,
    delayed,
    delayMs,
  }: ExplainedPair & NonNullable<PlannedExplanation['responseDelay']>,
  pages: readonly Page[],
  metric: Metric,
) {
  const cost = gainBy(metric, { arm, baseline: delayed });
  const wait: BlockNumber = ({ loads }) => {
    const [own, other] = [waitOf(loads.get(arm)), waitOf(loads.get(baseline))];
    return own === null || other === null ? null : other - own;
  };
  const found = pages.map((page) => {
    const slope = fixedSites(samplesOf([page], (block) => scaled(cost(block, page), 1 / delayMs)));
    const difference = fixedSites(samplesOf([page], wait));
    return { page, slope, difference };
  });
  const slopeOf = (page: Page) => found.find((each) => each.page === page)?.slope ?? null;
  const number: BlockNumber = (block, page) =>
    scaled(wait(block, page), slopeOf(page)?.estimate ?? null);
  // The error of the cost is common to all blocks of a page.
  const error =
    Math.hypot(
      ...found.map(({ slope, difference }) => (difference?.estimate ?? 0) * halfWidth(slope)),
    ) / pages.length;
  const mean = fixedSites(samplesOf(pages, number));
  const errors = mean?.errors && {
    below: Math.hypot(mean.errors.below, error),
    above: Math.hypot(mean.errors.above, error),
  };
  const slopes = found.flatMap(({ slope }) => slope?.estimate ?? []);
  const [least, most] = [Math.min(...slopes), Math.max(...slopes)].map((each) => each.toFixed(1));
  return {
    number,
    error,
    mean: mean && errors ? { ...mean, errors } : null,
    slopeText: `${least === most ? least : `${least} to ${most}`} ms`,
  };
}

function halfWidth(mean: FixedSites | null): number {
  return mean?.errors ? (mean.errors.below + mean.errors.above) / 2 : 0;
}

function scaled(value: number | null, by: number | null): number | null {
  return value === null || by === null ? null : value * by;
}
