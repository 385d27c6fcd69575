import type { LoadPhasesMs, PageLoad } from '../../experiments/page-load/details.ts';
import { mean } from '../../statistics/mean.ts';
import { PARTS } from './parts.ts';
import { roundTripsToFirstByte } from './round-trips.ts';

/** What one stack's loads of a site under one condition spent their time on: means, because only means add up. */
export interface StackWhy {
  arm: string;
  label: string;
  /** Place in the run's plan, from 0; decides the colour. */
  place: number;
  /** Counted loads that have phases. */
  n: number;
  /** Counted loads whose HAR told none. */
  nMissing: number;
  /** Mean of the n loads, in ms; their sum is pageLoadMs. */
  partsMs: LoadPhasesMs;
  pageLoadMs: number;
  /** The first connection made for the document, with its handshake; null: no load made one. */
  connectMs: number | null;
  /** First byte of the document since navigationStart; null: no load tells it. */
  firstByteMs: number | null;
  /** The same by the model, in round trips; null: not known. */
  roundTrips: number | null;
  /** Connections that carried a response; null: no load tells it. */
  connections: number | null;
}

/**
 * What the counted loads of one stack spent their time on; null when none of them has phases.
 * @param documentHost host of the site's document, which the model's connection leads to
 */
export function stackWhy(
  arm: Pick<StackWhy, 'arm' | 'label' | 'place'>,
  counted: readonly PageLoad[],
  documentHost: string,
): StackWhy | null {
  const loads = counted.filter(({ details }) => details?.phasesMs);
  const partsMs = meanParts(loads.flatMap(({ details }) => details?.phasesMs ?? []));
  if (partsMs === null) return null;
  const meanOf = (of: (load: PageLoad) => number | null) =>
    mean(loads.flatMap((load) => of(load) ?? []));
  return {
    ...arm,
    n: loads.length,
    nMissing: counted.length - loads.length,
    partsMs,
    pageLoadMs: PARTS.reduce((sum, { name }) => sum + partsMs[name], 0),
    connectMs: meanOf(({ metrics }) => metrics.connectMs ?? null),
    firstByteMs: meanOf(({ metrics }) => metrics.firstByteMs ?? null),
    roundTrips: meanOf((load) => roundTripsToFirstByte(load, documentHost)),
    connections: meanOf(({ metrics }) => metrics.connections ?? null),
  };
}

function meanParts(parts: readonly LoadPhasesMs[]): LoadPhasesMs | null {
  const setUp = mean(parts.map((each) => each.setUp));
  const waiting = mean(parts.map((each) => each.waiting));
  const transfer = mean(parts.map((each) => each.transfer));
  const rest = mean(parts.map((each) => each.rest));
  if (setUp === null || waiting === null || transfer === null || rest === null) return null;
  return { setUp, waiting, transfer, rest };
}
