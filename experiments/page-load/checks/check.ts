import type { SiteManifest } from '../../../cache/manifest.ts';
import type { Har } from '../../../clients/chromium/har/har.ts';
import type { VersionsRecord } from '../../../clients/chromium/records.ts';
import type { VisitKind } from '../../../clients/chromium/visit-kind.ts';
import type { ObservedConnections } from '../../../ground/records/connection.ts';
import type { KeyExchange } from '../../../ground/records/key-exchange.ts';
import type { MachineUse } from '../../../ground/records/machine-use.ts';
import type { PathCounts } from '../../../ground/records/network.ts';
import type { Protocol } from '../../../ground/records/protocol.ts';
import type { RunChoices } from '../../../ground/records/run.ts';
import type { CommonExpected, CommonObserved, Problem } from '../../checks.ts';

/** What a load was to be. */
export interface Expected extends CommonExpected {
  manifest: SiteManifest;
  protocol: Protocol;
  visit: VisitKind;
  choices: Pick<RunChoices, 'subResources' | 'tlsMost' | 'document'>;
  /** null: the servers were told nothing of it. */
  keyExchange: KeyExchange | null;
  /** Host to the `ip:port` of its server. */
  origins: Readonly<Record<string, string>>;
}

/** What a load was. */
export interface Observed extends CommonObserved {
  har: Har;
  /** Requests whose response had other bytes than recorded in the first load by this server. */
  otherBytes: readonly string[];
  /** How the load before came; null: there was none. */
  earlier: VersionsRecord | null;
  /** By which protocols the browser came each time that it came back before the load. */
  backBy: readonly (readonly string[])[];
  /** null: the browser knew all names. */
  names: { httpsRecords: number } | null;
  path: PathCounts;
  /** When the last load event came, by the machine's monotonic clock; null: not looked at. */
  loadedMs: number | null;
  /** null: not observed. */
  connections: ObservedConnections | null;
  /** null: not watched. */
  machine: MachineUse | null;
}

/** Checks a load against what it was meant to be; null: nothing is wrong. */
export type Check = (observed: Observed, expected: Expected) => Problem | null;
