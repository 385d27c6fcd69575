import type { Reading } from './fairness.ts';
import type { PageLoad } from './page-load.ts';
import type { StackReadings } from './stack-readings.ts';

/**
 * What loads say of each stack, for compareStacks(). Counted are loads that are ok and no warm-ups. Give it loads of the same
 * sites and conditions for every stack, best of one site: medians of different pages compare nothing.
 */
export function readingsOfLoads(loads: readonly PageLoad[]): Record<string, StackReadings> {
  const counted = loads.filter(({ outcome, warmup }) => outcome === 'ok' && !warmup);
  return byStack(counted, readingsOf);
}

/**
 * What loads lost at full sockets, by stack. Counted are all measured loads, whatever came of them: a load that lost much may
 * have failed for it.
 */
export function lossesOfLoads(loads: readonly PageLoad[]): Record<string, StackReadings> {
  const measured = loads.filter(({ warmup }) => !warmup);
  return byStack(measured, (own) => ({
    receiveBufferErrors: mean(own.flatMap(({ machine }) => machine?.udpReceiveBufferErrors ?? [])),
  }));
}

function byStack(
  loads: readonly PageLoad[],
  readings: (own: readonly PageLoad[]) => StackReadings,
): Record<string, StackReadings> {
  const groups = Map.groupBy(loads, ({ stack }) => stack);
  return Object.fromEntries([...groups].map(([stack, own]) => [stack, readings(own)]));
}

/** Puts what was known before the first load and what loads say together, by stack. */
export function mergeReadings(
  before: Readonly<Record<string, StackReadings>>,
  ofLoads: Readonly<Record<string, StackReadings>>,
): Record<string, StackReadings> {
  const stacks = new Set([...Object.keys(before), ...Object.keys(ofLoads)]);
  return Object.fromEntries(
    [...stacks].map((each) => [each, { ...before[each], ...ofLoads[each] }]),
  );
}

function readingsOf(loads: readonly PageLoad[]): StackReadings {
  const traffic = loads.flatMap((load) => load.traffic ?? []);
  const machine = loads.flatMap((load) => load.machine ?? []);
  return {
    tlsVersion: words(traffic.map(({ tlsVersion }) => tlsVersion && tlsOf(tlsVersion))),
    cipher: words(traffic.map(({ cipher }) => cipher)),
    responseHeaders: words(
      traffic.map(({ responseHeadersSha256 }) => responseHeadersSha256.slice(0, DIGEST_LETTERS)),
    ),
    connections: median(traffic.map(({ connections }) => connections)),
    peakConcurrentRequests: median(
      traffic.map(({ peakConcurrentRequests }) => peakConcurrentRequests),
    ),
    serverCpuMs: median(machine.flatMap(({ serverCpuMs }) => serverCpuMs ?? [])),
  };
}

// Enough to tell any two apart that a run will ever see, and short enough for a table.
const DIGEST_LETTERS = 16;

/** Chromium names the transport where TLS 1.3 is part of it (RFC 9001, section 4.2). */
function tlsOf(said: string): string {
  return said === 'QUIC' ? 'TLS 1.3' : said;
}

/** Each once, sorted; not known as soon as one load does not tell. */
function words(values: readonly (string | null)[]): Reading<string> {
  const from = loadsText(values);
  const known = values.flatMap((value) => value ?? []);
  if (known.length === 0 || known.length < values.length) return { value: null, from };
  return { value: [...new Set(known)].sort().join(', '), from: `${from}, each value once` };
}

function median(values: readonly number[]): Reading<number> {
  const from = loadsText(values);
  const sorted = values.toSorted((a, b) => a - b);
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  if (low === undefined || high === undefined) return { value: null, from };
  return { value: (low + high) / 2, from: `median of ${from}` };
}

function mean(values: readonly number[]): Reading<number> {
  const from = loadsText(values);
  if (values.length === 0) return { value: null, from };
  return {
    value: values.reduce((sum, each) => sum + each, 0) / values.length,
    from: `mean of ${from}`,
  };
}

function loadsText({ length }: readonly unknown[]): string {
  return length === 1 ? '1 load' : `${length} loads`;
}
