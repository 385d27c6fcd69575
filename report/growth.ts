import { type ConditionRows, conditionKey } from './condition.ts';
import { median } from './statistics/median.ts';
import type { SummaryRow } from './summary.ts';

/** How page load times grow with the delay, over network conditions that differ in nothing else. A description only. */
export interface Growth {
  /** In the order of their delay. */
  networks: { name: string; rttMs: number }[];
  /** Sites in the plan's order, within a site the stacks. */
  rows: GrowthRow[];
  overSites: GrowthOverSites[];
}

export interface GrowthRow {
  site: string;
  stack: string;
  label: string;
  /** Median page load time, one for each network; null without ok loads. */
  mediansMs: (number | null)[];
  /** (median at the longest delay - median at the shortest) / (longest - shortest): ms per ms, so round trips. */
  perRttMs: number | null;
}

export interface GrowthOverSites {
  stack: string;
  label: string;
  /** Sites that have the number on every stack: only these are in the median. */
  nSites: number;
  medianPerRttMs: number | null;
}

/** One entry for each set of two or more network conditions that differ in rttMs alone; mostly there is one or none. */
export function growthOf(conditions: readonly ConditionRows[]): Growth[] {
  const alike = Map.groupBy(conditions, ({ condition }) =>
    conditionKey({ ...condition, name: '', rttMs: 0 }),
  );
  return [...alike.values()].flatMap((group) => {
    const byDelay = group.toSorted((a, b) => a.condition.rttMs - b.condition.rttMs);
    const spanMs = (byDelay.at(-1)?.condition.rttMs ?? 0) - (byDelay.at(0)?.condition.rttMs ?? 0);
    if (spanMs === 0) return [];
    const rows = rowsOf(byDelay, spanMs);
    return [
      {
        networks: byDelay.map(({ condition: { name, rttMs } }) => ({ name, rttMs })),
        rows,
        overSites: overSitesOf(rows),
      },
    ];
  });
}

function rowsOf(byDelay: readonly ConditionRows[], spanMs: number): GrowthRow[] {
  const key = ({ site, stack }: SummaryRow) => JSON.stringify([site, stack]);
  const cells = Map.groupBy(
    byDelay.flatMap(({ rows }) => rows),
    key,
  );
  return [...cells.values()].flatMap((cell) => {
    const [first] = cell;
    if (!first) return [];
    const mediansMs = byDelay.map(
      ({ rows }) => rows.find((row) => key(row) === key(first))?.timingsMs.pageLoad?.median ?? null,
    );
    const [shortest, longest] = [mediansMs.at(0) ?? null, mediansMs.at(-1) ?? null];
    const perRttMs = shortest === null || longest === null ? null : (longest - shortest) / spanMs;
    const { site, stack, label } = first;
    return [{ site, stack, label, mediansMs, perRttMs }];
  });
}

function overSitesOf(rows: readonly GrowthRow[]): GrowthOverSites[] {
  const whole = [...Map.groupBy(rows, ({ site }) => site).values()].filter((siteRows) =>
    siteRows.every(({ perRttMs }) => perRttMs !== null),
  );
  const stacks = new Map(rows.map(({ stack, label }) => [stack, label]));
  return [...stacks].map(([stack, label]) => ({
    stack,
    label,
    nSites: whole.length,
    medianPerRttMs: median(
      whole.flatMap((siteRows) =>
        siteRows.flatMap((row) => (row.stack === stack ? (row.perRttMs ?? []) : [])),
      ),
    ),
  }));
}
