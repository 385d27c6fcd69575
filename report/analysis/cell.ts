import type { AskedNetwork } from '../../records/network.ts';
import type { VisitKind } from '../../records/page-load.ts';

/** What loads of one block and its like have in common: a site under a condition. Networks are told apart by their names. */
export interface SiteCondition {
  site: string;
  network: Pick<AskedNetwork, 'name'>;
  visit: VisitKind;
}

/** The same for the same site under the same condition, and only then. */
export function siteConditionKey({ site, network, visit }: SiteCondition): string {
  return JSON.stringify([site, network.name, visit]);
}

/** The same for the same site and stack under the same condition, and only then. */
export function cellKey({ stack, ...siteCondition }: SiteCondition & { stack: string }): string {
  return JSON.stringify([siteConditionKey(siteCondition), stack]);
}
