import type { Har, HarEntry } from './har.ts';

interface MainDocument {
  /** The final response, after redirects. */
  entry: HarEntry;
  /** Redirects to the document, in order. */
  redirects: HarEntry[];
  /** Set-up time in ms of the first connection made for the document or its redirects; null: all existed already. */
  connectMs: number | null;
}

/** The main document of a HAR; null: the browser never requested it. */
export function mainDocumentOf(har: Har): MainDocument | null {
  const first = har.log.entries.find((entry) => entry._resourceType === 'document');
  if (first === undefined) return null;
  const steps = har.log.entries.filter((entry) => entry._requestId === first._requestId);
  const entry = steps.at(-1) ?? first;
  const connect = steps.find(({ timings }) => timings.connect >= 0)?.timings.connect;
  return { entry, redirects: steps.slice(0, -1), connectMs: connect ?? null };
}
