import type { Resource, SiteManifest } from './manifest.ts';

function bouncesOf({ url, method, type, bounces = [] }: Resource): Resource[] {
  return bounces.map(({ cookie: _, ...sent }) => ({
    url,
    method,
    type,
    ...sent,
    body: null,
    contentEncoding: null,
    wireBytes: 0,
    decodedBytes: 0,
    sha256: null,
  }));
}

/** Selects a resource's answer by the request's Cookie header: the rule "Bounces" in servers/README.md. */
export function answerTo(resource: Resource, cookies: string | undefined): Resource {
  const carried = cookies?.split(/; */) ?? [];
  const lacks = ({ cookie }: { cookie: string }) =>
    !carried.some((pair) => pair.startsWith(`${cookie}=`));
  return bouncesOf(resource)[resource.bounces?.findIndex(lacks) ?? -1] ?? resource;
}

interface ResourceAnswer {
  resource: Resource;
  cookies: string | null;
}

/** All answers of a site in the order of a first visit, which begins with the bounces. */
export function answersInOrder(resources: readonly Resource[]): ResourceAnswer[] {
  const bounces: ResourceAnswer[] = [];
  const final: ResourceAnswer[] = [];
  for (const resource of resources) {
    const names: string[] = [];
    const withCookies = (answer: Resource) => ({
      resource: answer,
      cookies: names.join('; ') || null,
    });
    for (const [index, bounce] of bouncesOf(resource).entries()) {
      bounces.push(withCookies(bounce));
      names.push(`${resource.bounces?.[index]?.cookie}=`);
    }
    final.push(withCookies(resource));
  }
  return [...bounces, ...final];
}

/** The site's main document, after its redirects and their bounces. */
export function documentChainOf({
  url,
  resources,
}: Pick<SiteManifest, 'url' | 'resources'>): Resource[] {
  const recorded = new Map(
    resources.filter(({ method }) => method === 'GET').map((each) => [each.url, each]),
  );
  const found = new Set<Resource>();
  const follow = (first: Resource | undefined): void => {
    for (let next = first; next && !found.has(next); next = redirectTarget(next, recorded)) {
      found.add(next);
      for (const bounce of bouncesOf(next)) follow(redirectTarget(bounce, recorded));
      // Moves the step behind the redirect that leads back to it.
      found.delete(next);
      found.add(next);
    }
  };
  follow(recorded.get(url));
  return [...found];
}

function redirectTarget(
  { url, status, headers }: Resource,
  recorded: ReadonlyMap<string, Resource>,
): Resource | undefined {
  if (status < 300 || status > 399) return undefined;
  const location = headers.find(([name]) => name === 'location')?.[1];
  return recorded.get(URL.parse(location ?? '', url)?.href.replace(/#.*/s, '') ?? '');
}
