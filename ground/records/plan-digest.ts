import { createHash } from 'node:crypto';
import type { PlanRecord, RunRecord } from './run.ts';

/** Hex SHA-256 over all that decides what is loaded and how: not over names, times, or what machines add to it. */
export function planSha256(plan: Omit<PlanRecord, 'planSha256'>): string {
  const { runId: _, startedAt: __, command: ___, choices, ...deciding } = plan;
  const { pinned: ____, ...common } = choices;
  return createHash('sha256')
    .update(JSON.stringify(sorted({ ...deciding, choices: common })))
    .digest('hex');
}

/** The same value with the fields of all objects in the order of their names. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(fields.map(([name, each]) => [name, sorted(each)]));
}

/** What is wrong with a plan that is read; null: nothing. */
export function problemOfDigest(plan: PlanRecord): string | null {
  const { planSha256: told, ...rest } = plan;
  return planSha256(rest) === told ? null : 'it was changed after it was frozen';
}

/** The plan of a run: run.json without what was found on its machine. */
export function planOf({
  backend: _,
  fairness: __,
  versions: ___,
  host: ____,
  read: _____,
  ...plan
}: RunRecord): PlanRecord {
  return plan;
}
