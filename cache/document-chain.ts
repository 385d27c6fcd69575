import type { Resource, SiteManifest } from './manifest.ts';
import { bouncesOf } from './resource-answers.ts';

/** The site's main document, after the redirects that lead to it and its bounces to it; each of them was recorded. */
export function documentChainOf({
  url,
  resources,
}: Pick<SiteManifest, 'url' | 'resources'>): Resource[] {
  const recorded = new Map(
    resources.filter(({ method }) => method === 'GET').map((each) => [each.url, each]),
  );
  const found = new Set<Resource>();
  const follow = (first: Resource | undefined): void => {
    for (let next = first; next && !found.has(next); next = ledTo(next, recorded)) {
      found.add(next);
      for (const bounce of bouncesOf(next)) follow(ledTo(bounce, recorded));
      // It comes after what leads back to it.
      found.delete(next);
      found.add(next);
    }
  };
  follow(recorded.get(url));
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
