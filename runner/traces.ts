import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { AskedNetwork } from '../records/network.ts';
import type { AskedTrace, Trace } from '../records/trace.ts';
import { writeWhole } from '../records/whole-file.ts';
import { UsageError } from '../system/errors.ts';

/** Where the recorded links of a frozen plan lie. */
export function tracesBeside(planFile: string): string {
  return path.join(path.dirname(planFile), 'traces');
}

/**
 * Writes recorded links into a folder, by their names.
 * @throws UsageError where another file has the name of one
 */
export async function writeTraces(folder: string, traces: readonly Trace[]): Promise<void> {
  if (traces.length > 0) await mkdir(folder, { recursive: true });
  for (const { name, bytes } of traces) {
    const file = path.join(folder, name);
    if (!existsSync(file)) await writeWhole(file, bytes);
    else if (!readFileSync(file).equals(bytes)) {
      throw new UsageError(
        `${file} exists and is another recorded link; none is overwritten. Remove it, or rename the file of --trace.`,
      );
    }
  }
}

/**
 * The recorded links that conditions name, from a folder.
 * @param whose what they are missed by, as it is in messages: `--resume results/a`
 * @throws UsageError where one is missing, or not as it was
 */
export function readTraces(
  folder: string,
  networks: readonly AskedNetwork[],
  whose: string,
): Trace[] {
  const asked = new Map<string, AskedTrace>(
    networks
      .flatMap(({ trace, traceUp }) => [trace ?? [], traceUp ?? []])
      .flat()
      .map((each) => [each.name, each]),
  );
  return [...asked.values()].map((trace) => {
    const file = path.join(folder, trace.name);
    if (!existsSync(file)) {
      throw new UsageError(`${whose}: the recorded link ${file} is missing. Bring it there.`);
    }
    const bytes = readFileSync(file);
    if (createHash('sha256').update(bytes).digest('hex') !== trace.sha256) {
      throw new UsageError(
        `${whose}: the recorded link ${file} is not as it was when the plan was made: its SHA-256 differs. Restore it, or start a new run.`,
      );
    }
    return { ...trace, bytes };
  });
}
