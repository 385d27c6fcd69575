import type { Resource } from './manifest.ts';

/** The bounces of a resource in their order, each as the resource that it takes the place of. */
export function bouncesOf({ url, method, type, bounces = [] }: Resource): Resource[] {
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

/** What a request that finds a resource gets of it, by its Cookie header: the rule "Bounces" in servers/README.md. */
export function answerTo(resource: Resource, cookies: string | undefined): Resource {
  const carried = cookies?.split(/; */) ?? [];
  const lacks = ({ cookie }: { cookie: string }) =>
    !carried.some((pair) => pair.startsWith(`${cookie}=`));
  return bouncesOf(resource)[resource.bounces?.findIndex(lacks) ?? -1] ?? resource;
}

/** An answer with the Cookie header, without values, that tells its request from others of the same URL; null: it needs none. */
interface AskedAnswer {
  resource: Resource;
  cookies: string | null;
}

/** Everything that a site answers in the order of a first visit, which begins with the bounces. */
export function answersInOrder(resources: readonly Resource[]): AskedAnswer[] {
  const bounces: AskedAnswer[] = [];
  const others: AskedAnswer[] = [];
  for (const resource of resources) {
    const names: string[] = [];
    const asked = (answer: Resource) => ({ resource: answer, cookies: names.join('; ') || null });
    for (const [index, bounce] of bouncesOf(resource).entries()) {
      bounces.push(asked(bounce));
      names.push(`${resource.bounces?.[index]?.cookie}=`);
    }
    others.push(asked(resource));
  }
  return [...bounces, ...others];
}
