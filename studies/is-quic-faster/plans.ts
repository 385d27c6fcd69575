import path from 'node:path';
import type { PlanRecord } from '../../ground/records/run.ts';
import { unpack } from '../../ground/system/bounded-unpacking.ts';
import { readPlainFileSync } from '../../ground/system/plain-file.ts';
import type { Part } from './parts.ts';

/** More than the largest plan. */
const MOST_BYTES = 100_000_000;

/** The frozen plan of a part, as JSON. */
export function planText(part: string): string {
  const packed = readPlainFileSync(path.join(import.meta.dirname, 'plans', `${part}.json.gz`));
  return unpack(packed, 'gzip', MOST_BYTES).toString();
}

/** The frozen plan of a part. */
export function planOf({ name }: Pick<Part, 'name'>): PlanRecord {
  return JSON.parse(planText(name));
}
