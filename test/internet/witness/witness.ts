import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { SecureVersion } from 'node:tls';
import { pythonWithQuic } from '../../python-with-quic.ts';
import type { Internet } from '../internet.ts';

/** What a host is asked by Node's own TLS. */
export interface TlsRequest {
  host: string;
  address: string;
  /** Certificates (PEM) to trust. */
  authority: string;
  timeoutMs: number;
  minVersion?: SecureVersion;
  maxVersion?: SecureVersion;
  /** Left out: http/1.1, by which it is then asked for a page. */
  alpn?: string[];
  /** Of an earlier answer. */
  session?: string;
}

/** What came of it. */
export interface TlsResult {
  /** Node's code; `no-answer`: TCP was not connected in time; `silence`: nothing came over it; null: there was an answer. */
  error: string | null;
  version: string | null;
  protocol: string | null;
  resumed: boolean;
  /** Of all certificates that were sent, DER. */
  chainBytes: number;
  /** The latest ticket that came, base64. */
  session: string | null;
  /** Head and body as they came. */
  answer: string | null;
}

/** What came of asking a host by HTTP/3. */
export interface QuicResult {
  /** Types of the packets that came: initial, handshake, 1RTT, retry, version_negotiation. */
  received: string[];
  /** code: of CONNECTION_CLOSE; null: there was none. */
  error: { code: number | null; reason: string } | null;
  chainBytes: number;
  headers: Record<string, string>;
  body: string;
}

const FOLDER = import.meta.dirname;

/** Asks hosts by Node's own TLS from the client's machine, all at once. */
export async function requestByTls(
  internet: Internet,
  asked: readonly Omit<TlsRequest, 'authority' | 'timeoutMs'>[],
  timeoutMs = 12_000,
): Promise<TlsResult[]> {
  const authority = await readFile(internet.caFile, 'utf8');
  const whole: TlsRequest[] = asked.map((each) => ({ authority, timeoutMs, ...each }));
  return runProgram(internet, [process.execPath, path.join(FOLDER, 'ask-by-tls.ts')], whole);
}

/** Asks hosts by aioquic from the client's machine, all at once. */
export async function requestByQuic(
  internet: Internet,
  asked: readonly { host: string; address: string }[],
  timeoutMs = 20_000,
): Promise<QuicResult[]> {
  const program = [pythonWithQuic(), '-B', path.join(FOLDER, 'ask_by_quic.py')];
  const words = [...program, internet.caFile, `${timeoutMs / 1000}`];
  return runProgram(
    internet,
    words,
    asked.map(({ host, address }) => [host, address]),
  );
}

/** Sends something to UDP port 443 of addresses: `answer`, `silence`, or the error that ICMP told. */
export function sendDatagrams(internet: Internet, addresses: readonly string[]): Promise<string[]> {
  const program = path.join(FOLDER, 'send-datagrams.ts');
  return runProgram(internet, [process.execPath, program], addresses);
}

async function runProgram<Result>(
  internet: Internet,
  command: readonly string[],
  asked: unknown,
): Promise<Result> {
  const { status, stdout, stderr } = await internet.run(command, { input: JSON.stringify(asked) });
  if (status !== 0) throw new Error(`${command.join(' ')} ended (${status}): ${stderr}`);
  return JSON.parse(stdout) as Result;
}
