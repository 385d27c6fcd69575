import { livePageError } from '../../clients/chromium/live-page-error.ts';
import { experimentOf } from '../../experiments/index.ts';
import { quicHostOf, quicHostText } from '../../ground/records/quic-host.ts';
import type { PlannedSubject, PlanRecord, Trial } from '../../ground/records/run.ts';
import { durationText } from '../../kit/text/about-duration.ts';
import { bytesText, countWithNoun } from '../../kit/text/number.ts';
import type { FirstVisit } from './first-visit.ts';

/**
 * What will be sent to whom, before anything is: sentences.
 * @param left the loads of the plan that are still to be made
 * @param maxMs after which no load is begun any more; null: all of them are made
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
  const [only, ...others] = arms.map(({ label }) => label);
  return [
    `Loads ${urls.join(', ')} from this machine over its own network, with all that ${urls.length === 1 ? 'the page asks' : 'these pages ask'} other hosts for: ${countWithNoun(urls.length + left.length, 'load')} at most (one first visit of each page, then ${left.length} by ${[only, ...others].join(', ')}${others.length > 0 ? ' in turn' : ''}), one at a time, those from one host at least ${pauseMs / 1000} s apart. That takes up to ${durationText(maxMs ?? allMs)}. The User-Agent is Chromium’s own. Ctrl-C ends it.`,
    ...(others.length > 0
      ? []
      : [`${only} alone is compared with nothing: name another version of HTTP in --via as well.`]),
  ];
}

/** What a first visit has shown of a page: what a load sends to whom, and by what. */
export function firstVisitSentences(
  { subject, url: asked }: Pick<PlannedSubject, 'subject' | 'url'>,
  { failure, url, hosts, quicHosts, withoutQuic }: FirstVisit,
): string[] {
  const problem = failure && livePageError(asked, { failure, document: null });
  if (problem) return [`${subject}: the first visit failed. ${problem.message}`];
  const host = quicHostOf(url);
  const sums = (names: Iterable<string>) => {
    const own = [...names].flatMap((name) => hosts.get(name) ?? []);
    const requests = own.reduce((sum, each) => sum + each.requests, 0);
    const bytes = own.reduce((sum, each) => sum + each.bytes, 0);
    return `${countWithNoun(requests, 'request')}, ${bytesText(bytes)}`;
  };
  const others = Object.keys(withoutQuic).filter((name) => name !== host);
  const without = withoutQuic[host];
  return [
    ...(host === quicHostOf(asked)
      ? []
      : [`${subject} redirects to ${url}: that host is the one that counts.`]),
    `${subject}: a load is ${sums(hosts.keys())}, to ${countWithNoun(hosts.size, 'host')}: ${namesOf([...hosts.keys()])}. HTTP/3 is spoken by ${quicHosts.length} of ${hosts.size}${quicHosts.length === 0 ? '' : ` (${sums(quicHosts)})`}.${others.length === 0 ? '' : ` ${namesOf(others)} will be asked over TCP in every load.`}`,
    ...(without === undefined
      ? []
      : [
          `${subject}: ${host} made no connection by HTTP/3 (${without}), so that it is not loaded by it.`,
        ]),
  ];
}

const MAX_NAMES = 8;

function namesOf(origins: readonly string[]): string {
  const names = origins.slice(0, MAX_NAMES).map(quicHostText);
  const more = origins.length - names.length;
  return `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
