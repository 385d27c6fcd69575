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
 * The URL that a command line names, without its fragment.
 * @param text with or without https://
 * @throws UsageError when it names none
 */
export function readUrl(text: string): URL {
  if (text.startsWith('@')) throw new UsageError(`${text}: one URL at a time.`);
  if (/^http:/i.test(text))
    throw new UsageError(`${text}: only https:// is asked for, by TLS or QUIC.`);
  readHosts([text]);
  const url = new URL(/^https:/i.test(text) ? text : `https://${text}`);
  if (url.username !== '' || url.password !== '') {
    throw new UsageError(
      `A URL with a user name or password is not asked for. Give it without, and --header 'Authorization: Basic ...' beside it.`,
    );
  }
  url.hash = '';
  return url;
}

/**
 * The site of the cache that has a URL: the only one that has its host, or the only one of these that has the URL itself.
 * @param named what `--site` says; null: nothing
 * @throws UsageError when there is none, or several
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
  const [first, ...others] = exact.length > 0 ? exact : found;
  if (first === undefined) {
    throw new UsageError(
      `${named === null ? `No site of the cache has` : `The site ${named} does not have`} the host ${url.host}. \`npm run sites\` lists what the cache has; without --stack the live server is asked.`,
    );
  }
  if (others.length === 0) return first.site;
  const names = [first, ...others].map(({ site }) => site);
  throw new UsageError(
    `${names.length} sites have ${exact.length > 0 ? url.href : `the host ${url.host}`}: ${names.join(', ')}. Say which one by --site SITE.`,
  );
}

/** null: damaged, which is no matter of who asks for another one. */
function manifestOf(site: string, named: string | null, sites: string): SiteManifest | null {
  try {
    return readManifestAlone(siteFolder(site, sites));
  } catch (error) {
    if (error instanceof DamagedSiteError && named === null) return null;
    throw error;
  }
}

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
