import type { Resource, SiteManifest } from '../cache/manifest.ts';
import type { AskedNetwork, PathCounts } from '../records/network.ts';
import type { Outcome, Protocol } from '../records/page-load.ts';
import { isAnswered } from './har/answered.ts';
import type { Har, HarEntry } from './har/har.ts';
import { mainDocumentOf } from './har/main-document.ts';

/** Whether a load counts, and why not. */
export interface Judgement {
  outcome: Outcome;
  code: string | null;
  message: string | null;
}

/** What the path was asked to do to a load, and what it did. */
export interface PathUse {
  asked: AskedNetwork;
  counts: PathCounts;
}

/** A load that came to its load event is held against what was planned: the stack's protocol, the recorded page, the path. */
export function judge(
  har: Har,
  manifest: SiteManifest,
  protocol: Protocol,
  pathUse: PathUse,
): Judgement {
  const problem =
    pathDisturbed(pathUse) ??
    wrongProtocol(har, protocol) ??
    noHandshake(har) ??
    wrongStatus(har, manifest) ??
    requestFailed(har, manifest) ??
    (manifest.complete ? requestSetDiffers(har, manifest) : null);
  if (problem) return { outcome: 'invalid', ...problem };
  return { outcome: 'ok', code: null, message: null };
}

type Problem = Pick<Judgement, 'code' | 'message'>;

function pathDisturbed({ asked, counts }: PathUse): Problem | null {
  const { toServer, toClient } = counts;
  const lossAsked = asked.lossPercent > 0 || asked.burstLoss !== null;
  // A limited rate has a queue that may well run over; without one nothing may be dropped.
  const dropped =
    (asked.upKbps === null ? toServer.queueDrops : 0) +
    (asked.downKbps === null ? toClient.queueDrops : 0);
  const lost = lossAsked ? 0 : toServer.lost + toClient.lost;
  if (dropped + lost === 0) return null;
  return {
    code: 'path-disturbed',
    message: `The path dropped ${dropped} packets and lost ${lost} that nobody asked it to.`,
  };
}

function wrongProtocol(har: Har, protocol: Protocol): Problem | null {
  const other = answered(har).filter((entry) => entry.response.httpVersion !== protocol);
  const [first] = other;
  if (!first) return null;
  return {
    code: 'wrong-protocol',
    message: `${other.length} of ${answered(har).length} responses did not come by ${protocol}: ${first.request.url} came by ${first.response.httpVersion}.`,
  };
}

function noHandshake(har: Har): Problem | null {
  // A connection opened ahead of the request, or kept from before, has no connect phase.
  const connectMs = mainDocumentOf(har)?.connectMs ?? null;
  if (connectMs !== null && connectMs > 0) return null;
  return {
    code: 'no-handshake',
    message: `The main document's request shows no connection set-up (connect: ${connectMs ?? 'none'}).`,
  };
}

function wrongStatus(har: Har, manifest: SiteManifest): Problem | null {
  const recorded = new Map(manifest.resources.map((resource) => [keyOf(resource), resource]));
  const other = answered(har).filter((entry) => {
    const resource = recorded.get(keyOf(entry.request));
    return resource !== undefined && resource.status !== entry.response.status;
  });
  const [first] = other;
  if (!first) return null;
  return {
    code: 'wrong-status',
    message: `${other.length} responses have another status than recorded: ${first.request.url} has ${first.response.status}, recorded is ${recorded.get(keyOf(first.request))?.status}.`,
  };
}

function requestFailed(har: Har, manifest: SiteManifest): Problem | null {
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

function requestSetDiffers(har: Har, manifest: SiteManifest): Problem | null {
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

/** Everything that came with a status, whole or not. */
function answered(har: Har): HarEntry[] {
  return har.log.entries.filter((entry) => entry.response.status > 0);
}

function keyOf({ method, url }: Pick<Resource, 'url'> & { method: string }): string {
  return `${method} ${url.replace(/#.*$/, '')}`;
}

// Chromium asks for it some time after the load event: a matter of chance whether a load sees it.
function isNoFavicon(key: string): boolean {
  return !/^GET https:\/\/[^/]+\/favicon\.ico$/.test(key);
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
