import type { SiteManifest } from '../../../cache/manifest.ts';
import type { Har } from '../../../clients/har/har.ts';
import type { VersionsRecord } from '../../../clients/har/records.ts';
import type { VisitKind } from '../../../clients/visit-kind.ts';
import type { ObservedConnections } from '../../../ground/records/connection.ts';
import type { KeyExchange } from '../../../ground/records/key-exchange.ts';
import type { MachineUse } from '../../../ground/records/machine-use.ts';
import type { PathCounts } from '../../../ground/records/network.ts';
import type { Protocol } from '../../../ground/records/protocol.ts';
import type { ArmSettings, RunChoices } from '../../../ground/records/run.ts';
import type { CommonExpected, CommonObserved, Problem } from '../../checks.ts';

export interface Expected extends CommonExpected, Pick<ArmSettings, 'handshake'> {
  manifest: SiteManifest;
  protocol: Protocol;
  /** Version of QUIC; absent: 1, or not over QUIC. */
  quicVersion?: 2;
  visit: VisitKind;
  choices: Pick<RunChoices, 'subResources' | 'tlsMost' | 'document'>;
  /** The run's `--key-exchange`; null: not set. */
  keyExchange: KeyExchange | null;
  /** Host to the `ip:port` of its server. */
  origins: Readonly<Record<string, string>>;
  /** Hosts that are loaded by HTTP/2 where the protocol is HTTP/3; absent: none. */
  http2Hosts?: readonly string[];
}

/** Protocol by which a host is loaded. */
export function protocolOf(
  host: string,
  { protocol, http2Hosts = [] }: Pick<Expected, 'protocol' | 'http2Hosts'>,
): Protocol {
  return http2Hosts.includes(host) ? 'h2' : protocol;
}

export interface Observed extends CommonObserved {
  har: Har;
  /** Requests whose response had other bytes than recorded, in the first load from this server. */
  otherBytes: readonly string[];
  /** Versions of HTTP of the load before the measured one; null: no such load. */
  earlier: VersionsRecord | null;
  /** Protocols at each return visit before the load. */
  returnProtocols: readonly (readonly string[])[];
  /** Queries of the load; null: the browser's command line maps all names. */
  names: { httpsRecords: number } | null;
  path: PathCounts;
  /** Time of the last load event, by the machine's monotonic clock; null: not read. */
  loadedMs: number | null;
  /** null: the path did not observe connections. */
  connections: ObservedConnections | null;
  /** null: the machine was not watched. */
  machine: MachineUse | null;
}

/** Returns a load's problem; null: no problem. */
export type Check = (observed: Observed, expected: Expected) => Problem | null;
