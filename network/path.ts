import type { ObservedConnections } from '../ground/records/connection.ts';
import type { LinkSample } from '../ground/records/link-sample.ts';
import type { NetworkBackend, NetworkCondition, PathCounts } from '../ground/records/network.ts';
import type { ArmSettings, RunChoices } from '../ground/records/run.ts';
import { NameServerError } from '../ground/system/errors.ts';
import {
  CommandError,
  type DnsQuery,
  type Interventions,
  type LoadOptions,
  type PathAgent,
  type ServedNames,
  type WriteResult,
} from './agent.ts';
import type { SeededCondition } from './conditions.ts';

/** A path between browser and servers, made by one of the backends. */
export interface Path {
  backend: NetworkBackend;
  agent: PathAgent;
  /** MTU under the condition that was applied last. */
  mtuBytes: number;
  /** Longest IP packet under that condition: of several segments if offloads are on. */
  longestPacketBytes: number;
  /** Whether apply() restarts random loss and delay from the condition's seed; null: there are no random effects. */
  isSeeded: boolean | null;
  /**
   * Applies a condition, and begins a load: resets counts and random series. Packets of earlier
   * connections are neither counted nor lost at random, unless `keepsConnections`.
   * @throws NetworkError if the path is broken: one of its processes or devices is gone, or does not answer in time.
   */
  apply(condition: SeededCondition, options?: Partial<LoadOptions>): Promise<void>;
  /**
   * Counts of the load's connections since apply().
   * @throws NetworkError as apply() does
   */
  count(): Promise<PathCounts>;
  /**
   * Samples of 10 ms since apply() without gaps, for at most ten minutes; the last one is incomplete. null: not
   * supported by this backend.
   * @throws NetworkError as apply() does
   */
  samples(): Promise<LinkSample[] | null>;
  /**
   * Connections that the browser began since apply(), read from their captured handshakes.
   * @param keyLog text of an NSS key log, needed to read whether early data was accepted
   * @throws NetworkError as apply() does
   */
  connections(keyLog?: string): Promise<ObservedConnections>;
  /**
   * Client randoms (hex, as in a key log) of the connections begun since apply() that a server answered.
   * @throws NetworkError as apply() does
   */
  answeredRandoms(): Promise<string[]>;
  /**
   * Appends the packets of the last count() to a pcapng file that begins with captureHeader(). Packets lost or in flight
   * have a comment. apply() must have had `captures`.
   * @throws CommandError if the file cannot be written; NetworkError as apply() does
   */
  writeCapture(file: string): Promise<WriteResult>;
  /**
   * Appends the TCP_INFO of the load's connections, up to count(), to a file of gzipped lines
   * (ground/records/tcp-sample.ts). apply() must have had `tcpInfoMs`.
   * @throws as writeCapture() does
   */
  writeTcpInfo(file: string): Promise<WriteResult>;
  /**
   * Applies these settings to new TCP connections; the path's own apply to absent fields.
   * @throws CommandError if the kernel rejects a setting
   */
  setTcp(changes: Partial<TcpSettings>): Promise<void>;
  /** The name server at the client's end, started by the first serve(). */
  names: NameServer;
}

export type TcpSettings = Pick<
  PathOptions,
  'congestionControl' | 'initcwnd' | 'receiveWindowBytes' | 'receiveBufferBytes'
>;

/** TCP settings that an arm and a condition set instead of the path's own. */
export function tcpSettingsOf(
  { congestionControl, initialWindowSegments: initcwnd, receiveBufferBytes }: ArmSettings = {},
  { receiveBuffer }: Pick<NetworkCondition, 'receiveBuffer'> = {},
): Partial<TcpSettings> {
  return {
    ...(receiveBufferBytes !== undefined && { receiveBufferBytes }),
    ...(receiveBuffer !== undefined && {
      receiveBufferBytes: receiveBuffer === 'stock' ? null : receiveBuffer,
    }),
    ...(congestionControl !== undefined && { congestionControl }),
    ...(initcwnd !== undefined && { initcwnd }),
  };
}

/** The part of an arm's settings that the user-space link applies to its loads. */
export function interventionsOf({
  handshake,
  countedWindowBytes,
}: Interventions = {}): Interventions {
  return {
    ...(handshake !== undefined && { handshake }),
    ...(countedWindowBytes !== undefined && { countedWindowBytes }),
  };
}

export interface PathOptions {
  python: string;
  hosts: number;
  /** Addresses of servers outside of the path, at or behind the machine's own network. Default: no such server. */
  beyond?: readonly string[];
  congestionControl: string;
  /** Initial congestion window of TCP in segments; null: the kernel's own. */
  initcwnd: number | null;
  /** 1280 to 65535, the largest of any condition. Default: 1500. */
  mtuBytes?: number;
  /** on: the kernel may send several segments as one packet. Default: off. */
  offloads?: RunChoices['offloads'];
  /** Initial receive buffer of TCP at both ends; null or absent: the kernel's default. */
  receiveBufferBytes?: number | null;
  /** Limit of unread TCP data in flight to either end; null or absent: the kernel's default. */
  receiveWindowBytes?: number | null;
  /** Folder of recorded links; absent: no condition has one. */
  tracesFolder?: string;
  /** Prefix of the command that carries the packets, to give it cores of its own. */
  prefix?: readonly string[];
  signal?: AbortSignal;
}

export interface PacketSizes {
  mtuBytes: number;
  offloads: RunChoices['offloads'];
}

/** Ethernet's packets, one segment each. */
export const DEFAULT_PACKET_SIZES: PacketSizes = { mtuBytes: 1500, offloads: 'off' };

/** Limit of the 16-bit length field of IP, and of the kernel's groups of segments. */
const MOST_PACKET_BYTES = 65_535;

/** Longest IP packet on a path, without the Ethernet header that queues count. */
export function longestPacketBytes({ mtuBytes, offloads }: PacketSizes): number {
  return offloads === 'on' ? MOST_PACKET_BYTES : mtuBytes;
}

interface NameServer {
  /**
   * Replaces the known names, and clears the queries.
   * @throws NameServerError if it has ended or does not answer; the next call starts another one
   */
  serve(names: ServedNames): Promise<void>;
  /**
   * Queries since serve().
   * @throws NameServerError as serve() does
   */
  queries(): Promise<DnsQuery[]>;
}

export function createNameServer(agent: Pick<PathAgent, 'serveNames' | 'dnsQueries'>): NameServer {
  return {
    serve: (names) => agent.serveNames(names).catch(rethrowUnanswered),
    queries: () => agent.dnsQueries().catch(rethrowUnanswered),
  };
}

function rethrowUnanswered(error: Error): never {
  if (!(error instanceof CommandError)) throw error;
  throw new NameServerError(
    `${error.message}. It was killed or stopped, or the machine is too busy; the next load gets another one.`,
  );
}
