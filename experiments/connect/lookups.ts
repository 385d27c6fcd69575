import { promises as dns } from 'node:dns';
import { isIP } from 'node:net';
import type { FailureReason } from '../../ground/records/connection-attempt.ts';

/** Result of a DNS query for a host's address of one IP version. */
export interface Lookup {
  /** null: the host has no such address. */
  address: string | null;
  /** null: the host is an IP address, so no query was sent. */
  lookupMs: number | null;
  error: FailureReason | null;
}

const QUESTIONS = { '4': 'A', '6': 'AAAA' } as const;

export type IpVersion = keyof typeof QUESTIONS;

/** Code for a host without an address of that IP version, which is not a failure. */
export const NO_ADDRESS = 'no-address';

/** Looks each name up once per block; all attempts of the block share the result. */
export function sharedLookups(timeoutMs: number) {
  let block = '';
  const found = new Map<IpVersion, Promise<Lookup>>();
  return {
    of(host: string, family: IpVersion, blockKey: string): Promise<Lookup> {
      if (block !== blockKey) found.clear();
      block = blockKey;
      const lookup = found.get(family) ?? lookUp(host, family, timeoutMs);
      found.set(family, lookup);
      return lookup;
    },
  };
}

/** Timeout of the first datagram, as in the C library. */
const FIRST_TRY_MS = 5_000;
const TRIES = 2;

/** Queries the machine's name server for the first address of a host, without caches of this machine. */
async function lookUp(host: string, family: IpVersion, timeoutMs: number): Promise<Lookup> {
  const version = isIP(host);
  if (version !== 0) {
    return `${version}` === family
      ? { address: host, lookupMs: null, error: null }
      : noAddress(`${host} is an IPv${version} address, expected IPv${family}`, null);
  }
  // A new resolver has no cache.
  const resolver = new dns.Resolver({
    timeout: Math.min(FIRST_TRY_MS, timeoutMs / TRIES),
    tries: TRIES,
  });
  const startMs = performance.now();
  try {
    const addresses =
      family === '4' ? await resolver.resolve4(host) : await resolver.resolve6(host);
    const lookupMs = performance.now() - startMs;
    const [address = null] = addresses;
    return address === null
      ? noAddress(`${host} has no ${QUESTIONS[family]} record`, lookupMs)
      : { address, lookupMs, error: null };
  } catch (error) {
    const lookupMs = performance.now() - startMs;
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    if (code === 'ENODATA')
      return noAddress(`${host} has no ${QUESTIONS[family]} record`, lookupMs);
    const reason = `look-up of ${host} (${QUESTIONS[family]}): ${REASONS[code] ?? `the name server answered ${code}`}`;
    return { address: null, lookupMs, error: { layer: 'dns', code, reason } };
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'there is no such name',
  ESERVFAIL: 'the name server could not answer (SERVFAIL)',
  ETIMEOUT: 'the name server did not answer in time',
  EREFUSED: 'the name server refused to answer',
  ECONNREFUSED: 'no name server could be reached',
};

function noAddress(reason: string, lookupMs: number | null): Lookup {
  return { address: null, lookupMs, error: { layer: 'dns', code: NO_ADDRESS, reason } };
}
