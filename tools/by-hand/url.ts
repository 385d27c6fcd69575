import { assertInCache, listSites, siteFolder, sitesFolder } from '../../cache/catalogue.ts';
import type { SiteManifest } from '../../cache/manifest.ts';
import { DamagedSiteError, hostsOf, readManifestAlone } from '../../cache/manifest.ts';
import { readHosts } from '../../ground/options/hosts.ts';
import { UsageError } from '../../ground/system/errors.ts';

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
