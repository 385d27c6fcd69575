import type { Resumption } from '../ground/records/connection-attempt.ts';
import type { ConnectionTransport } from '../ground/records/connection-transport.ts';
import type { KeyExchange } from '../ground/records/key-exchange.ts';
import type { Protocol } from '../ground/records/protocol.ts';
import type { Runtime } from '../ground/runtimes/runtime.ts';
import type { StartTransferClient } from './transfer-client.ts';

/** Description of a client program. */
export interface Client {
  /** Name of the client's folder. */
  name: string;
  /** Name in tables and headings. */
  label: string;
  /** Key exchanges that `--key-exchange` can select. */
  keyExchanges: readonly KeyExchange[];
  /** Runtime of the client's programs, which set-up installs on request. null: comes with the project. */
  runtime: Required<Omit<Runtime, 'arguments' | 'installs' | 'versions'>> | null;
  /** Absent: cannot make connections. */
  connect?: ConnectProgram;
  /** Absent: cannot transfer files. */
  transfer?: TransferProgram;
  /** Program that gets one resource, for clients/getter.ts; absent: unsupported. */
  get?: string;
  /** Program that requests resources and describes the responses, for clients/examiner.ts; absent: unsupported. */
  examine?: string;
}

/** Makes one connection at a time, for clients/connector.ts. */
interface ConnectProgram {
  program: string;
  resumptions: Readonly<Partial<Record<ConnectionTransport, readonly Resumption[]>>>;
  /** Whether requests leave before the server's last message of a full TLS 1.2 handshake (False Start, RFC 7918). */
  startsEarly?: boolean;
  /** Source of `maySendMs`, as a phrase; absent: the program's own clock. */
  maySendSource?: string;
}

/** Transfers files, for clients/transfer-client.ts. */
interface TransferProgram {
  /**
   * Program that prints a TransferResult for each SplitTransferRequest on its stdin, one line of JSON each; or a function
   * that starts another kind of client.
   */
  by: string | StartTransferClient;
  /** Transfers over sockets without HTTP too; absent: by HTTP only. */
  needsNoHttp?: true;
  /** Why the program's own windows cannot be set, as a clause; null: they can, or TCP has them. Absent: always null. */
  whyWindowsAreFixed?(protocol: Protocol): string | null;
}
