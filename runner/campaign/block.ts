import { variantOf } from '../../ground/records/factors.ts';
import type { RunChoices, Trial } from '../../ground/records/run.ts';

/**
 * Loads that belong together, on one site under one condition: every stack once, or, where stack comes after stack, all of
 * them.
 */
export interface Block {
  /** The same in every copy of the plan. */
  key: string;
  trials: readonly Trial[];
}

/** The blocks of these trials, in the order of their first ones. */
export function blocksOf(trials: readonly Trial[], order: RunChoices['order']): Block[] {
  const keyOf = order === 'shuffled' ? blockKeyOf : conditionKey;
  return [...Map.groupBy(trials, keyOf)].map(([key, own]) => ({ key, trials: own }));
}

/** What loads of one block have in common; no name of a site or network has a slash in it. */
export function blockKeyOf(trial: Trial): string {
  return `${conditionKey(trial)}/${trial.block}`;
}

function conditionKey({ subject, network, factors }: Trial): string {
  return [subject, network.name, variantOf(factors)].join('/');
}
