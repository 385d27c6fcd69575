import type { Har, HarEntry } from '../clients/har/har.ts';
import type { HeartbeatReport } from '../ground/host/heartbeat.ts';
import type { ObservedConnections } from '../ground/records/connection.ts';
import { losesPackets } from '../ground/records/dimensions.ts';
import { KEY_EXCHANGE_GROUPS, type KeyExchange } from '../ground/records/key-exchange.ts';
import { limitKbps, type NetworkCondition, type PathCounts } from '../ground/records/network.ts';
import type { Observation, Outcome } from '../ground/records/observation.ts';

/** A problem of an attempt, with a code of ground/records/codes.ts. */
export interface Problem {
  code: string;
  message: string;
  /** URLs of the site's resources that cause it. */
  blamed?: string[];
  /** Absent: the attempt is invalid, not failed. */
  hasFailed?: true;
}

export interface Judgement extends Pick<Problem, 'blamed'> {
  outcome: Outcome;
  code: string | null;
  message: string | null;
}

/** Expectations of attempts of every experiment. */
export interface CommonExpected {
  network: NetworkCondition;
}

/** Observations of completed attempts of every experiment. */
export interface CommonObserved {
  time: HeartbeatReport;
  /** null: the path of a live subject, which is not counted. */
  path: PathCounts | null;
}

/** A check of one attempt, bound to what it checks. */
export type BoundCheck = () => Problem | null;

export function bindChecks<Seen, Planned>(
  checks: readonly ((observed: Seen, expected: Planned) => Problem | null)[],
  observed: Seen,
  expected: Planned,
): BoundCheck[] {
  return checks.map((check) => () => check(observed, expected));
}

/** Judges a completed attempt. Checks that explain other problems run first; *invalid* comes before *failed*. */
export function judgeAttempt(
  own: readonly BoundCheck[],
  observed: CommonObserved,
  expected: CommonExpected,
): Judgement {
  const common = (...checks: readonly CommonCheck[]) => bindChecks(checks, observed, expected);
  let failure: Judgement | null = null;
  for (const check of [
    ...common(clockJumped, machineStalled, pathDisturbed),
    ...own,
    ...common(nothingLost),
  ]) {
    const problem = check();
    if (problem && !problem.hasFailed) return { outcome: 'invalid', ...problem };
    if (problem) failure ??= failed(problem);
  }
  return failure ?? { outcome: 'ok', code: null, message: null };
}

type CommonCheck = (observed: CommonObserved, expected: CommonExpected) => Problem | null;

export function failed({ code, message }: Problem): Judgement {
  return { outcome: 'failed', code, message };
}

/** Ends an attempt early, with its judgement. */
export class AttemptEnded extends Error {
  override name = 'AttemptEnded';
  readonly judgement: Judgement;
  readonly known: Partial<Pick<Observation, 'details' | 'stepsMs'>> & { startedAt?: Date };

  constructor(judgement: Judgement, known: AttemptEnded['known'] = {}) {
    super(judgement.message ?? '');
    this.judgement = judgement;
    this.known = known;
  }
}

/** Waiting for a core on a busy machine takes some tens of ms, never a second. */
const MOST_STALL_MS = 1_000;

/** Gradual clock corrections (slewing) are at most 0.5 ms per second. */
const MOST_APART_MS = 500;

function clockJumped({ time }: CommonObserved): Problem | null {
  if (time.clocksApartMs <= MOST_APART_MS) return null;
  return {
    code: 'clock-jumped',
    message: `The time of day moved ${seconds(time.clocksApartMs)} away from the monotonic clock: the machine was suspended, or its clock was set.`,
  };
}

function machineStalled({ time }: CommonObserved): Problem | null {
  if (time.longestStallMs <= MOST_STALL_MS) return null;
  return {
    code: 'machine-stalled',
    message: `The machine, or the benchmark on it, stalled for ${seconds(time.longestStallMs)}.`,
  };
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

/** The path dropped or lost packets that the condition does not drop or lose. */
function pathDisturbed({ path }: CommonObserved, { network }: CommonExpected): Problem | null {
  if (path === null) return null;
  const { toServer, toClient } = path;
  // Only the queue of a limited rate may overflow.
  const dropped =
    (limitKbps(network, 'toServer') === null ? toServer.queueDrops : 0) +
    (limitKbps(network, 'toClient') === null ? toClient.queueDrops : 0);
  const lost = losesPackets(network) ? 0 : toServer.lost + toClient.lost;
  const treated = network.udp ? 0 : (toServer.udpDropped ?? 0) + (toClient.udpDropped ?? 0);
  if (dropped + lost + treated === 0) return null;
  return {
    code: 'path-disturbed',
    message: `The path dropped ${dropped + treated} packets and lost ${lost}; the condition has no such loss.`,
  };
}

/** Whether the path lost or dropped anything. Loss can break connections, which are then replaced: that is an effect of the condition. */
export function hasLost({ toServer, toClient }: PathCounts): boolean {
  return [toServer, toClient].some(({ lost, queueDrops }) => lost + queueDrops > 0);
}

/** Fewer packets were sent than the number of the one that was to be lost. */
function nothingLost({ path }: CommonObserved, { network }: CommonExpected): Problem | null {
  const { lostPacket } = network;
  if (path === null || lostPacket === undefined || path.toClient.lost > 0) return null;
  return {
    code: 'nothing-lost',
    message: `Packet ${lostPacket} with data towards the client was to be lost, but only ${path.toClient.packets} packets came, including those without data. Choose a smaller number (--lose), or more bytes.`,
  };
}

export function wrongProtocol(
  entries: readonly HarEntry[],
  allowed: readonly string[],
): Problem | null {
  // Cached responses report the protocol by which they first came.
  const came = entries.filter(
    ({ response, _fromCache }) => response.status > 0 && _fromCache === undefined,
  );
  const other = came.filter((entry) => !allowed.includes(entry.response.httpVersion));
  const [first] = other;
  if (!first) return null;
  return {
    code: 'wrong-protocol',
    message: `${other.length} of ${came.length} responses did not come by ${allowed.join(' or ')}: ${first.request.url} came by ${first.response.httpVersion}.`,
  };
}

/** A connection used another key exchange than the run's. */
export function wrongKeyExchange(
  { har }: { har: Har },
  { keyExchange }: { keyExchange: KeyExchange | null },
): Problem | null {
  if (keyExchange === null) return null;
  const expected = KEY_EXCHANGE_GROUPS[keyExchange];
  const other = har.log.entries.find(
    ({ _fromCache, _securityDetails: agreed }) =>
      _fromCache === undefined && agreed && agreed.keyExchangeGroup !== expected,
  );
  if (!other) return null;
  return {
    code: 'wrong-key-exchange',
    message: `The key exchange for ${other.request.url} was ${other._securityDetails?.keyExchangeGroup || 'an unknown group'}, expected ${expected}.`,
  };
}

/** A connection went to a machine other than the site's servers. */
export function foreignHost(
  observed: { har: Har; connections: ObservedConnections | null },
  { origins }: { origins: Readonly<Record<string, string>> },
): Problem | null {
  const own = new Set(Object.values(origins).map((origin) => origin.replace(/:\d+$/, '')));
  const addresses = [
    ...observed.har.log.entries.flatMap(({ request, serverIPAddress }) =>
      serverIPAddress ? [{ to: serverIPAddress, what: request.url }] : [],
    ),
    ...(observed.connections?.opened ?? []).map(({ address, host }) => ({
      to: address.replace(/:\d+$/, ''),
      what: `a connection for ${host}`,
    })),
  ];
  const foreign = addresses.find(({ to }) => !own.has(to));
  if (!foreign) return null;
  return {
    code: 'foreign-host',
    message: `${foreign.what} went to ${foreign.to}, which is not a server of the site.`,
  };
}
