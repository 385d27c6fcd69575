import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { SecureVersion } from 'node:tls';
import { pythonWithQuic } from '../../python-with-quic.ts';
import type { Internet } from '../internet.ts';

/** A request to a host by Node's own TLS. */
export interface TlsRequest {
  host: string;
  address: string;
  /** Certificates (PEM) to trust. */
  authority: string;
  timeoutMs: number;
  minVersion?: SecureVersion;
  maxVersion?: SecureVersion;
  /** Default: http/1.1, followed by a request for a page. */
  alpn?: string[];
  /** From an earlier connection. */
  session?: string;
}

/** Result of a connection by Node's own TLS. */
export interface TlsResult {
  /**
   * Node's code; `no-answer`: TCP connect timed out; `silence`: no data arrived; null: there was a
   * response.
   */
  error: string | null;
  version: string | null;
  protocol: string | null;
  resumed: boolean;
  /** All received certificates, DER. */
  chainBytes: number;
  /** The latest received ticket, base64. */
  session: string | null;
  /** Head and body as received. */
  answer: string | null;
}

/** Result of an HTTP/3 request to a host. */
export interface QuicResult {
  /** Types of the received packets: initial, handshake, 1RTT, retry, version_negotiation. */
  received: string[];
  /** code: from CONNECTION_CLOSE; null: no such frame. */
  error: { code: number | null; reason: string } | null;
  chainBytes: number;
  headers: Record<string, string>;
  body: string;
}

const FOLDER = import.meta.dirname;

/** Connects to all hosts at once by Node's own TLS from the client's machine. */
export async function requestByTls(
  internet: Internet,
  requests: readonly Omit<TlsRequest, 'authority' | 'timeoutMs'>[],
  timeoutMs = 12_000,
): Promise<TlsResult[]> {
  const authority = await readFile(internet.caFile, 'utf8');
  const whole: TlsRequest[] = requests.map((each) => ({ authority, timeoutMs, ...each }));
  return runProgram(internet, [process.execPath, path.join(FOLDER, 'ask-by-tls.ts')], whole);
}

/** Connects to all hosts at once by aioquic from the client's machine. */
export async function requestByQuic(
  internet: Internet,
  requests: readonly { host: string; address: string }[],
  timeoutMs = 20_000,
): Promise<QuicResult[]> {
  const program = [pythonWithQuic(), '-B', path.join(FOLDER, 'ask_by_quic.py')];
  const words = [...program, internet.caFile, `${timeoutMs / 1000}`];
  return runProgram(
    internet,
    words,
    requests.map(({ host, address }) => [host, address]),
  );
}

/** Sends a datagram to UDP port 443 of addresses: `answer`, `silence`, or the ICMP error. */
export function sendDatagrams(internet: Internet, addresses: readonly string[]): Promise<string[]> {
  const program = path.join(FOLDER, 'send-datagrams.ts');
  return runProgram(internet, [process.execPath, program], addresses);
}

async function runProgram<Result>(
  internet: Internet,
  command: readonly string[],
  requests: unknown,
): Promise<Result> {
  const { status, stdout, stderr } = await internet.run(command, {
    input: JSON.stringify(requests),
  });
  if (status !== 0) throw new Error(`${command.join(' ')} ended (${status}): ${stderr}`);
  return JSON.parse(stdout) as Result;
}
