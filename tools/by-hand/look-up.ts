import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { isIP } from 'node:net';
import { ServerError } from '../../ground/system/errors.ts';

/**
 * The addresses of a host, in the order in which this machine would try them.
 * @throws ServerError when it has none
 */
export async function lookUp(
  host: string,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<{ addresses: string[]; lookupMs: number | null }> {
  if (isIP(host) !== 0) return { addresses: [host], lookupMs: null };
  const startMs = performance.now();
  const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  const late = once(limit, 'abort').then(() => {
    signal.throwIfAborted();
    throw unknown(host, `was not looked up within ${timeoutMs / 1000} s`);
  });
  const found = lookup(host, { all: true }).catch((error: NodeJS.ErrnoException) => {
    throw unknown(host, REASONS[error.code ?? ''] ?? `cannot be looked up (${error.code})`);
  });
  const addresses = await Promise.race([found, late]);
  late.catch(() => {});
  return {
    addresses: addresses.map(({ address }) => address),
    lookupMs: performance.now() - startMs,
  };
}

const REASONS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'has no address: there is no such name',
  EAI_AGAIN: 'cannot be looked up now: no name server answers (EAI_AGAIN)',
};

function unknown(host: string, what: string): ServerError {
  return new ServerError(
    `${host} ${what}. Look at its spelling; --resolve IP asks an address whatever the name.`,
    host,
  );
}
