import { existsSync } from 'node:fs';
import { UsageError } from './exit-status.ts';

/** Refuses a place that is taken. @throws UsageError so that nothing is overwritten */
export function assertNew(place: string): void {
  if (!existsSync(place)) return;
  throw new UsageError(
    `${place} exists, and nothing is ever overwritten. Name another place with --out, or remove it.`,
  );
}
