import { promises as dns } from 'node:dns';
import { isIP } from 'node:net';
import type { FailureReason } from '../../ground/records/connection-attempt.ts';

/** What a name server said of a host, in one family of addresses. */
export interface Lookup {
  /** null: it has none. */
  address: string | null;
  /** How long it took; null: it is an address already, nobody was asked. */
  lookupMs: number | null;
  error: FailureReason | null;
}

const QUESTIONS = { '4': 'A', '6': 'AAAA' } as const;

export type IpVersion = keyof typeof QUESTIONS;

/** The host has no address of that family: it cannot be asked so, which is no failure of it. */
export const NO_ADDRESS = 'no-address';

/** Every block looks names up once, whatever asks first, and all of its attempts share the answer. */
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

/** A datagram may be lost; as long as the C library waits. */
const FIRST_TRY_MS = 5_000;
const TRIES = 2;

/** Asks the machine's name server for the first address of a host, past every cache of this machine's programs. */
async function lookUp(host: string, family: IpVersion, timeoutMs: number): Promise<Lookup> {
  const version = isIP(host);
  if (version !== 0) {
    return `${version}` === family
      ? { address: host, lookupMs: null, error: null }
      : noAddress(`${host} is an IPv${version} address, and IPv${family} was asked for`, null);
  }
  // A resolver of its own keeps nothing of earlier answers.
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
    const reason = `the name ${host} was looked up (${QUESTIONS[family]}), and ${REASONS[code] ?? `the name server answered ${code}`}`;
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
