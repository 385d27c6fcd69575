import { createHash } from 'node:crypto';
import type { PlanRecord, RunRecord } from './run.ts';

/** Hex SHA-256 over everything that decides what is loaded and how, without names, times, and facts of machines. */
export function planSha256(plan: Omit<PlanRecord, 'planSha256'>): string {
  const {
    runId: _,
    startedAt: __,
    command: ___,
    excludedStacks: ____,
    choices,
    ...deciding
  } = plan;
  const { pinned: _____, ...common } = choices;
  return createHash('sha256')
    .update(JSON.stringify(sorted({ ...deciding, choices: common })))
    .digest('hex');
}

/** Copy of a value with the fields of all objects sorted by name. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(fields.map(([name, each]) => [name, sorted(each)]));
}

/** The problem of a plan's digest; null: it is correct. */
export function problemOfDigest(plan: PlanRecord): string | null {
  const { planSha256: expected, ...rest } = plan;
  return planSha256(rest) === expected ? null : 'it was changed after it was frozen';
}

/** The plan of a run: run.json without what was found on its machine. */
export function planOf({
  backend: _,
  fairness: __,
  versions: ___,
  revision: ____,
  host: _____,
  read: ______,
  ...plan
}: RunRecord): PlanRecord {
  return plan;
}
