import assert from 'node:assert/strict';
import type { Observation } from '../../../../ground/records/observation.ts';
import { readObservations } from '../../../../ground/records/read.ts';
import { share } from '../../experiment.ts';
import type { SharingDetails } from '../../records.ts';

/** 10 Mbit/s for all flows of a mix. */
export const BOTTLENECK = ['share', '--down', '10000', '--rtt', '30', '--queue-bdp', '1'];
export type SharedRow = Observation<SharingDetails>;

/** The rows of a run. */
export async function readShared(out: string): Promise<SharedRow[]> {
  const { observations, warnings } = await readObservations(out, share);
  assert.deepEqual(warnings, []);
  return observations as SharedRow[];
}

/** Fails unless a number is within a range. */
export function assertWithin(found: number, [least, most]: [number, number], what: string): void {
  assert.ok(found >= least && found <= most, `${what}: ${found}, expected ${least} to ${most}`);
}
