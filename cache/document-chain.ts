import type { Resource, SiteManifest } from './manifest.ts';

/** The site's main document, after the redirects that lead to it; each of them was recorded. */
export function documentChainOf({
  url,
  resources,
}: Pick<SiteManifest, 'url' | 'resources'>): Resource[] {
  const recorded = new Map(
    resources.filter(({ method }) => method === 'GET').map((each) => [each.url, each]),
  );
  const found = new Set<Resource>();
  for (let next = recorded.get(url); next && !found.has(next); next = ledTo(next, recorded)) {
    found.add(next);
  }
  return [...found];
}

function ledTo(
  { url, status, headers }: Resource,
  recorded: ReadonlyMap<string, Resource>,
): Resource | undefined {
  if (status < 300 || status > 399) return undefined;
  const location = headers.find(([name]) => name === 'location')?.[1];
  return recorded.get(URL.parse(location ?? '', url)?.href.replace(/#.*/s, '') ?? '');
}
