import type { FailureReason } from '../ground/records/connection-attempt.ts';
import type { Protocol } from '../ground/records/protocol.ts';
import type { ProgramNeeds } from '../ground/system/unprivileged-user.ts';
import type { ConnectionRequest } from './connector.ts';
import { type RequestProgram, startRequestProgram } from './request-program.ts';

/** Requests a resource over a new connection. */
export interface ResourceRequest
  extends Pick<ConnectionRequest, 'transport' | 'host' | 'authority' | 'address' | 'timeoutMs'> {
  /** Determines the ALPN offer over TCP. */
  protocol: Protocol;
  path: string;
  /** Maximum size of the body, with its content coding. */
  maxBodyBytes: number;
  /** Returns only the size of the body, and requests no content coding; absent: returns the body. */
  countsBody?: boolean;
}

/** A server's response; after a failure, the part that arrived. */
export interface ResourceResponse {
  error: FailureReason | null;
  /** Negotiated protocol; null: none. */
  alpn: string | null;
  /** DER in Base64, leaf first. */
  certificates: string[];
  /** Whether the chain is complete: over QUIC the rest of the chain is known only from a ticket. */
  isChainWhole: boolean;
  status: number | null;
  /** Names in lower case. */
  headers: [name: string, value: string][];
  bodyBase64: string;
  /** Size of the body, with its content coding. */
  bodyBytes: number;
}

export type Examiner = RequestProgram<ResourceRequest, ResourceResponse>;

export function startExaminer(command: readonly string[], needs: ProgramNeeds): Examiner {
  return startRequestProgram<ResourceRequest, ResourceResponse>(command, needs);
}
