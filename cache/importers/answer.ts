import type { Resource } from '../manifest.ts';
import type { RecordedExchange } from '../recording.ts';

/** A response that can be given to a browser. */
export interface Answer {
  exchange: RecordedExchange;
  /** Place in the recording. */
  place: number;
  method: Resource['method'];
  /** As in the cache. */
  url: string;
  /** Where it redirects to, as in the cache; null: nowhere. */
  target: string | null;
  /** What the same request gets before, in this order. */
  bounces: readonly BounceAnswer[];
}

/** A redirect that a request gets which does not carry the cookie of this name. */
export interface BounceAnswer extends Answer {
  cookie: string;
}

/** Chromium follows this many redirects, then gives up. */
export const MOST_REDIRECTS = 20;

/** What a request is known by. */
export function keyOf({ method, url }: Pick<Resource, 'method' | 'url'>): string {
  return `${method} ${url}`;
}

/** The request to which a redirect leads; null: it is none. */
export function keyOfNext({ method, target, exchange: { status } }: Answer): string | null {
  if (target === null) return null;
  // The other statuses have a form's answer asked for with GET.
  const same = status === 307 || status === 308;
  return keyOf({ method: same ? method : 'GET', url: target });
}

/** What a redirect leads to; undefined: it is none, or the recording lacks that. */
export function nextOf<A extends Answer>(
  answer: Answer,
  answers: ReadonlyMap<string, A>,
): A | undefined {
  return answers.get(keyOfNext(answer) ?? '');
}

/**
 * What a navigation gets: redirects, then the document; an answer with bounces stands once for each of them too. It ends in a redirect
 * where the recording lacks what that leads to.
 */
export function stepsFrom<A extends Answer>(first: A, answers: ReadonlyMap<string, A>): A[] {
  const steps: A[] = [];
  for (let step: A | undefined = first; step; step = nextOf(step, answers)) {
    for (const bounce of step.bounces) steps.push(step, ...wayBack(bounce, step, answers));
    steps.push(step);
  }
  return steps;
}

function wayBack<A extends Answer>(from: Answer, to: A, answers: ReadonlyMap<string, A>): A[] {
  const way: A[] = [];
  for (let step = nextOf(from, answers); step && step !== to; step = nextOf(step, answers)) {
    way.push(step);
  }
  return way;
}
