import type { Har, HarEntry } from './har.ts';

/** How the main document came. */
interface MainDocument {
  /** The response that was not redirected any more. */
  entry: HarEntry;
  /** The redirects that led to it, first one first. */
  redirects: HarEntry[];
  /**
   * The first connection made for the document or a redirect to it, in ms; null: none was made, so another one was
   * used (the browser had connected before it asked).
   */
  connectMs: number | null;
}

/** The main document of a HAR; null when there is none, as when the browser never asked for it. */
export function mainDocumentOf(har: Har): MainDocument | null {
  const first = har.log.entries.find((entry) => entry._resourceType === 'document');
  if (first === undefined) return null;
  const steps = har.log.entries.filter((entry) => entry._requestId === first._requestId);
  const entry = steps.at(-1) ?? first;
  const connect = steps.find(({ timings }) => timings.connect >= 0)?.timings.connect;
  return { entry, redirects: steps.slice(0, -1), connectMs: connect ?? null };
}
