import type { Trial } from '../../records/run.ts';

/** Loads that belong together: every stack once, on one site under one condition. */
export interface Block {
  /** The same in every copy of the plan. */
  key: string;
  trials: readonly Trial[];
}

/** The blocks of these trials, in the order of their first ones. */
export function blocksOf(trials: readonly Trial[]): Block[] {
  return [...Map.groupBy(trials, blockKey)].map(([key, own]) => ({ key, trials: own }));
}

/** What loads of one block have in common; no name of a site or network has a slash in it. */
export function blockKey({ site, network, visit, block }: Trial): string {
  return [site, network.name, visit, block].join('/');
}
