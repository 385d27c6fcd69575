import type { FailureReason } from '../ground/records/connection-attempt.ts';
import type { Protocol } from '../ground/records/protocol.ts';
import type { ProgramNeeds } from '../ground/system/unprivileged-user.ts';
import type { ConnectionRequest } from './connector.ts';
import { type RequestProgram, startRequestProgram } from './request-program.ts';

/** A resource that a server is asked for over a connection of its own. */
export interface ResourceRequest
  extends Pick<ConnectionRequest, 'via' | 'host' | 'authority' | 'address' | 'timeoutMs'> {
  /** What is to be spoken: by TCP, what is offered to the server depends on it. */
  protocol: Protocol;
  path: string;
  /** Bytes of the body, as sent, beyond which the answer is given up. */
  maxBodyBytes: number;
}

/** What a server answered, or why it did not; what came before the end of a connection that failed is there too. */
export interface ResourceResponse {
  error: FailureReason | null;
  /** What TLS agreed on; null: nothing. */
  alpn: string | null;
  /** DER in Base64, the server's own first. */
  certificates: string[];
  /** Whether those are all that it sent: over QUIC others than its own are known by a ticket alone. */
  isChainWhole: boolean;
  status: number | null;
  /** Names in lower case. */
  headers: [name: string, value: string][];
  bodyBase64: string;
}

/** A program that asks for resources, one after the other. */
export type Examiner = RequestProgram<ResourceRequest, ResourceResponse>;

/** Starts a program that asks for resources. */
export function startExaminer(command: readonly string[], needs: ProgramNeeds): Examiner {
  return startRequestProgram<ResourceRequest, ResourceResponse>(command, needs);
}
