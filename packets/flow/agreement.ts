import { mean } from '../../statistics/mean.ts';
import { standardDeviation } from '../../statistics/standard-deviation.ts';
import { type FlowStep, isSmall } from './sequence.ts';

/** What the loads of a stack have in common up to the end of the first response. */
export interface Agreement {
  /** Of the loads that agree, with mean times and their spread. */
  steps: FlowStep[];
  /** Places of those loads among the given ones. */
  agreeing: number[];
  /** Where each of the others first differs: the step that it has in place of another; null: it has none. */
  differing: { load: number; step: number; has: FlowStep | null; expected: FlowStep | null }[];
}

/**
 * Finds the order of steps that most loads have, without acknowledgements and what is about the connection itself.
 * @param loads steps of one connection of each load, their times from its first packet on
 */
export function agreementOf(loads: readonly (readonly FlowStep[])[]): Agreement {
  const own = loads.map(throughFirstResponse);
  const byOrder = Map.groupBy(own.keys(), (load) => (own[load] ?? []).map(sign).join('\n'));
  const agreeing = [...byOrder.values()].sort((a, b) => b.length - a.length)[0] ?? [];
  const pattern = own[agreeing[0] ?? -1] ?? [];
  return {
    agreeing,
    steps: pattern.map((_, place) => meanOf(agreeing.flatMap((load) => own[load]?.[place] ?? []))),
    differing: [...own.entries()]
      .filter(([load]) => !agreeing.includes(load))
      .map(([load, steps]) => {
        const step = firstDifference(steps, pattern);
        return { load, step, has: steps[step] ?? null, expected: pattern[step] ?? null };
      }),
  };
}

/** The steps that count, up to the last of the server's data before the client's second request. */
function throughFirstResponse(steps: readonly FlowStep[]): FlowStep[] {
  const counted = steps.filter(({ kind }) => !isSmall(kind));
  const first = counted.findIndex(({ kind, way }) => way === 'toClient' && kind === 'data');
  if (first < 0) return counted;
  const next = counted.findIndex(({ way }, place) => place > first && way === 'toServer');
  return counted.slice(0, next < 0 ? undefined : next);
}

/** Alike are steps of one kind, way and fate that say the same. */
function sign({ way, kind, fate, says }: FlowStep): string {
  return [way, kind, fate, ...says.map(({ name, within = '' }) => `${within} ${name}`)].join(', ');
}

function firstDifference(steps: readonly FlowStep[], pattern: readonly FlowStep[]): number {
  const found = steps.findIndex((step, place) => {
    const expected = pattern[place];
    return expected === undefined || sign(expected) !== sign(step);
  });
  return found < 0 ? steps.length : found;
}

/** Steps as one; counts are means to the nearest whole. */
function meanOf(steps: readonly FlowStep[]): FlowStep {
  const of = (key: 'beginMs' | 'endMs' | 'packets' | 'bytes' | 'dataBytes') =>
    mean(steps.map((step) => step[key])) ?? 0;
  return {
    ...(steps[0] as FlowStep),
    beginMs: of('beginMs'),
    endMs: of('endMs'),
    packets: Math.round(of('packets')),
    bytes: Math.round(of('bytes')),
    dataBytes: Math.round(of('dataBytes')),
    spreadMs: standardDeviation(steps.map(({ beginMs }) => beginMs)),
  };
}
