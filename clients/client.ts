import type { Resumption } from '../ground/records/connection-attempt.ts';
import type { ConnectionTransport } from '../ground/records/connection-transport.ts';
import type { KeyExchange } from '../ground/records/key-exchange.ts';
import type { Protocol } from '../ground/records/protocol.ts';
import type { Runtime } from '../ground/runtimes/runtime.ts';
import type { StartTransferClient } from './transfer-client.ts';

/** A program that sends requests to servers, as it describes itself: all that the rest of the project knows of it. */
export interface Client {
  /** Its folder. */
  name: string;
  /** For tables and headings. */
  label: string;
  /** Those that `--key-exchange` can select. */
  keyExchanges: readonly KeyExchange[];
  /** Runs its programs; set-up brings it on request. null: it comes with the project. */
  runtime: Required<Omit<Runtime, 'arguments'>> | null;
  /** How it makes connections; absent: it cannot. */
  connect?: ConnectProgram;
  /** How it transfers files; absent: it cannot. */
  transfer?: TransferProgram;
  /** The program that gets one resource (clients/getter.ts has its contract); absent: it cannot. */
  get?: string;
  /** The program that requests resources and describes the answers (clients/examiner.ts); absent: it cannot. */
  examine?: string;
}

/** Makes connections one at a time; its contract is in clients/connector.ts. */
interface ConnectProgram {
  /** The file that is run. */
  program: string;
  /** What a connection can take over, by each way that it knows. */
  resumptions: Readonly<Partial<Record<ConnectionTransport, readonly Resumption[]>>>;
  /** Whether its requests leave before the server's last message of a full handshake by TLS 1.2 (False Start, RFC 7918). */
  startsEarly?: boolean;
  /** Where its time until it may send comes from, as a phrase; absent: the program's own clock. */
  maySendSource?: string;
}

/** Transfers files; its contract is in clients/transfer-client.ts. */
interface TransferProgram {
  /** The file that is run, which prints a TransferMade for each TransferInParts on its stdin, lines of JSON; or what starts a program of another kind. */
  by: string | StartTransferClient;
  /** Why its own windows by a protocol cannot be chosen, as a clause; null: they can, or there are none above TCP's. Absent: they always can. */
  whyWindowsAreFixed?(protocol: Protocol): string | null;
}
