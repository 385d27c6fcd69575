import { countText } from '../kit/text/number.ts';
import { cacheUrl } from './importers/file-url.ts';
import type { RequestCounts, SiteManifest } from './manifest.ts';
import type { Recording } from './recording.ts';

/** A site that answers a smaller share of its recorded requests is nearly empty. */
const MIN_ANSWERED_PERCENT = 50;

/**
 * Counts a recording's requests, and those that its site answers: each method and URL once, and each entry that could
 * not be read. Requests that no server gets (`data:` URLs, preflights) do not count.
 * @param answered number of kept methods and URLs
 */
export function recordedRequests(
  { exchanges, notes, unanswered = 0 }: Pick<Recording, 'exchanges' | 'notes' | 'unanswered'>,
  answered: number,
): RequestCounts {
  const requested = new Set(
    exchanges
      .filter(({ method, url }) => /^(GET|POST)$/.test(method) && cacheUrl(url) !== null)
      .map(({ method, url }) => `${method} ${cacheUrl(url)}`),
  );
  const lost = notes.filter((note) => typeof note !== 'string' && note.isLost).length;
  return { recorded: requested.size + lost + unanswered, answered };
}

/** Why a site does not represent its page, as a sentence; null: it does. */
export function nearlyEmpty({ requests }: Pick<SiteManifest, 'requests'>): string | null {
  if (!requests) return null;
  const { recorded, answered } = requests;
  if (answered * 100 >= recorded * MIN_ANSWERED_PERCENT) return null;
  return `the site is nearly empty: its recording has ${countText(recorded)} requests, and replayable answers to only ${countText(answered)} of them. The rest get 404 or are never made, so its load times do not represent the page. Record it again.`;
}
