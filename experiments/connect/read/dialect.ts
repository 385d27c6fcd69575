import type { ConnectionFacts } from '../../../records/connection-attempt.ts';
import type { ReadRow, ReadTable } from '../../reading.ts';
import type { TableRow } from './table-file.ts';

/** How the rows of one kind of table become attempts. */
export interface Dialect extends Pick<ReadTable, 'metric' | 'baseline'> {
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
