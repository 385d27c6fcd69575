import type { Resource } from './manifest.ts';

/** How a request found its resource: by its URL, by the most similar query, or not at all. */
export type Match = 'exact' | 'query' | 'none';

type MatchResult = { match: 'exact' | 'query'; resource: Resource } | { match: 'none' };

/** Finds the answer to a request; `path` is the path and query as sent. */
export type Matcher = (method: string, host: string, path: string) => MatchResult;

/** A matcher for a site's resources, by the rules "Matching" in servers/README.md. */
export function matcherOf(resources: readonly Resource[]): Matcher {
  const exact = new Map<string, Resource>();
  const samePath = new Map<string, Candidate[]>();
  for (const resource of resources) {
    const key = `${resource.method} ${resource.url}`;
    const [place, query] = splitAtQuery(key);
    exact.set(key, resource);
    const candidates = samePath.get(place);
    const candidate = { resource, parameters: parametersOf(query) };
    if (candidates) candidates.push(candidate);
    else samePath.set(place, [candidate]);
  }
  return (method, host, path) => {
    const url = `https://${host}${path}`;
    const known = exact.get(`${method} ${url}`);
    if (known) return { match: 'exact', resource: known };
    const [place, query] = splitAtQuery(`${method} ${url}`);
    const candidates = (samePath.get(place) ?? []).filter(
      ({ resource }) => !redirectsTo(resource, host, path),
    );
    const best = findMostSimilar(parametersOf(query), candidates);
    return best ? { match: 'query', resource: best } : { match: 'none' };
  };
}

/** A query split at each `&`, without decoding. */
interface Parameters {
  /** `name=value`, or any other text. */
  pairs: string[];
  /** The text before the first `=` of each. */
  names: string[];
}

interface Candidate {
  resource: Resource;
  parameters: Parameters;
}

function splitAtQuery(url: string): [place: string, query: string] {
  const at = url.indexOf('?');
  return at < 0 ? [url, ''] : [url.slice(0, at), url.slice(at + 1)];
}

function parametersOf(query: string): Parameters {
  const pairs = query.split('&').filter((pair) => pair !== '');
  return { pairs, names: pairs.map((pair) => pair.split('=', 1)[0] as string) };
}

/** Whether a redirect leads to the requested URL itself, which would loop. */
function redirectsTo({ status, headers }: Resource, host: string, path: string): boolean {
  if (status < 300 || status > 399) return false;
  const requested = [path, `//${host}${path}`, `https://${host}${path}`];
  return headers.some(([name, value]) => name === 'location' && requested.includes(value));
}

function findMostSimilar(requested: Parameters, candidates: readonly Candidate[]): Resource | null {
  let best: Resource | null = null;
  let bestLikeness: number[] = [];
  for (const { resource, parameters } of candidates) {
    const likeness = similarityOf(requested, parameters);
    if (best && !isGreater(likeness, bestLikeness)) continue;
    best = resource;
    bestLikeness = likeness;
  }
  return best;
}

/** Criteria by priority; larger is more similar. */
function similarityOf(requested: Parameters, recorded: Parameters): number[] {
  const equalNames = inCommon(requested.names, recorded.names);
  const unlike = requested.names.length + recorded.names.length - 2 * equalNames;
  return [inCommon(requested.pairs, recorded.pairs), equalNames, -unlike];
}

function isGreater(left: readonly number[], right: readonly number[]): boolean {
  const at = left.findIndex((each, index) => each !== right[index]);
  return at >= 0 && (left[at] as number) > (right[at] as number);
}

/** Size of the intersection of two multisets. */
function inCommon(left: readonly string[], right: readonly string[]): number {
  const remaining = [...right];
  return left.filter((each) => {
    const at = remaining.indexOf(each);
    if (at >= 0) remaining.splice(at, 1);
    return at >= 0;
  }).length;
}
