import { writeFile } from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import { siteFolder } from '../../cache/catalogue.ts';
import * as x509 from '../../certs/x509.ts';
import { stackNamed } from '../../experiments/stacks.ts';
import type { Stack } from '../../ground/stack.ts';
import { type Server, withServers } from '../../runner/servers.ts';
import { ensureLeaves } from '../leaves.ts';
import { withTemporaryFolder } from '../temporary-folder.ts';
import { type Command, startBenchmark } from './command.ts';

/** The site of these tests' servers, and its only host. */
export const SITE = 'www.example.org';

/** Faults of an existing server; empty: no fault. */
export interface Oddity {
  /** Listening address; absent: all. */
  ip?: string;
  /** Content served in place of the site. */
  folder?: string;
  /** Host in place of the site's. */
  host?: string;
  /** Its certificate in place of a good one. */
  certificate?: { names?: string[]; rsaBits?: number; notAfter?: Date };
  /** Delay of each of its responses, by TCP. */
  delayMs?: number;
}

/** Runs a server of a stack on the test's machine, as a user does, and passes on its port. */
export async function withRunning<T>(
  name: string,
  oddity: Oddity,
  use: (port: number, server: Server) => Promise<T>,
): Promise<T> {
  const port = await freePort();
  const { host = SITE } = oddity;
  return withTemporaryFolder(async (temporary) => {
    await (oddity.certificate
      ? writeCertificate(temporary, oddity.certificate)
      : ensureLeaves([host], temporary));
    const options = {
      stacks: [slowed(name, oddity.delayMs)],
      site: SITE,
      siteFolder: oddity.folder ?? siteFolder(SITE),
      certsFolder: temporary,
      addresses: { [host]: oddity.ip ?? '0.0.0.0' },
      firstPort: port,
      enter: [],
      logsFolder: temporary,
    };
    return withServers(options, ([server]) => {
      if (!server) throw new Error(`${name} did not start`);
      return use(port, server);
    });
  });
}

function slowed(name: string, delayMs: number | undefined): Stack {
  const stack = stackNamed(name);
  if (!stack?.program) throw new Error(`no program of ${name}`);
  if (delayMs === undefined) return stack;
  const program = path.join(import.meta.dirname, 'clients', 'slow-server.ts');
  return { ...stack, program, programArguments: [String(delayMs), stack.program] };
}

/** Free for TCP and UDP alike, at this moment. */
async function freePort(): Promise<number> {
  const server = net.createServer().listen(0);
  const { port } = server.address() as net.AddressInfo;
  await new Promise((closed) => server.close(closed));
  return port;
}

async function writeCertificate(
  folder: string,
  {
    names = [SITE],
    rsaBits,
    notAfter = new Date(Date.now() + 86_400_000),
  }: NonNullable<Oddity['certificate']>,
): Promise<void> {
  const algorithm = rsaBits
    ? {
        name: 'RSASSA-PKCS1-v1_5',
        hash: 'SHA-256',
        publicExponent: new Uint8Array([1, 0, 1]),
        modulusLength: rsaBits,
      }
    : { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  x509.cryptoProvider.set(crypto);
  const keys = (await crypto.subtle.generateKey(algorithm, true, [
    'sign',
    'verify',
  ])) as CryptoKeyPair;
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: `CN=${names[0]}`,
    notBefore: new Date(notAfter.getTime() - 30 * 86_400_000),
    notAfter,
    keys,
    signingAlgorithm: algorithm,
    extensions: [
      new x509.SubjectAlternativeNameExtension(
        names.map((value) => ({ type: 'dns' as const, value })),
      ),
    ],
  });
  const key = await crypto.subtle.exportKey('pkcs8', keys.privateKey);
  await writeFile(path.join(folder, `${SITE}.pem`), certificate.toString('pem'));
  await writeFile(path.join(folder, `${SITE}.key`), x509.PemConverter.encode(key, 'PRIVATE KEY'));
}

/** Starts a run of the site by these stacks. */
export function startRun(
  out: string,
  stacks: readonly string[],
  repetitions = 2,
  more: readonly string[] = [],
): Command {
  const words = ['--sites', SITE, '--stacks', stacks.join(), '--rtt', '10', '--out', out];
  const times = ['--repetitions', String(repetitions), '--warm-ups', '1'];
  return startBenchmark([...words, ...times, ...more]);
}
