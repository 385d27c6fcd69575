import type { ConnectDetails, ConnectionFacts } from '../../records/connection-attempt.ts';
import type { AskedNetwork } from '../../records/network.ts';
import type { Observation } from '../../records/observation.ts';
import type { PlannedArm } from '../../records/run.ts';
import type { TableRow } from './table-file.ts';

/** What a row says of an attempt; the rest of its record is the same for all rows of a file. */
export interface ReadRow
  extends Pick<
    Observation<ConnectDetails>,
    'subject' | 'factors' | 'block' | 'warmup' | 'outcome' | 'code' | 'message' | 'metrics'
  > {
  url: string;
  arm: PlannedArm;
  network: AskedNetwork;
  measuredRttMs: number | null;
  details: ConnectDetails;
  unixS: number;
  /** null: the file does not say; it is then taken for one and the same. */
  machine: string | null;
  /** null: rows are numbered. */
  id: string | null;
}

/** How the rows of one kind of table become attempts. */
export interface Dialect {
  /** What its verdicts are about, and what they compare with, where it has that arm. */
  metric: string;
  baseline: string;
  /** Makes what turns the rows of a file into attempts, in their order. */
  reader(file: string): (row: TableRow) => ReadRow;
}

/** Of a client that tells nothing. */
export const NO_FACTS: ConnectionFacts = {
  tlsVersion: null,
  cipher: null,
  group: null,
  alpn: null,
  quicVersion: null,
  retry: null,
  resumed: null,
  earlyData: null,
  bytesSent: null,
  bytesReceived: null,
  certificateChainBytes: null,
  rttMs: null,
  status: null,
  bodyBytes: null,
  altSvc: null,
};
