import type { WireConnection } from '../../ground/records/packets.ts';
import type { ChartStack } from '../../kit/page/stack.ts';
import { countText, countWithNoun } from '../../kit/text/number.ts';
import { mean } from '../../statistics/mean.ts';
import { standardDeviation } from '../../statistics/standard-deviation.ts';
import type { FlowColumn } from './chart.ts';
import type { Flow, FlowConnection } from './flow.ts';
import { type FlowStep, isSmall, stepText } from './sequence.ts';

export interface StackFlows {
  label: string;
  /** Index of the colour. */
  place: number;
  loads: readonly Flow[];
}

export interface StackView {
  stack: ChartStack;
  column: FlowColumn;
  /** Connections of the median load with most bytes, in the order of their first packets. */
  connections: FlowConnection[];
  /** Number of further connections of that load. */
  left: number;
  largest: FlowConnection;
  /** Number of loads with connections. */
  of: number;
  /** Time of that load's first packet, in ms after the capture's. */
  zeroMs: number;
  /** Differences between the loads, as sentences. */
  notes: string[];
}

/** More connections would be too narrow. */
const MAX_CONNECTIONS = 6;

/** Chooses the median load by duration, and averages the loads with the same steps. null: no connection. */
export function createStackView({ label, place, loads }: StackFlows): StackView | null {
  const own = loads.filter(({ connections }) => connections.length > 0);
  const load = own.toSorted((a, b) => tookMs(a) - tookMs(b))[Math.floor((own.length - 1) / 2)];
  if (!load) return null;
  const byBytes = load.connections.toSorted(
    (a, b) => b.wire.toClient.bytes - a.wire.toClient.bytes,
  );
  const drawn = byBytes.slice(0, MAX_CONNECTIONS);
  const connections = load.connections.filter((connection) => drawn.includes(connection));
  const stack = { arm: label, label, place };
  return {
    stack,
    connections,
    left: load.connections.length - connections.length,
    largest: byBytes[0] as FlowConnection,
    of: own.length,
    zeroMs: Math.min(...connections.map(({ wire }) => wire.beganMs)),
    ...(own.length > 1 ? meanColumn(stack, own) : { column: oneColumn(stack, load), notes: [] }),
  };
}

function tookMs({ connections }: Flow): number {
  const ends = connections.flatMap(({ steps }) => steps.map(({ endMs }) => endMs));
  const begins = connections.map(({ wire }) => wire.beganMs);
  return ends.reduce((a, b) => Math.max(a, b), 0) - Math.min(...begins);
}

/** The first connection with requests; if no requests can be read, the one with most bytes. */
function firstConnection({ connections }: Flow): FlowConnection {
  const requesting = connections.find(({ wire }) => wire.requests > 0);
  const most = (a: FlowConnection, b: FlowConnection) =>
    b.wire.toClient.bytes > a.wire.toClient.bytes ? b : a;
  return requesting ?? connections.reduce(most);
}

function oneColumn({ label, place }: ChartStack, load: Flow): FlowColumn {
  const connection = firstConnection(load);
  const { wire } = connection;
  const number = load.connections.indexOf(connection) + 1;
  const of = load.connections.length;
  const which = of > 1 ? `connection ${number} of ${of}` : 'its only connection';
  return {
    label,
    place,
    about: [wire.protocol, which].filter((part) => part !== null).join(', '),
    steps: ownTime(connection),
    wire,
  };
}

/** Times in ms after the connection's first packet. */
function ownTime({ wire, steps }: FlowConnection): FlowStep[] {
  return steps.map((step) => ({
    ...step,
    beginMs: step.beginMs - wire.beganMs,
    endMs: step.endMs - wire.beganMs,
  }));
}

function meanColumn(
  { label, place }: ChartStack,
  loads: readonly Flow[],
): { column: FlowColumn; notes: string[] } {
  const connections = loads.map(firstConnection);
  const { steps, agreeing, differing } = agreementOf(connections.map(ownTime));
  const wires = agreeing.flatMap((load) => connections[load]?.wire ?? []);
  const first = `${countWithNoun(agreeing.length, 'load')} of ${countText(loads.length)}`;
  const byDifference = Map.groupBy(
    differing,
    ({ step, has, expected }) =>
      `at step ${step + 1}: ${has ? stepText(has) : 'nothing more'} in place of ${expected ? stepText(expected) : 'nothing more'}`,
  );
  return {
    column: { label, place, about: `mean of ${first}`, steps, wire: meanWire(wires) },
    notes: [
      `${first} ${agreeing.length === 1 ? 'has' : 'have'} these steps in this order up to the end of the first response, apart from acknowledgements; times are means.`,
      ...[...byDifference].map(
        ([where, all]) =>
          `${countWithNoun(all.length, 'load')} first ${all.length === 1 ? 'differs' : 'differ'} ${where}.`,
      ),
    ],
  };
}

function meanWire(wires: readonly WireConnection[]): FlowColumn['wire'] {
  const of = (key: 'maySendMs' | 'completeMs' | 'confirmedMs') =>
    mean(wires.flatMap((wire) => wire[key] ?? []));
  const trips = wires.flatMap(({ roundTripMs }) => roundTripMs ?? []);
  const least = mean(trips.map((trip) => trip.least));
  return {
    maySendMs: of('maySendMs'),
    completeMs: of('completeMs'),
    confirmedMs: of('confirmedMs'),
    roundTripMs: least === null || !trips[0] ? null : { ...trips[0], least },
  };
}

/** Common steps of a stack's loads up to the end of the first response. */
interface Agreement {
  /** Steps of the agreeing loads, with mean times and their spread. */
  steps: FlowStep[];
  agreeing: number[];
  /** First difference of each remaining load: its step instead of the expected one; null: no step. */
  differing: { load: number; step: number; has: FlowStep | null; expected: FlowStep | null }[];
}

/**
 * Finds the most frequent order of steps, without acknowledgements and frames of the connection itself.
 * @param loads steps of one connection of each load, times from its first packet on
 */
export function agreementOf(loads: readonly (readonly FlowStep[])[]): Agreement {
  const own = loads.map(throughFirstResponse);
  const byOrder = Map.groupBy(own.keys(), (load) => (own[load] ?? []).map(signatureOf).join('\n'));
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

/** The compared steps, up to the server's last data before the client's second request. */
function throughFirstResponse(steps: readonly FlowStep[]): FlowStep[] {
  const counted = steps.filter(({ kind }) => !isSmall(kind));
  const first = counted.findIndex(
    ({ kind, direction }) => direction === 'toClient' && kind === 'data',
  );
  if (first < 0) return counted;
  const next = counted.findIndex(
    ({ direction }, place) => place > first && direction === 'toServer',
  );
  return counted.slice(0, next < 0 ? undefined : next);
}

/** Steps with the same kind, direction, fate and messages are equal. */
function signatureOf({ direction, kind, fate, says }: FlowStep): string {
  return [direction, kind, fate, ...says.map(({ name, within = '' }) => `${within} ${name}`)].join(
    ', ',
  );
}

function firstDifference(steps: readonly FlowStep[], pattern: readonly FlowStep[]): number {
  const found = steps.findIndex((step, place) => {
    const expected = pattern[place];
    return expected === undefined || signatureOf(expected) !== signatureOf(step);
  });
  return found < 0 ? steps.length : found;
}

/** Averages steps; counts are means, rounded. */
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
