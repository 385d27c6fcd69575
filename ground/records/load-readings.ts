import { mean } from '../../statistics/mean.ts';
import { median } from '../../statistics/median.ts';
import type { Observation } from './observation.ts';
import { isOverTcp } from './protocol.ts';
import type { Reading } from './reading.ts';
import type { StackReadings } from './stack-readings.ts';

/**
 * Readings of each stack from its ok loads without warm-ups, for compareStacks(). Pass loads of the same sites
 * and conditions for all stacks, ideally of one site: medians of different pages are not comparable.
 * @param own reads the experiment's own properties
 */
export function readingsOfLoads(
  loads: readonly Observation[],
  own: (loads: readonly Observation[]) => StackReadings,
): Record<string, StackReadings> {
  const counted = loads.filter(({ outcome, warmup }) => outcome === 'ok' && !warmup);
  return byStack(counted, (ofStack) => ({
    ...own(ofStack),
    ...clientReadings(ofStack),
    serverCpuMs: medianReading(ofStack.flatMap(({ machine }) => machine?.serverCpuMs ?? [])),
  }));
}

/** What the client does, from packets. Properties that no load has are absent. */
function clientReadings(loads: readonly Observation[]): StackReadings {
  const windows = loads.flatMap(({ protocol, connections }) =>
    isOverTcp(protocol)
      ? []
      : (connections?.client?.quic?.transportParameters?.initial_max_data ?? []),
  );
  const ratio = packetsPerAcknowledgement(loads);
  return {
    ...(windows.length > 0 && {
      clientReceiveWindowBytes: ofLoads('median', median(windows), windows),
    }),
    ...(ratio !== null && {
      packetsPerAcknowledgement: { value: ratio, from: `packets of ${loadsText(loads)}` },
    }),
  };
}

/** Packets that clients received in all of these loads, for each with which they acknowledged; null: not known. */
export function packetsPerAcknowledgement(
  loads: readonly Pick<Observation, 'connections'>[],
): number | null {
  const known = loads.flatMap(({ connections }) => connections?.client ?? []);
  const received = known.flatMap(({ quic, tcp }) => [quic?.receivedPackets, tcp?.dataPackets]);
  const sent = known.flatMap(({ quic, tcp }) => [quic?.sentPackets, tcp?.acknowledgements]);
  const [all, acknowledging] = [received, sent].map((counts) =>
    counts.reduce<number>((sum, count = 0) => sum + count, 0),
  );
  return all && acknowledging ? all / acknowledging : null;
}

/** Losses at full sockets by stack, from measured loads of any outcome: a load with many losses may have failed because of them. */
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

/** Joins readings before the first load and readings of loads, by stack. */
export function mergeReadings(
  before: Readonly<Record<string, StackReadings>>,
  ofLoads: Readonly<Record<string, StackReadings>>,
): Record<string, StackReadings> {
  const arms = new Set([...Object.keys(before), ...Object.keys(ofLoads)]);
  return Object.fromEntries([...arms].map((each) => [each, { ...before[each], ...ofLoads[each] }]));
}

/** Distinct values, sorted; unknown if one load lacks its value. */
export function textReading(values: readonly (string | null)[]): Reading<string> {
  const from = loadsText(values);
  const known = values.flatMap((value) => value ?? []);
  if (known.length === 0 || known.length < values.length) return { value: null, from };
  return { value: [...new Set(known)].sort().join(', '), from: `${from}, each value once` };
}

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
