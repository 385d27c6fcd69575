import type { SummaryRow } from './summary.ts';

/** A network condition: always numbers. */
export interface Condition {
  rttMs: number;
  downKbps: number | null;
  upKbps: number | null;
  lossPercent: number;
}

/** The same for the same network condition, and only then. */
export function conditionKey({ rttMs, downKbps, upKbps, lossPercent }: Condition): string {
  return JSON.stringify([rttMs, downKbps, upKbps, lossPercent]);
}

/** The rows of one network condition. */
export interface ConditionRows {
  condition: Condition & { backend: string | null };
  rows: SummaryRow[];
}

/** The network conditions of a run, in the order of its plan, each with its rows. */
export function conditionsOf(rows: readonly SummaryRow[]): ConditionRows[] {
  const conditions = new Map<string, ConditionRows>();
  for (const row of rows) {
    const key = conditionKey(row.network);
    const found = conditions.get(key) ?? { condition: { ...row.network }, rows: [] };
    // A cell without loads does not know the backend; any other cell of the condition does.
    found.condition.backend ??= row.network.backend;
    found.rows.push(row);
    conditions.set(key, found);
  }
  return [...conditions.values()];
}

/** A network condition in words. */
export function conditionText({ rttMs, downKbps, upKbps, lossPercent }: Condition): string {
  const parts = [rttMs === 0 ? 'no added delay' : `${rttMs} ms round-trip time added`];
  if (downKbps !== null) parts.push(`${downKbps} kbit/s down`);
  if (upKbps !== null) parts.push(`${upKbps} kbit/s up`);
  if (lossPercent > 0) parts.push(`${lossPercent} % loss`);
  return parts.join(', ');
}

/** The rows of each site, in the order of the plan. */
export function rowsBySite(rows: readonly SummaryRow[]): Map<string, SummaryRow[]> {
  const sites = new Map<string, SummaryRow[]>();
  for (const row of rows) {
    const found = sites.get(row.site);
    if (found) found.push(row);
    else sites.set(row.site, [row]);
  }
  return sites;
}
