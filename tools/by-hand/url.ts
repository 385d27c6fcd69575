import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { isIP } from 'node:net';
import { assertInCache, listSites, siteFolder, sitesFolder } from '../../cache/catalogue.ts';
import {
  DamagedSiteError,
  hostsOf,
  readManifestAlone,
  type SiteManifest,
} from '../../cache/manifest.ts';
import { readHosts } from '../../ground/options/hosts.ts';
import { ServerError, UsageError } from '../../ground/system/errors.ts';

/**
 * Reads the URL of a command line, without its fragment.
 * @param text with or without https://
 * @throws UsageError if it is not valid
 */
export function readUrl(text: string): URL {
  if (text.startsWith('@')) throw new UsageError(`${text}: one URL at a time.`);
  if (/^http:/i.test(text))
    throw new UsageError(`${text}: only https:// is supported, over TLS or QUIC.`);
  readHosts([text]);
  const url = new URL(/^https:/i.test(text) ? text : `https://${text}`);
  if (url.username !== '' || url.password !== '') {
    throw new UsageError(
      `A URL with a user name or password is not supported. Remove them, and add --header 'Authorization: Basic ...'.`,
    );
  }
  url.hash = '';
  return url;
}

/**
 * The cached site that has a URL: the only site with its host, or the only one of these with the URL itself.
 * @param named option value of `--site`; null: not given
 * @throws UsageError if no site matches, or several do
 */
export function siteOfUrl(url: URL, named: string | null, sites = sitesFolder): string {
  if (named !== null) assertInCache([named], sites);
  const inQuestion = named === null ? listSites(sites) : [named];
  const found = inQuestion.flatMap((site) => {
    const manifest = manifestOf(site, named, sites);
    return manifest && hostsOf(manifest).includes(url.host) ? [manifest] : [];
  });
  const exact = found.filter(({ resources }) =>
    resources.some((each) => each.method === 'GET' && each.url === url.href),
  );
  const [first, ...further] = exact.length > 0 ? exact : found;
  if (first === undefined) {
    throw new UsageError(
      `${named === null ? `No site of the cache has` : `The site ${named} does not have`} the host ${url.host}. List the cached sites with \`npm run sites\`, or use the live server: remove --stack.`,
    );
  }
  if (further.length === 0) return first.site;
  const names = [first, ...further].map(({ site }) => site);
  throw new UsageError(
    `${names.length} sites have ${exact.length > 0 ? url.href : `the host ${url.host}`}: ${names.join(', ')}. Choose one with --site SITE.`,
  );
}

/** null: damaged, which is an error only for a named site. */
function manifestOf(site: string, named: string | null, sites: string): SiteManifest | null {
  try {
    return readManifestAlone(siteFolder(site, sites));
  } catch (error) {
    if (error instanceof DamagedSiteError && named === null) return null;
    throw error;
  }
}

/**
 * Addresses of a host, in the order of this machine's resolver.
 * @throws ServerError if it has no address
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
    throw unknown(host, `was not resolved within ${timeoutMs / 1000} s`);
  });
  const found = lookup(host, { all: true }).catch((error: NodeJS.ErrnoException) => {
    throw unknown(host, REASONS[error.code ?? ''] ?? `cannot be resolved (${error.code})`);
  });
  const addresses = await Promise.race([found, late]);
  late.catch(() => {});
  return {
    addresses: addresses.map(({ address }) => address),
    lookupMs: performance.now() - startMs,
  };
}

const REASONS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'does not exist',
  EAI_AGAIN: 'cannot be resolved: no name server answers (EAI_AGAIN)',
};

function unknown(host: string, what: string): ServerError {
  return new ServerError(
    `${host} ${what}. Check its spelling, or give an address with --resolve IP.`,
    host,
  );
}
