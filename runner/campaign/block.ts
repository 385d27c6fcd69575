import { variantOf } from '../../ground/records/factors.ts';
import type { RunChoices, Trial } from '../../ground/records/run.ts';

/**
 * Loads of one site under one condition that are made together: every stack once, or all loads of each stack in turn in a
 * sequential order.
 */
export interface Block {
  /** Identical in every copy of the plan. */
  key: string;
  trials: readonly Trial[];
}

/** The blocks of these trials, in the order of their first ones. */
export function blocksOf(trials: readonly Trial[], order: RunChoices['order']): Block[] {
  const keyOf = order === 'shuffled' ? blockKeyOf : conditionKey;
  return [...Map.groupBy(trials, keyOf)].map(([key, own]) => ({ key, trials: own }));
}

/** Key of a load's block; names of sites and networks contain no slash. */
export function blockKeyOf(trial: Trial): string {
  const { block, repetition, filmed } = trial;
  return `${conditionKey(trial)}/${filmed ? `film-${repetition}` : block}`;
}

function conditionKey({ subject, network, factors }: Trial): string {
  return [subject, network.name, variantOf(factors)].join('/');
}
