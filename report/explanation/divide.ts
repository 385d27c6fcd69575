import { type Metric, numberOf } from '../../ground/experiment.ts';
import { subjectConditionKey } from '../../ground/records/cell.ts';
import {
  armsOfExplanation,
  type ExplainedPair,
  type PlannedExplanation,
} from '../../ground/records/explanation.ts';
import type { Observation } from '../../ground/records/observation.ts';
import type { RunRecord } from '../../ground/records/run.ts';
import type { Estimate } from '../../kit/text/estimate.ts';
import {
  type FixedSites,
  fixedSites,
  fixedSitesInterval,
  pooledInflation,
  sittingInflation,
} from '../../statistics/fixed-sites.ts';
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

/** Divides each explained gain, over all pages and page by page. */
export function explanationResults({ run, blocks, metric }: ExplainedRun): ExplanationResult[] {
  const { explanations = [] } = run.analysis;
  return conditionsPlanned(run).flatMap(({ network, variant }) => {
    const pages = run.subjects.flatMap(({ subject }) => {
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
            notCounted: notCountedOf(explanation, group, run),
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
  /** The same blocks, in groups whose loads shared browsers. */
  groups: readonly (readonly Block[])[];
}

/** Number of a block; null: one of its loads is missing. */
type BlockNumber = (block: Block, page: Page) => number | null;

type Step = PlannedExplanation['steps'][number];

/** The numbers of a division. */
type Division = Pick<
  ExplanationResult,
  'nBlocks' | 'whole' | 'parts' | 'residual' | 'protocolAndResidual' | 'alternatives' | 'level'
>;

/** Divides a gain over these pages. */
export function divide(
  { arm, baseline, steps, responseDelay, alternatives }: PlannedExplanation,
  measured: readonly Omit<Page, 'groups'>[],
  metric: Metric,
): Division {
  const pages = measured.map((page): Page => ({ ...page, groups: groupsOf(page.blocks) }));
  const level = SIGNIFICANCE / (1 + steps.length + (responseDelay ? 1 : 0));
  const estimateOf = (number: BlockNumber, over = pages) =>
    estimateAt(meanOver(over, number), level);
  const gainOf = (pair: ExplainedPair) => gainBy(metric, pair);
  const whole = gainOf({ arm, baseline });
  let rest = whole;
  let last: ExplainedPair = { arm, baseline };
  let wait = waitBy(last);
  let missing: ExplainedPart[] = [];
  const ofProtocol: BlockNumber[] = [];
  const parts = steps.map((step): ExplainedPart => {
    const { name, label, phrase, owner, change, together, alone, aloneAfter, reverse } = step;
    const after = gainOf(together);
    const number = minus(rest, after);
    const part = estimateOf(number);
    const ofAlone = minus(aloneAfter ? gainOf(aloneAfter) : whole, gainOf(alone));
    const mayInteract = part && isChangedAgain(step, { arm, baseline });
    const own = {
      name,
      label,
      phrase,
      owner,
      change,
      nBlocks: countOf(pages, number),
      part,
      alone: estimateOf(ofAlone),
      interaction: mayInteract ? estimateOf(minus(number, ofAlone)) : null,
      reverse: reverse ? estimateOf(minus(whole, gainOf(reverse))) : null,
      ...(step.reverseReason !== undefined && { reverseReason: step.reverseReason }),
    };
    if (!part) {
      missing.push(own);
      return { ...own, missing: tooFew(pages) };
    }
    const contained = missing;
    missing = [];
    rest = after;
    if (owner === 'server') wait = minus(wait, minus(waitBy(last), waitBy(together)));
    last = together;
    if (owner === 'protocol') ofProtocol.push(number);
    return contained.length === 0 ? own : withContained(own, contained);
  });
  let furtherError = 0;
  if (responseDelay) {
    const response = responsePart({ arm, ...responseDelay }, wait, { pages, metric });
    const part = estimateAt(response.mean, level);
    if (part) {
      rest = minus(rest, response.number);
      furtherError = response.error;
    }
    parts.push({
      ...RESPONSE,
      change: `With ${responseDelay.delayMs} ms more before each response, a millisecond costs ${response.slopeText}. The part is this cost times the difference between the waits for the document’s first byte that no change of a server above removes, as if all responses waited so.`,
      nBlocks: countOf(pages, response.number),
      part,
      alone: null,
      interaction: null,
      reverse: null,
      reverseReason: 'a server cannot be made faster from outside',
      ...(!part && { missing: tooFew(pages) }),
    });
  }
  const wholeMean = meanOver(pages, whole);
  const left = (without: readonly ExplainedPart[], number: BlockNumber, at: number) =>
    leftOf(wholeMean, without, { direct: meanOver(pages, number), furtherError, level: at });
  const notOfProtocol = parts.filter(({ owner }) => owner !== 'protocol');
  return {
    nBlocks: countOf(pages, whole),
    whole: estimateAt(wholeMean, SIGNIFICANCE),
    parts,
    residual: left(parts, rest, level),
    protocolAndResidual:
      ofProtocol.length === 0
        ? null
        : left(notOfProtocol, ofProtocol.reduce(plus, rest), SIGNIFICANCE),
    alternatives: alternatives.map(({ name, label, change, with: pair }) => {
      const gain = gainOf(pair);
      // Pages of one host have no arm with one connection for all hosts.
      const own = pages.filter((page) => countOf([page], gain) > 0);
      return {
        name,
        label,
        change,
        nBlocks: countOf(own, gain),
        nPages: own.length,
        gain: estimateOf(gain, own),
        effect: estimateOf(minus(gain, whole), own),
      };
    }),
    level,
  };
}

const RESPONSE = {
  name: 'response',
  label: 'Wait for the document’s first byte',
  phrase: 'the wait for the document’s first byte',
  owner: 'server',
} as const;

/** Whether an earlier step has changed the same stack. Without one there is no interaction, as a gain is a difference of two arms. */
function isChangedAgain({ together, alone }: Step, pair: ExplainedPair): boolean {
  return (['arm', 'baseline'] as const).some(
    (side) => alone[side] !== pair[side] && alone[side] !== together[side],
  );
}

/** A part together with those before it that have no number. */
function withContained(part: ExplainedPart, contained: readonly ExplainedPart[]): ExplainedPart {
  return {
    ...part,
    phrase: [...contained, part].map(({ phrase }) => phrase).join(' and '),
    contains: contained.map(({ label }) => label),
  };
}

function tooFew(pages: readonly Page[]): string {
  const isOfPage = pages.length === 1 ? '' : ' of each page';
  return `Fewer than ${FEWEST_FOR_INTERVAL} blocks${isOfPage} have all loads of this change.`;
}

/** Loads of an explanation's arms that have no number, by arm and code. */
function notCountedOf(
  explanation: PlannedExplanation,
  pages: readonly Pick<Page, 'blocks'>[],
  { arms }: Pick<RunRecord, 'arms'>,
): ExplanationResult['notCounted'] {
  const names = new Set(armsOfExplanation(explanation));
  const made = pages.flatMap(({ blocks }) => blocks.flatMap((block) => block.made));
  const failed = made.filter(({ arm, outcome }) => outcome !== 'ok' && names.has(arm));
  const groups = Map.groupBy(failed, ({ arm, code }) => JSON.stringify([arm, code]));
  return [...groups.values()].flatMap((loads) => {
    const [first] = loads;
    if (!first) return [];
    const label = arms.find(({ arm }) => arm === first.arm)?.label ?? first.arm;
    return [{ arm: first.arm, label, code: first.code ?? 'unknown', nLoads: loads.length }];
  });
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
  return plus(one, (block, page) => scaled(other(block, page), -1));
}

function plus(one: BlockNumber, other: BlockNumber): BlockNumber {
  return (block, page) => {
    const [first, second] = [one(block, page), other(block, page)];
    return first === null || second === null ? null : first + second;
  };
}

/** The numbers of each page in the groups that have some, with the sittings of these. */
function groupedNumbers(pages: readonly Page[], number: BlockNumber) {
  return pages.map((page) =>
    page.groups.flatMap((blocks) => {
      const values = blocks.flatMap((block) => number(block, page) ?? []);
      return values.length > 0 ? [{ values, sitting: blocks[0]?.sitting ?? '' }] : [];
    }),
  );
}

function samplesOf(pages: readonly Page[], number: BlockNumber): number[][][] {
  return groupedNumbers(pages, number).map((groups) => groups.map(({ values }) => values));
}

/** All browsers are replaced together, so blocks that share one share all. */
function groupsOf(blocks: readonly Block[]): Block[][] {
  const groupOfBrowser = new Map<string, Block>();
  const groups = Map.groupBy(blocks, (block) => {
    const browsers = [...block.loads.values()].flatMap(({ invocation, client }) =>
      client ? [`${invocation} ${client.id}`] : [],
    );
    const first = browsers.map((each) => groupOfBrowser.get(each)).find(Boolean) ?? block;
    for (const each of browsers) groupOfBrowser.set(each, first);
    return first;
  });
  return [...groups.values()];
}

function countOf(pages: readonly Page[], number: BlockNumber): number {
  return samplesOf(pages, number).flat(2).length;
}

/** null: a page has no block with this number. */
function meanOver(pages: readonly Page[], number: BlockNumber): FixedSites | null {
  const found = groupedNumbers(pages, number);
  if (found.some(({ length }) => length === 0)) return null;
  const samples = found.map((groups) => groups.map(({ values }) => values));
  const sittings = found.map((groups) => groups.map(({ sitting }) => sitting));
  return fixedSites(samples, pooledInflation([sittingInflation(samples, sittings)]));
}

/** null: a page has too few blocks. */
function estimateAt(mean: FixedSites | null, level: number): Estimate | null {
  const interval = mean && fixedSitesInterval(mean, level);
  return interval && { estimate: mean.estimate, low: interval.low, high: interval.high };
}

/**
 * The whole less these parts. Hodges-Lehmann estimates do not add up exactly, so the interval is that of the direct estimate,
 * shifted to the difference and widened by their distance.
 */
function leftOf(
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
  const interval = fixedSitesInterval({ ...widened(direct, furtherError), estimate }, level);
  const apart = Math.abs(estimate - direct.estimate);
  return interval && { estimate, low: interval.low - apart, high: interval.high + apart };
}

function widened(mean: FixedSites, error: number): FixedSites {
  const { errors } = mean;
  return {
    ...mean,
    errors: errors && {
      below: Math.hypot(errors.below, error),
      above: Math.hypot(errors.above, error),
    },
  };
}

/** Time from the end of the connection's set-up to the first byte of the document, in ms; null: not recorded. */
function waitOf(load: Observation | undefined): number | null {
  const { firstByteMs = null, connectMs = null } = load?.metrics ?? {};
  return firstByteMs === null || connectMs === null ? null : firstByteMs - connectMs;
}

/** The wait of the baseline less that of the arm, in ms. */
function waitBy({ arm, baseline }: ExplainedPair): BlockNumber {
  return ({ loads }) => {
    const [own, other] = [waitOf(loads.get(arm)), waitOf(loads.get(baseline))];
    return own === null || other === null ? null : other - own;
  };
}

/** The part of the responses: the cost of a known delay, times a difference of waits. */
function responsePart(
  {
    arm,
    delayed,
    delayMs,
  }: Pick<ExplainedPair, 'arm'> & NonNullable<PlannedExplanation['responseDelay']>,
  wait: BlockNumber,
  { pages, metric }: { pages: readonly Page[]; metric: Metric },
) {
  const cost = gainBy(metric, { arm, baseline: delayed });
  const found = pages.map((page) => ({
    page,
    slope: fixedSites(samplesOf([page], (block) => scaled(cost(block, page), 1 / delayMs))),
    difference: fixedSites(samplesOf([page], wait)),
  }));
  const number: BlockNumber = (block, page) =>
    scaled(wait(block, page), found.find((each) => each.page === page)?.slope?.estimate ?? null);
  // The error of the cost is common to all blocks of a page.
  const error =
    Math.hypot(
      ...found.map(({ slope, difference }) => (difference?.estimate ?? 0) * halfWidth(slope)),
    ) / pages.length;
  const mean = meanOver(pages, number);
  const slopes = found.flatMap(({ slope }) => slope?.estimate ?? []);
  const [least, most] = [Math.min(...slopes), Math.max(...slopes)].map((each) => each.toFixed(1));
  return {
    number,
    error,
    mean: mean && widened(mean, error),
    slopeText: `${least === most ? least : `${least} to ${most}`} ms`,
  };
}

function halfWidth(mean: FixedSites | null): number {
  return mean?.errors ? (mean.errors.below + mean.errors.above) / 2 : 0;
}

function scaled(value: number | null, by: number | null): number | null {
  return value === null || by === null ? null : value * by;
}
