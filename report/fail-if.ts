import type { RunRecord } from '../records/run.ts';
import type { PooledComparison } from './analysis/comparison.ts';
import type { Summary } from './summary.ts';

/** What is to be told to whoever started the run, a build for example: one stack is slower, or faster, than another by more than so much. */
export interface FailRule {
  stack: string;
  is: 'slower' | 'faster';
  than: string;
  /** 0 to 1000. */
  byPercent: number;
  /** As it was given. */
  text: string;
}

/** The rule is not one, or the run has nothing that it could be asked of; the message says what is expected. */
export class FailRuleError extends Error {
  override name = 'FailRuleError';
}

/**
 * Reads `lsquic-h3 slower than bun-h2 by 5%`.
 * @throws FailRuleError
 */
export function readFailRule(text: string): FailRule {
  const [, stack, is, than, percent] =
    /^\s*(\S+)\s+(slower|faster)\s+than\s+(\S+)\s+by\s+(\d+(?:\.\d+)?)\s*%\s*$/.exec(text) ?? [];
  if (!stack || !is || !than || stack === than || !(Number(percent) <= 1000)) {
    throw new FailRuleError(
      `--fail-if ${JSON.stringify(text)}: expected two stacks and a percentage, as in "lsquic-h3 slower than bun-h2 by 5%".`,
    );
  }
  return { stack, is: is as FailRule['is'], than, byPercent: Number(percent), text: text.trim() };
}

/**
 * Reads a rule about a run; null without one.
 * @throws FailRuleError
 */
export function failRuleFor(
  { stacks, analysis }: Pick<RunRecord, 'stacks' | 'analysis'>,
  text: string | null,
): FailRule | null {
  if (text === null) return null;
  const rule = readFailRule(text);
  const names = stacks.map(({ stack }) => stack);
  assertComparable(rule, names, analysis.baseline);
  return rule;
}

/**
 * Refuses a rule about stacks that the run does not compare.
 * @throws FailRuleError with those that it does
 */
export function assertComparable(
  { stack, than }: FailRule,
  stacks: readonly string[],
  baseline: string,
): void {
  const unknown = [stack, than].filter((name) => !stacks.includes(name));
  if (unknown.length > 0) {
    throw new FailRuleError(
      `--fail-if: ${unknown.join(', ')} is no stack of this run. Stacks: ${stacks.join(', ')}.`,
    );
  }
  if (stack === baseline || than === baseline) return;
  throw new FailRuleError(
    `--fail-if: ${stack} and ${than} are compared with ${baseline}, not with each other. Name ${baseline} as one of the two, or give --baseline ${than}.`,
  );
}

/**
 * The conditions under which the rule says so, as sentences. It speaks only where the whole interval over all sites lies beyond
 * the limit: what could be noise never counts.
 */
export function brokenBy(rule: FailRule, { pooled }: Pick<Summary, 'pooled'>): string[] {
  return pooled
    .filter(({ stack, baseline }) => isPair(rule, stack, baseline))
    .filter((comparison) => isBeyond(rule, comparison))
    .map(({ sentence }) => sentence);
}

function isPair({ stack, than }: FailRule, a: string, b: string): boolean {
  return (a === stack && b === than) || (a === than && b === stack);
}

function isBeyond(
  { stack, is, byPercent }: FailRule,
  { ratio, stack: compared, verdict }: PooledComparison,
): boolean {
  // Too few pairs make no verdict, whatever the numbers are.
  if (verdict === 'cannot tell' || verdict === 'same') return false;
  const { low, high } = ratio ?? { low: null, high: null };
  if (low === null || high === null) return false;
  const [least, most] = compared === stack ? [low, high] : [1 / high, 1 / low];
  return is === 'slower' ? least > 1 + byPercent / 100 : most < 1 / (1 + byPercent / 100);
}
