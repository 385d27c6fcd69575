import { isAnswered } from '../har/answered.ts';
import type { HarEntry } from '../har/har.ts';
import type { Expected, Observed, Problem } from './judge.ts';
import { answered, isNoFavicon, keyOf } from './requests.ts';

/** A response by another protocol than the stack's. */
export function wrongProtocol({ har }: Observed, { protocol }: Expected): Problem | null {
  // A cache tells the protocol by which a response once came.
  const came = answered(har).filter((entry) => entry._fromCache === undefined);
  const other = came.filter((entry) => entry.response.httpVersion !== protocol);
  const [first] = other;
  if (!first) return null;
  return {
    code: 'wrong-protocol',
    message: `${other.length} of ${came.length} responses did not come by ${protocol}: ${first.request.url} came by ${first.response.httpVersion}.`,
  };
}

/** A response with another status than recorded. */
export function wrongStatus({ har }: Observed, { manifest }: Expected): Problem | null {
  const recorded = new Map(manifest.resources.map((resource) => [keyOf(resource), resource]));
  const other = answered(har).filter((entry) => {
    const resource = recorded.get(keyOf(entry.request));
    return (
      resource !== undefined &&
      resource.status !== entry.response.status &&
      !asksForLess(entry, resource.status) &&
      !isServiceWorker(entry)
    );
  });
  const [first] = other;
  if (!first) return null;
  return {
    code: 'wrong-status',
    message: `${other.length} responses have another status than recorded: ${first.request.url} has ${first.response.status}, recorded is ${recorded.get(keyOf(first.request))?.status}.`,
  };
}

/** Servers refuse service workers on purpose: one would stand between the page and them. */
function isServiceWorker({ request }: HarEntry): boolean {
  return request.headers.some(({ name }) => name.toLowerCase() === 'service-worker');
}

/** Whether the browser asked for a part, or for news only, and got what it asked for. */
function asksForLess({ request, response }: HarEntry, recordedStatus: number): boolean {
  if (recordedStatus !== 200) return false;
  const names = new Set(request.headers.map(({ name }) => name.toLowerCase()));
  if (response.status === 304) return names.has('if-none-match') || names.has('if-modified-since');
  return (response.status === 206 || response.status === 416) && names.has('range');
}

/** A recorded resource that did not come, or broke off. */
export function requestFailed({ har }: Observed, { manifest }: Expected): Problem | null {
  const recorded = new Set(manifest.resources.map(keyOf).filter(isNoFavicon));
  const failed = har.log.entries.filter((entry) => {
    // A page may well give up a request by itself; a generated one or one known completely does not.
    const givenUp = !manifest.complete && entry.response._error === 'net::ERR_ABORTED';
    return recorded.has(keyOf(entry.request)) && !isAnswered(entry) && !givenUp;
  });
  const [first] = failed;
  if (!first) return null;
  return {
    code: 'request-failed',
    message: `${failed.length} recorded resources did not come, or not wholly: ${first.request.url} (${first.response._error ?? 'no response'}).`,
  };
}

/** Other requests than the recorded ones, of a page that is known completely. */
export function requestSetDiffers({ har }: Observed, { manifest }: Expected): Problem | null {
  if (!manifest.complete) return null;
  const recorded = manifest.resources.map(keyOf).filter(isNoFavicon).sort();
  const loaded = har.log.entries
    .map((entry) => keyOf(entry.request))
    .filter(isNoFavicon)
    .sort();
  if (recorded.join('\n') === loaded.join('\n')) return null;
  const missing = without(recorded, loaded);
  const extra = without(loaded, recorded);
  return {
    code: 'request-set-differs',
    message: `The page asks for ${recorded.length} resources, the load for ${loaded.length}; missing: ${some(missing)}; extra: ${some(extra)}.`,
  };
}

/** What is in a list but not in the other, each as often as it is there too often. */
function without(list: readonly string[], other: readonly string[]): string[] {
  const left = [...other];
  return list.filter((each) => {
    const at = left.indexOf(each);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

function some(list: readonly string[]): string {
  if (list.length === 0) return 'none';
  return list.length <= 2
    ? list.join(', ')
    : `${list.slice(0, 2).join(', ')} and ${list.length - 2} more`;
}
