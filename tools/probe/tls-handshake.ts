import { isIP } from 'node:net';
import {
  type ConnectionOptions,
  connect,
  type DetailedPeerCertificate,
  type TLSSocket,
} from 'node:tls';
import { Failure, failureOf, within } from '../../clients/connection-failure.ts';
import type { TargetServer } from '../../clients/quic-connector.ts';
import { startStopwatch } from '../../ground/system/stopwatch.ts';

type Version = NonNullable<ConnectionOptions['minVersion']>;

/** What a client offers; an invalid certificate does not end the handshake. */
export interface Offer {
  versions: readonly [least: Version, most: Version];
  protocols: readonly string[];
  /** Group of the key exchange; default: those of OpenSSL. */
  group?: string;
  /** Whether to accept keys that OpenSSL calls too small; default: false. */
  takesSmallKeys?: boolean;
  /** Authorities to trust (PEM); default: [], so that the chain is as sent. */
  authorities?: readonly string[];
}

// Only this level has the ciphers of old TLS versions, and accepts small keys.
const CIPHERS_OF_NO_LEVEL = 'DEFAULT:@SECLEVEL=0';
const OLD_VERSIONS: readonly Version[] = ['TLSv1', 'TLSv1.1'];

/**
 * Completes a handshake, passes on its connection and its time in ms with that of TCP, and closes it.
 * @throws Failure if the handshake or its use fails
 */
export async function withHandshake<T>(
  { address, port, host, timeoutMs, signal }: TargetServer,
  { versions: [minVersion, maxVersion], protocols, group, takesSmallKeys, authorities = [] }: Offer,
  use: (socket: TLSSocket, tookMs: number) => T | Promise<T>,
): Promise<T> {
  const took = startStopwatch();
  const secure = Promise.withResolvers<number>();
  const socket = connected(
    {
      host: address,
      port,
      servername: isIP(host) === 0 ? host : '',
      minVersion,
      maxVersion,
      ALPNProtocols: [...protocols],
      ca: [...authorities],
      rejectUnauthorized: false,
      ...(group !== undefined && { ecdhCurve: group }),
      ...((takesSmallKeys || OLD_VERSIONS.includes(minVersion)) && {
        ciphers: CIPHERS_OF_NO_LEVEL,
      }),
    },
    () => secure.resolve(took()),
  );
  socket.on('error', secure.reject);
  socket.on('close', () =>
    secure.reject(
      new Failure('tls', 'closed', 'the server closed the connection during the handshake'),
    ),
  );
  const late = () => new Failure('tls', 'timeout', `no handshake within ${timeoutMs / 1000} s`);
  try {
    const tookMs = await within(secure.promise, timeoutMs, signal, late);
    return await use(socket, tookMs);
  } catch (error) {
    signal.throwIfAborted();
    throw tlsFailure(error);
  } finally {
    socket.destroy();
  }
}

/** Starts to connect; throws a Failure if OpenSSL cannot make the offer. */
function connected(options: ConnectionOptions, use: () => void): TLSSocket {
  try {
    return connect(options, use);
  } catch (error) {
    throw new Failure(
      'client',
      'not-tried',
      `OpenSSL cannot offer it: ${(error as Error).message}`,
    );
  }
}

/** Alerts have their name in RFC 8446 (protocol_version), other errors OpenSSL's own text. */
function tlsFailure(error: unknown): Failure {
  const { code = '', reason = '' } = error as { code?: string; reason?: string };
  const [, alert] = /^ERR_SSL_.*ALERT_(\w+)$/.exec(code) ?? [];
  if (alert !== undefined) {
    const name = alert.toLowerCase();
    return new Failure('tls', name, `the server refused: alert ${name}`);
  }
  const [, own] = /^ERR_SSL_(\w+)$/.exec(code) ?? [];
  if (own === 'NO_PROTOCOLS_AVAILABLE') return new Failure('client', 'not-tried', reason);
  if (own !== undefined) return new Failure('tls', own.toLowerCase(), reason);
  return failureOf(error, /^E[A-Z]+$/.test(code) ? 'tcp' : 'tls');
}

/** The certificates as sent, DER, leaf first. */
export function chainOf(socket: TLSSocket): Buffer[] {
  const seen = new Map<string, Buffer>();
  let certificate: DetailedPeerCertificate | undefined = socket.getPeerCertificate(true);
  while (certificate?.raw !== undefined && !seen.has(certificate.fingerprint512)) {
    seen.set(certificate.fingerprint512, certificate.raw);
    certificate = certificate.issuerCertificate;
  }
  return [...seen.values()];
}

export function chainBytes(socket: TLSSocket): number {
  return chainOf(socket).reduce((sum, { length }) => sum + length, 0);
}

const GROUPS_OF_OPENSSL: Record<string, string> = { prime256v1: 'secp256r1' };

/** IANA's name of the key exchange group; null: key transport by the certificate (RSA). */
export function groupOf(socket: TLSSocket): string | null {
  const { name } = (socket.getEphemeralKeyInfo() ?? {}) as { name?: string };
  return name === undefined ? null : (GROUPS_OF_OPENSSL[name] ?? name);
}
