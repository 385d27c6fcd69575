import { mean } from '../../statistics/mean.ts';
import { median } from '../../statistics/median.ts';
import type { Observation } from './observation.ts';
import type { Reading } from './reading.ts';
import type { StackReadings } from './stack-readings.ts';

/**
 * What loads say of each stack, for compareStacks(); what only the experiment's loads say, `own` reads. Counted are loads that are ok
 * and no warm-ups. Give it loads of the same sites and conditions for every stack, best of one site: medians of different pages
 * compare nothing.
 */
export function readingsOfLoads(
  loads: readonly Observation[],
  own: (loads: readonly Observation[]) => StackReadings,
): Record<string, StackReadings> {
  const counted = loads.filter(({ outcome, warmup }) => outcome === 'ok' && !warmup);
  return byStack(counted, (ofStack) => ({
    ...own(ofStack),
    serverCpuMs: medianReading(ofStack.flatMap(({ machine }) => machine?.serverCpuMs ?? [])),
  }));
}

/**
 * What loads lost at full sockets, by stack. Counted are all measured loads, whatever came of them: a load that lost much may
 * have failed for it.
 */
export function lossesOfLoads(loads: readonly Observation[]): Record<string, StackReadings> {
  const measured = loads.filter(({ warmup }) => !warmup);
  return byStack(measured, (own) => {
    const errors = own.flatMap(({ machine }) => machine?.udpReceiveBufferErrors ?? []);
    return { receiveBufferErrors: ofLoads('mean', mean(errors), errors) };
  });
}

function byStack(
  loads: readonly Observation[],
  readings: (own: readonly Observation[]) => StackReadings,
): Record<string, StackReadings> {
  const groups = Map.groupBy(loads, ({ arm }) => arm);
  return Object.fromEntries([...groups].map(([arm, own]) => [arm, readings(own)]));
}

/** Puts what was known before the first load and what loads say together, by stack. */
export function mergeReadings(
  before: Readonly<Record<string, StackReadings>>,
  ofLoads: Readonly<Record<string, StackReadings>>,
): Record<string, StackReadings> {
  const arms = new Set([...Object.keys(before), ...Object.keys(ofLoads)]);
  return Object.fromEntries([...arms].map((each) => [each, { ...before[each], ...ofLoads[each] }]));
}

/** Each once, sorted; not known as soon as one load does not tell. */
export function textReading(values: readonly (string | null)[]): Reading<string> {
  const from = loadsText(values);
  const known = values.flatMap((value) => value ?? []);
  if (known.length === 0 || known.length < values.length) return { value: null, from };
  return { value: [...new Set(known)].sort().join(', '), from: `${from}, each value once` };
}

/** Their median. */
export function medianReading(values: readonly number[]): Reading<number> {
  return ofLoads('median', median(values), values);
}

function ofLoads(what: string, value: number | null, values: readonly number[]): Reading<number> {
  const from = loadsText(values);
  return { value, from: value === null ? from : `${what} of ${from}` };
}

function loadsText({ length }: readonly unknown[]): string {
  return length === 1 ? '1 load' : `${length} loads`;
}
