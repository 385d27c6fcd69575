import { createHash } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { writeFileAtomically } from '../ground/records/atomic-file.ts';
import { inFolder } from '../ground/records/file-name.ts';
import type { NetworkCondition } from '../ground/records/network.ts';
import type { Trace, TraceReference } from '../ground/records/trace.ts';
import { UsageError } from '../ground/system/errors.ts';
import { readPlainFileSync } from '../ground/system/plain-file.ts';

/** Folder of a frozen plan's recorded links. */
export function tracesFolderOf(planFile: string): string {
  return path.join(path.dirname(planFile), 'traces');
}

/**
 * Writes recorded links into a folder, by their names.
 * @throws UsageError where another file has the name of one
 */
export async function writeTraces(folder: string, traces: readonly Trace[]): Promise<void> {
  if (traces.length > 0) await mkdir(folder, { recursive: true });
  for (const { name, bytes } of traces) {
    const file = inFolder(folder, name);
    const found = lstatSync(file, { throwIfNoEntry: false });
    if (found === undefined) await writeFileAtomically(file, bytes);
    else if (!found.isFile() || !readPlainFileSync(file, { noLink: true }).equals(bytes)) {
      throw new UsageError(
        `${file} exists and is another recorded link; none is overwritten. Remove it, or rename the file of --trace.`,
      );
    }
  }
}

/**
 * Reads the recorded links that conditions name.
 * @param whose source of the names in messages: `--resume results/a`
 * @throws UsageError when one is missing, or has changed
 */
export function readTraces(
  folder: string,
  networks: readonly NetworkCondition[],
  whose: string,
): Trace[] {
  const references = new Map<string, TraceReference>(
    networks
      .flatMap(({ trace, traceUp }) => [trace ?? [], traceUp ?? []])
      .flat()
      .map((each) => [each.name, each]),
  );
  return [...references.values()].map((trace) => {
    const file = inFolder(folder, trace.name);
    // A plan and its recorded links may come from elsewhere.
    if (!lstatSync(file, { throwIfNoEntry: false })?.isFile()) {
      throw new UsageError(
        `${whose}: the recorded link ${file} is missing, or is not a file. Copy it there.`,
      );
    }
    const bytes = readPlainFileSync(file, { noLink: true });
    if (createHash('sha256').update(bytes).digest('hex') !== trace.sha256) {
      throw new UsageError(
        `${whose}: the recorded link ${file} has changed since the plan was made: its SHA-256 differs. Restore it, or start a new run.`,
      );
    }
    return { ...trace, bytes };
  });
}
