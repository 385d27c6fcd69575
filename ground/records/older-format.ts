import { FORMAT } from './format.ts';
import { planOf, planSha256 } from './plan-digest.ts';
import type { PlanRecord, RunRecord } from './run.ts';

/** A record as it was read from a file, not checked yet. */
export type UncheckedRecord = Readonly<Record<string, unknown>>;

/** Names of fields in format 5, with their names of today. */
type FormerNames = Readonly<Record<string, string>>;

/** No record nests as deeply; a forged one could exhaust the stack. */
const MAX_DEPTH = 20;

/** Copy of a value with its fields renamed. */
export function renameFields(value: unknown, names: FormerNames, maxDepth = MAX_DEPTH): unknown {
  const renamed = (each: unknown) => renameFields(each, names, maxDepth - 1);
  if (maxDepth === 0) return value;
  if (Array.isArray(value)) return value.map(renamed);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      Object.hasOwn(names, name) ? names[name] : name,
      renamed(each),
    ]),
  );
}

/** Copy of an attempt with the fields of its details renamed. */
export function renameDetails(attempt: UncheckedRecord, names: FormerNames): UncheckedRecord {
  return { ...attempt, details: renameFields(attempt.details, names) };
}

/** A record of format 5 in the format of today; any other value stays as it is. */
export function upgradeFormat5(
  value: unknown,
  upgrade: (record: UncheckedRecord) => UncheckedRecord = (record) => record,
): unknown {
  if (!isRecord(value) || value.formatVersion !== 5) return value;
  return { ...upgrade(value), ...FORMAT };
}

/** A run or a frozen plan of format 5 in the format of today. Its digest stays valid if it was valid. */
export function upgradePlan(value: unknown): unknown {
  const upgraded = upgradeFormat5(value, (plan) => ({
    ...plan,
    arms: renameFields(plan.arms, { via: 'transport' }),
  }));
  if (upgraded === value || !isIntact(value as RunRecord)) return upgraded;
  const { planSha256: _, ...plan } = planOf(upgraded as RunRecord);
  return { ...(upgraded as RunRecord), planSha256: planSha256(plan) };
}

function isIntact(run: RunRecord): boolean {
  const { planSha256: frozen, ...plan }: PlanRecord = planOf(run);
  return isRecord(plan.choices) && planSha256(plan) === frozen;
}

function isRecord(value: unknown): value is UncheckedRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
