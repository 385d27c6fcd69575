import type { ImportBudget, ImportLimits } from '../limits.ts';
import type { Resource } from '../manifest.ts';
import type { Note } from '../notes.ts';
import type { RecordedExchange, Recording } from '../recording.ts';
import { type Answer, keyOf, keyOfNext, MOST_REDIRECTS, nextOf } from './answer.ts';
import { addBounces } from './bounces.ts';
import { cacheUrl } from './file-url.ts';
import { headerValue } from './header-block.ts';
import { redirectsOut, redirectsToItself, redirectTarget } from './navigation.ts';
import { shown } from './shown.ts';

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
 * One answer to each request of a recording, and the redirects that a first visit gets before it: servers keep no state, so that of several
 * answers they can give only those that differ by what the request carries.
 * @throws ImportError when there are more entries than the limits allow
 */
export function answersOf(
  {
    exchanges,
    documentUrl,
    recordedAt,
  }: Pick<Recording, 'exchanges' | 'documentUrl' | 'recordedAt'>,
  budget: ImportBudget,
): Answers {
  const left: Pick<Answers, 'leftOut' | 'notes'> = { leftOut: new Map(), notes: [] };
  const usable: Answer[] = [];
  for (const [place, exchange] of exchanges.entries()) {
    budget.takeEntry();
    const problem = problemOf(exchange, budget.limits);
    if (problem === null) usable.push(answerOf(exchange, place));
    else leaveOut(left, exchange, problem);
  }
  const byRequest = Map.groupBy(usable, keyOf);
  const best = [...byRequest.values()].map(bestOf).sort((a, b) => a.place - b.place);
  const answers = new Map(best.map((answer) => [keyOf(answer), answer]));
  for (const answer of best.filter((each) => isEndless(each, answers))) {
    answers.delete(keyOf(answer));
    leaveOut(left, answer.exchange, 'its redirects lead in a circle, or on without end');
  }
  const first = answers.get(`GET ${cacheUrl(documentUrl ?? '')}`);
  if (first) addBounces(first, answers, byRequest, recordedAt);
  for (const several of byRequest.values()) leaveOutOthers(left, several);
  return { answers, ...left };
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

function answerOf(exchange: RecordedExchange, place: number): Answer {
  const { method, url } = exchange;
  return {
    exchange,
    place,
    method: method as Resource['method'],
    url: cacheUrl(url) as string,
    target: redirectTarget(exchange),
    bounces: [],
  };
}

/**
 * Of several answers to one request the client's state decided: cookies of a sign-on, an authentication, a retry. The one that
 * succeeded ends all of that, wherever it stands.
 */
function bestOf(several: readonly Answer[]): Answer {
  return several.reduce((best, answer) => (worthOf(answer) > worthOf(best) ? answer : best));
}

function worthOf(answer: Answer): number {
  const { status, body } = answer.exchange;
  if (keyOfNext(answer) === keyOf(answer)) return -1;
  // Some programs record a request of which they missed the response as one with an empty body.
  const worthOfBody = body === null ? 0 : body.length === 0 ? 1 : 2;
  return (status < 300 ? 3 : 0) + worthOfBody;
}

function leaveOutOthers(
  left: Pick<Answers, 'leftOut' | 'notes'>,
  several: readonly Answer[],
): void {
  const best = bestOf(several);
  const replayed = new Set([best, ...best.bounces].map(({ place }) => place));
  for (const { exchange, place } of several) {
    if (replayed.has(place)) continue;
    const { where } = best.exchange;
    if (place < best.place)
      leaveOut(left, exchange, `a later answer to the same URL is kept: ${where}`);
    else
      left.notes.push({
        where: exchange.where,
        text: `skipped, the same URL as an earlier one: ${where}`,
      });
  }
}

function isEndless(first: Answer, answers: ReadonlyMap<string, Answer>): boolean {
  let step: Answer | undefined = first;
  for (let count = 0; step && count <= MOST_REDIRECTS; count += 1) step = nextOf(step, answers);
  return step !== undefined;
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
  // Browsers refuse it of a server that they did not take for a proxy.
  if (status === 407) return "status 407 is a proxy's answer, and loads have no proxy";
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
