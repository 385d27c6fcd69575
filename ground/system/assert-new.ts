import { existsSync } from 'node:fs';
import { UsageError } from './exit-status.ts';

/** Rejects an existing path. @throws UsageError so that nothing is overwritten */
export function assertNew(target: string): void {
  if (!existsSync(target)) return;
  throw new UsageError(
    `${target} exists, and nothing is ever overwritten. Name another place with --out, or remove it.`,
  );
}
