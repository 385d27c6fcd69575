import { UsageError } from '../../system/errors.ts';

const UNIT_MS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000 };

/**
 * Reads `90s`, `45m`, `2h` or `1.5h`; in ms.
 * @throws UsageError
 */
export function readBudget(text: string): number {
  const [, number, unit] = /^(\d+(?:\.\d+)?)([smh])$/.exec(text) ?? [];
  const budgetMs = Number(number) * (UNIT_MS[unit ?? ''] ?? Number.NaN);
  if (budgetMs > 0) return budgetMs;
  throw new UsageError(
    `--budget ${text}: expected a time with its unit, for example 90s, 45m or 2h.`,
  );
}
