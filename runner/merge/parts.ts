import { realpath } from 'node:fs/promises';
import type { InvocationRecord } from '../../ground/records/invocation.ts';
import { readInvocations, readRun } from '../../ground/records/read.ts';
import type { RunRecord } from '../../ground/records/run.ts';
import { UsageError } from '../../ground/system/errors.ts';
import { planDifferences } from './plan-differences.ts';

/** A folder that becomes a part of the merged run. */
export interface Part {
  folder: string;
  run: RunRecord;
  invocations: InvocationRecord[];
}

/**
 * Reads the folders, and checks that they are parts of one run.
 * @throws UsageError, DamagedRunError
 */
export async function readParts(folders: readonly string[]): Promise<[Part, ...Part[]]> {
  const parts: Part[] = [];
  for (const folder of folders) {
    parts.push({ folder, run: await readRun(folder), invocations: await readInvocations(folder) });
  }
  const [first, ...rest] = parts;
  if (!first || rest.length === 0) {
    throw new UsageError('Expected the folders of at least two parts of a run.');
  }
  for (const other of rest) assertSamePlan(first, other);
  await assertEachOnce(parts);
  return [first, ...rest];
}

function assertSamePlan(first: Part, other: Part): void {
  const differences = planDifferences(first.run, other.run);
  if (differences.length === 0) return;
  throw new UsageError(
    `${first.folder} and ${other.folder} are not parts of one plan:\n${differences.map((each) => `  ${each}\n`).join('')}Machines share a plan through its file: npm run benchmark -- --freeze FILE, then --plan FILE on each.`,
  );
}

/** A copy of a part, or a part that was merged before, would repeat its loads. */
async function assertEachOnce(parts: readonly Part[]): Promise<void> {
  const folderOf = new Map<string, string>();
  for (const { folder, invocations } of parts) {
    const real = await realpath(folder);
    for (const key of [real, ...invocations.map(({ id }) => `invocation ${id}`)]) {
      const before = folderOf.get(key);
      if (before !== undefined) {
        throw new UsageError(
          key === real
            ? `${folder} and ${before} are the same folder: expected each part once.`
            : `${folder} and ${before} both have the ${key}: the same loads would be there twice. Omit one of them.`,
        );
      }
      folderOf.set(key, folder);
    }
  }
}
