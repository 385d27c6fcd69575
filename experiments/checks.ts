import type { Har } from '../clients/chromium/har/har.ts';
import type { HeartbeatReport } from '../ground/host/heartbeat.ts';
import type { ObservedConnections } from '../ground/records/connection.ts';
import { losesPackets } from '../ground/records/dimensions.ts';
import { KEY_EXCHANGE_GROUPS, type KeyExchange } from '../ground/records/key-exchange.ts';
import { limitKbps, type NetworkCondition, type PathCounts } from '../ground/records/network.ts';
import type { Observation, Outcome } from '../ground/records/observation.ts';

/** What is wrong with an attempt: a code of ground/records/codes.ts, and a sentence. */
export interface Problem {
  code: string;
  message: string;
  /** URLs of the site's resources that are to blame. */
  blamed?: string[];
  /** Whether the attempt failed by it; absent: it came to its end, and does not count. */
  hasFailed?: true;
}

/** Whether an attempt counts, and why not. */
export interface Judgement extends Pick<Problem, 'blamed'> {
  outcome: Outcome;
  code: string | null;
  message: string | null;
}

/** What every attempt was to be. */
export interface CommonExpected {
  network: NetworkCondition;
}

/** What is known of every attempt that came to its end. */
export interface CommonObserved {
  time: HeartbeatReport;
  /** null: a path of the live web, which is not counted. */
  path: PathCounts | null;
}

/** A check of one attempt, which has what it looks at. */
export type BoundCheck = () => Problem | null;

/** Gives checks what they look at. */
export function bindChecks<Seen, Planned>(
  checks: readonly ((observed: Seen, expected: Planned) => Problem | null)[],
  observed: Seen,
  expected: Planned,
): BoundCheck[] {
  return checks.map((check) => () => check(observed, expected));
}

/** Judges an attempt that came to its end. What explains other problems comes first; what makes it invalid comes before what failed it. */
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

/** An attempt that did not come to its end. */
export function failed({ code, message }: Problem): Judgement {
  return { outcome: 'failed', code, message };
}

/** Ends an attempt that was not seen to its end. */
export class AttemptEnded extends Error {
  override name = 'AttemptEnded';
  readonly judgement: Judgement;
  /** What is known of it all the same. */
  readonly known: Partial<Pick<Observation, 'details' | 'stepsMs'>> & { startedAt?: Date };

  constructor(judgement: Judgement, known: AttemptEnded['known'] = {}) {
    super(judgement.message ?? '');
    this.judgement = judgement;
    this.known = known;
  }
}

/** A program that waits for a core on a busy machine is late by some tens of ms; a second is no waiting for a core. */
const MOST_STALL_MS = 1_000;

/** A clock that is kept right by small steps moves by 0.5 ms in a second at most. */
const MOST_APART_MS = 500;

/** The machine was suspended during the attempt, or its clock was set. */
function clockJumped({ time }: CommonObserved): Problem | null {
  if (time.clocksApartMs <= MOST_APART_MS) return null;
  return {
    code: 'clock-jumped',
    message: `The time of day moved ${seconds(time.clocksApartMs)} away from the monotonic clock: the machine was suspended, or its clock was set.`,
  };
}

/** The machine stood still during the attempt, or gave the benchmark no processor. */
function machineStalled({ time }: CommonObserved): Problem | null {
  if (time.longestStallMs <= MOST_STALL_MS) return null;
  return {
    code: 'machine-stalled',
    message: `The machine, or the benchmark on it, stood still for ${seconds(time.longestStallMs)}.`,
  };
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

/** Packets that the path dropped or lost although the condition does not ask it to. */
function pathDisturbed({ path }: CommonObserved, { network }: CommonExpected): Problem | null {
  if (path === null) return null;
  const { toServer, toClient } = path;
  // A limited rate has a queue that may well run over; without one nothing may be dropped.
  const dropped =
    (limitKbps(network, 'toServer') === null ? toServer.queueDrops : 0) +
    (limitKbps(network, 'toClient') === null ? toClient.queueDrops : 0);
  const lost = losesPackets(network) ? 0 : toServer.lost + toClient.lost;
  const treated = network.udp ? 0 : (toServer.udpDropped ?? 0) + (toClient.udpDropped ?? 0);
  if (dropped + lost + treated === 0) return null;
  return {
    code: 'path-disturbed',
    message: `The path dropped ${dropped + treated} packets and lost ${lost}, which the condition does not ask for.`,
  };
}

/** Whether the path lost or dropped anything. Connections break of it, and others take their place: that is the condition's doing. */
export function hasLost({ toServer, toClient }: PathCounts): boolean {
  return [toServer, toClient].some(({ lost, queueDrops }) => lost + queueDrops > 0);
}

/** A packet was to be lost whose number none came to. */
function nothingLost({ path }: CommonObserved, { network }: CommonExpected): Problem | null {
  const { lostPacket } = network;
  if (path === null || lostPacket === undefined || path.toClient.lost > 0) return null;
  return {
    code: 'nothing-lost',
    message: `Packet ${lostPacket} with data towards the client was to be lost, but there were fewer: ${path.toClient.packets} packets came, those without data among them. Choose a smaller number (--lose), or more bytes.`,
  };
}

/** A response by another version of HTTP than those allowed. */
export function wrongProtocol({ har }: { har: Har }, allowed: readonly string[]): Problem | null {
  // A cache tells the protocol by which a response once came.
  const came = har.log.entries.filter(
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

/** A response over a connection that agreed on another key exchange than servers and client were asked to. */
export function wrongKeyExchange(
  { har }: { har: Har },
  { keyExchange }: { keyExchange: KeyExchange | null },
): Problem | null {
  if (keyExchange === null) return null;
  const asked = KEY_EXCHANGE_GROUPS[keyExchange];
  const other = har.log.entries.find(
    ({ _fromCache, _securityDetails: agreed }) =>
      _fromCache === undefined && agreed && agreed.keyExchangeGroup !== asked,
  );
  if (!other) return null;
  return {
    code: 'wrong-key-exchange',
    message: `The keys for ${other.request.url} were exchanged by ${other._securityDetails?.keyExchangeGroup || 'a group that is not known'}; ${asked} was asked for.`,
  };
}

/** A connection to another machine than the site's servers. */
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
