import { livePageError } from '../../clients/chromium/live-page-error.ts';
import { experimentOf } from '../../experiments/index.ts';
import { firstNames } from '../../ground/first-names.ts';
import { quicHostOf, quicHostText } from '../../ground/records/quic-host.ts';
import type { PlannedSubject, PlanRecord, Trial } from '../../ground/records/run.ts';
import { durationText } from '../../kit/text/about-duration.ts';
import { bytesText, countWithNoun } from '../../kit/text/number.ts';
import type { FirstVisit } from './first-visit.ts';

/**
 * Announces what the run will send, and where to, as sentences.
 * @param left planned loads that are still to be made
 * @param maxMs no load begins after this time; null: unlimited
 */
export function livePageSentences(
  {
    subjects,
    arms,
    experiment,
    choices,
  }: Pick<PlanRecord, 'subjects' | 'arms' | 'choices' | 'experiment'>,
  left: readonly Pick<Trial, 'subject'>[],
  maxMs: number | null,
): string[] {
  const { planning } = experimentOf({ experiment });
  const pauseMs = planning?.live?.pauseMs?.(choices) ?? null;
  if (pauseMs === null) return [];
  const named = new Set(left.map(({ subject }) => subject));
  const urls = subjects.filter(({ subject }) => named.has(subject)).map(({ url }) => url);
  const allMs = (urls.length + left.length) * (planning?.expectedMs?.(choices) ?? pauseMs);
  const [only, ...rest] = arms.map(({ label }) => label);
  return [
    `Loads ${urls.join(', ')} from this machine over its own network, including everything that ${urls.length === 1 ? 'the page requests' : 'these pages request'} from further hosts: ${countWithNoun(urls.length + left.length, 'load')} at most (one first visit of each page, then ${left.length} by ${[only, ...rest].join(', ')}${rest.length > 0 ? ' in turn' : ''}), one at a time, those from one host at least ${pauseMs / 1000} s apart. That takes up to ${durationText(maxMs ?? allMs)}. The User-Agent is Chromium’s own. Ctrl-C ends it.`,
    ...(rest.length > 0
      ? []
      : [`${only} is compared with nothing: add another HTTP version to --via.`]),
  ];
}

/** Result of a first visit: what a load sends, where to, and by which HTTP version. */
export function firstVisitSentences(
  { subject, url: plannedUrl }: Pick<PlannedSubject, 'subject' | 'url'>,
  { failure, url, hosts, quicHosts, withoutQuic }: FirstVisit,
): string[] {
  const problem = failure && livePageError(plannedUrl, { failure, document: null });
  if (problem) return [`${subject}: the first visit failed. ${problem.message}`];
  const host = quicHostOf(url);
  const sums = (names: Iterable<string>) => {
    const own = [...names].flatMap((name) => hosts.get(name) ?? []);
    const requests = own.reduce((sum, each) => sum + each.requests, 0);
    const bytes = own.reduce((sum, each) => sum + each.bytes, 0);
    return `${countWithNoun(requests, 'request')}, ${bytesText(bytes)}`;
  };
  const rest = Object.keys(withoutQuic).filter((name) => name !== host);
  const without = withoutQuic[host];
  return [
    ...(host === quicHostOf(plannedUrl)
      ? []
      : [`${subject} redirects to ${url}: that host counts.`]),
    `${subject}: a load is ${sums(hosts.keys())}, to ${countWithNoun(hosts.size, 'host')}: ${namesOf([...hosts.keys()])}. HTTP/3 is spoken by ${quicHosts.length} of ${hosts.size}${quicHosts.length === 0 ? '' : ` (${sums(quicHosts)})`}.${rest.length === 0 ? '' : ` Every load requests ${namesOf(rest)} over TCP.`}`,
    ...(without === undefined
      ? []
      : [
          `${subject}: ${host} made no connection over HTTP/3 (${without}), so it is not loaded over HTTP/3.`,
        ]),
  ];
}

function namesOf(origins: readonly string[]): string {
  return firstNames(origins.map(quicHostText));
}
