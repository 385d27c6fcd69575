import type { ReportView } from './view.ts';

/**
 * What keeps two stacks from being compared as protocols, as a sentence of the fairness comparison; null: nothing, they
 * differ in the protocol alone.
 */
export function unlikeSentence(
  { summary }: Pick<ReportView, 'summary'>,
  arm: string,
  baseline: string,
): string | null {
  const pair = summary.fairness.find(
    ({ a, b }) => (a === arm && b === baseline) || (a === baseline && b === arm),
  );
  if (!pair)
    return 'Not known to be like for like: the run does not tell what the two had in common.';
  if (pair.likeForLike === 'yes') return null;
  return asSentence(pair.sentence);
}

/** Begins large and ends with a full stop. */
export function asSentence(text: string): string {
  const sentence = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}
