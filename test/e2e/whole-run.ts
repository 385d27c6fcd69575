import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';

import type { PageLoad } from '../../experiments/page-load/details.ts';
import { cellKey } from '../../ground/records/cell.ts';
import type { Observation } from '../../ground/records/observation.ts';
import { readInvocations, readRun } from '../../ground/records/read.ts';
import { EXIT } from '../../ground/system/exit-status.ts';
import { readPageLoads } from './page-loads.ts';

/**
 * Codes that a machine that stood still, or had no time for the path, gives otherwise valid
 * attempts.
 */
export const OF_THE_MACHINE: readonly (string | null)[] = [
  'machine-stalled',
  'clock-jumped',
  'link-busy',
  // The link drops packets that it has no time for.
  'path-disturbed',
];

/**
 * A busy machine may spoil half of the attempts, and nothing else may spoil any.
 * @param caused codes of the test's own effects on attempts
 */
export function assertMostlyOk(
  attempts: readonly Observation[],
  caused: readonly string[] = [],
): void {
  const expected = [...OF_THE_MACHINE, ...caused];
  const spoilt = attempts.filter(({ outcome }) => outcome !== 'ok');
  const reasons = spoilt.map(({ id, code, message }) => `${id}: ${code}: ${message}`);
  for (const [index, { code }] of spoilt.entries())
    assert.ok(expected.includes(code), reasons[index]);
  assert.ok(spoilt.length * 2 <= attempts.length && attempts.length > 0, reasons.join('\n'));
}

/** Whether a machine that stood still, or had no time for the path, has made an attempt invalid. */
export function isSpoilt({ code }: Pick<Observation, 'code'>): boolean {
  return OF_THE_MACHINE.includes(code);
}

/** An attempt is ok, or the machine has spoilt it. */
export function assertOkOrSpoilt(
  made: Pick<Observation, 'outcome' | 'code' | 'message'>,
  what: string,
): void {
  assert.ok(made.outcome === 'ok' || isSpoilt(made), `${what}: ${made.code}: ${made.message}`);
}

/** The exit status reports an attempt that is not ok, and only the machine has spoilt any. */
export function assertStatusOf(
  attempts: readonly Observation[],
  status: number | string | null,
  output: string,
): void {
  assertMostlyOk(attempts);
  const isSpoilt = attempts.some(({ outcome, filmed }) => outcome !== 'ok' && !filmed);
  assert.equal(status, isSpoilt ? EXIT.someLoadsNotOk : EXIT.ok, output);
}

/** The page loads of a run's last invocation. */
export async function lastLoads(folder: string): Promise<PageLoad[]> {
  const last = (await readInvocations(folder)).at(-1);
  const { pageLoads } = await readPageLoads(folder);
  return pageLoads.filter(({ invocation }) => invocation === last?.id);
}

/**
 * Every attempt is ok unless the machine spoilt it, the exit status reports a spoilt one, and every
 * cell has an ok one.
 */
export function assertOkButForMachine(
  attempts: readonly Observation[],
  status: number | string | null,
  output: string,
): void {
  const spoilt = attempts.filter(({ outcome }) => outcome !== 'ok');
  for (const { id, code, message } of spoilt)
    assert.ok(OF_THE_MACHINE.includes(code), `${id}: ${code}: ${message}`);
  assert.equal(status, spoilt.length === 0 ? EXIT.ok : EXIT.someLoadsNotOk, output);
  const measured = attempts.filter(({ warmup }) => !warmup);
  const ok = measured.filter(({ outcome }) => outcome === 'ok');
  assert.deepEqual(new Set(ok.map(cellKey)), new Set(measured.map(cellKey)));
}

/**
 * Every planned load has one row, most are ok, the rest has a reason, and the summary counts them
 * all.
 * @param caused codes of the test's own effects on loads
 */
export async function assertWhole(
  out: string,
  loads: number,
  caused?: readonly string[],
): Promise<void> {
  const { trials } = await readRun(out);
  const { pageLoads, warnings } = await readPageLoads(out);
  assert.deepEqual(warnings, []);
  const rows = Map.groupBy(pageLoads, ({ id }) => id);
  assert.equal(rows.size, pageLoads.length);
  for (const { id } of trials) assert.equal(rows.get(id)?.length, 1, id);
  assertMostlyOk(pageLoads, caused);
  assert.deepEqual(
    pageLoads.map(({ order }) => order),
    pageLoads.map((_, index) => index + 1),
  );
  const measured = pageLoads.filter(({ warmup }) => !warmup);
  assert.equal(measured.length, loads);
  const { rows: cells } = JSON.parse(await readFile(path.join(out, 'summary.json'), 'utf8'));
  const sum = (key: string) =>
    cells.reduce((total: number, cell: Record<string, number>) => total + (cell[key] ?? 0), 0);
  for (const [key, outcome] of [
    ['nOk', 'ok'],
    ['nFailed', 'failed'],
    ['nInvalid', 'invalid'],
  ] as const) {
    assert.equal(sum(key), measured.filter((load) => load.outcome === outcome).length, key);
  }
  assert.equal(sum('nOk') + sum('nFailed') + sum('nInvalid'), sum('nPlanned'));
  assert.equal(sum('nPlanned'), loads);
}
