import type { ImportBudget, ImportLimits } from '../limits.ts';
import type { Resource } from '../manifest.ts';
import type { Note } from '../notes.ts';
import type { RecordedExchange, Recording } from '../recording.ts';
import { cacheUrl } from './file-url.ts';
import { headerValue } from './header-block.ts';
import { redirectsOut, redirectsToItself, redirectTarget } from './navigation.ts';
import { shown } from './shown.ts';

/** A response that can be given to a browser that asks for the first time. */
export interface Answer {
  exchange: RecordedExchange;
  /** Place in the recording. */
  place: number;
  method: Resource['method'];
  /** As in the cache. */
  url: string;
  /** Where it redirects to, as in the cache; null: nowhere. */
  target: string | null;
}

/** What of a recording can be replayed. */
export interface Answers {
  /** By method and URL, one each, in the order of the recording. */
  answers: Map<string, Answer>;
  /** Why responses of these URLs are left out. */
  leftOut: Map<string, string>;
  /** The same for people. */
  notes: Note[];
}

/**
 * One answer to each request of a recording: servers keep no state, so that of several they can give only one.
 * @throws ImportError when there are more entries than the limits allow
 */
export function answersOf(
  { exchanges }: Pick<Recording, 'exchanges'>,
  budget: ImportBudget,
): Answers {
  const found: Answers = { answers: new Map(), leftOut: new Map(), notes: [] };
  for (const [place, exchange] of exchanges.entries()) {
    budget.takeEntry();
    const problem = problemOf(exchange, budget.limits);
    if (problem === null) takeBest(found, answerOf(exchange, place));
    else leaveOut(found, exchange, problem);
  }
  for (const answer of [...found.answers.values()].filter((each) => isEndless(each, found))) {
    found.answers.delete(keyOf(answer));
    leaveOut(found, answer.exchange, 'its redirects lead in a circle, or on without end');
  }
  return found;
}

/** Leaves a response out, and says why. */
export function leaveOut(
  { leftOut, notes }: Pick<Answers, 'leftOut' | 'notes'>,
  { url, where }: RecordedExchange,
  reason: string,
): void {
  leftOut.set(cacheUrl(url) ?? '', reason);
  notes.push({ where, text: `skipped, ${reason}` });
}

/** What a navigation gets: redirects, then the document. It ends in a redirect where the recording lacks what that leads to. */
export function stepsFrom<A extends Answer>(first: A, answers: ReadonlyMap<string, A>): A[] {
  const steps: A[] = [];
  for (let step: A | undefined = first; step; step = nextOf(step, answers)) steps.push(step);
  return steps;
}

/** What a request is known by. */
export function keyOf({ method, url }: Pick<Resource, 'method' | 'url'>): string {
  return `${method} ${url}`;
}

function answerOf(exchange: RecordedExchange, place: number): Answer {
  const { method, url } = exchange;
  return {
    exchange,
    place,
    method: method as Resource['method'],
    url: cacheUrl(url) as string,
    target: redirectTarget(exchange),
  };
}

/**
 * Of several answers to one request the client's state decided: cookies of a sign-on, an authentication, a retry. The one that
 * succeeded ends all of that, wherever it stands.
 */
function takeBest({ answers, leftOut, notes }: Answers, answer: Answer): void {
  const key = keyOf(answer);
  const earlier = answers.get(key);
  const { where } = answer.exchange;
  if (earlier && worthOf(earlier) >= worthOf(answer)) {
    notes.push({
      where,
      text: `skipped, the same URL as an earlier one: ${earlier.exchange.where}`,
    });
    return;
  }
  if (earlier) {
    leaveOut(
      { leftOut, notes },
      earlier.exchange,
      `a later answer to the same URL is kept: ${where}`,
    );
    // What came later stands later.
    answers.delete(key);
  }
  answers.set(key, answer);
}

function worthOf({ exchange: { status, body } }: Answer): number {
  return (status < 300 ? 2 : 0) + (body === null ? 0 : 1);
}

/** Chromium follows this many redirects, then gives up. */
const MOST_REDIRECTS = 20;

function isEndless(answer: Answer, { answers }: Answers): boolean {
  let step: Answer | undefined = answer;
  for (let count = 0; step && count <= MOST_REDIRECTS; count += 1) step = nextOf(step, answers);
  return step !== undefined;
}

function nextOf<A extends Answer>(
  { method, target, exchange: { status } }: A,
  answers: ReadonlyMap<string, A>,
): A | undefined {
  if (target === null) return undefined;
  // The other statuses have a form's answer asked for with GET.
  const same = status === 307 || status === 308;
  return answers.get(keyOf({ method: same ? method : 'GET', url: target }));
}

/** Why an exchange is no answer that could be replayed; null: it is one. */
function problemOf(exchange: RecordedExchange, limits: Readonly<ImportLimits>): string | null {
  const { method, url, status, failure, headers } = exchange;
  if (url.length > limits.urlLength) {
    return `its URL is too long: ${url.length} characters, at most ${limits.urlLength} are imported`;
  }
  if (cacheUrl(url) === null) return 'not a web address that can be served';
  if (method !== 'GET' && method !== 'POST') return 'only GET and POST are replayed';
  if (failure !== undefined) return `it failed in the browser: ${shown(failure, 80)}`;
  if (status === 0) return 'it had no response';
  const isFinal = Number.isInteger(status) && status >= 200 && status <= 599 && status !== 304;
  if (!isFinal || (status === 206 && exchange.body !== null && !isWholeRange(exchange))) {
    return `status ${status} is no answer to a first request for the whole resource`;
  }
  if (headers.length > limits.headers) {
    return `it has more than ${limits.headers} headers`;
  }
  const headerBytes = headers.reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  if (headerBytes > limits.headerBytes) {
    return `its headers are too long: ${headerBytes} bytes, at most ${limits.headerBytes} are imported`;
  }
  if (redirectsToItself(exchange)) {
    return 'it redirects from http to https, and all URLs are https here';
  }
  const out = redirectsOut(exchange);
  if (out === null) return null;
  return `it redirects to no web address that can be served: ${shown(out, 80)}`;
}

/** Whether a 206 holds the whole resource, as answers to `Range: bytes=0-` do (media elements ask so). */
function isWholeRange({ headers, body }: RecordedExchange): boolean {
  const range = headerValue(headers, 'content-range') ?? '';
  const [, last, size] = /^bytes 0-(\d+)\/(\d+)$/.exec(range.trim()) ?? [];
  return last !== undefined && Number(last) + 1 === Number(size) && body?.length === Number(size);
}
