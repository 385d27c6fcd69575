import { countText } from '../kit/text/number.ts';
import { cacheUrl } from './importers/file-url.ts';
import type { RequestCounts, SiteManifest } from './manifest.ts';
import type { Recording } from './recording.ts';

/** A site that answers less than this share of what its recording asked for is nearly empty. */
const MIN_ANSWERED_PERCENT = 50;

/**
 * How many requests a recording has, and how many of them its site answers: each method and URL once, and each entry that could
 * not be read. What no server of the site is asked (`data:` URLs, preflights) does not count.
 * @param answered how many methods and URLs are kept
 */
export function recordedRequests(
  { exchanges, notes, unanswered = 0 }: Pick<Recording, 'exchanges' | 'notes' | 'unanswered'>,
  answered: number,
): RequestCounts {
  const asked = new Set(
    exchanges
      .filter(({ method, url }) => /^(GET|POST)$/.test(method) && cacheUrl(url) !== null)
      .map(({ method, url }) => `${method} ${cacheUrl(url)}`),
  );
  const lost = notes.filter((note) => typeof note !== 'string' && note.isLost).length;
  return { recorded: asked.size + lost + unanswered, answered };
}

/** Why a site says little about the page that it was, as a sentence; null: it does not. */
export function nearlyEmpty({ requests }: Pick<SiteManifest, 'requests'>): string | null {
  if (!requests) return null;
  const { recorded, answered } = requests;
  if (answered * 100 >= recorded * MIN_ANSWERED_PERCENT) return null;
  return `the site is nearly empty: its recording has ${countText(recorded)} requests, and answers that can be replayed to only ${countText(answered)} of them. The others are answered 404 or never made, so its load times say little about the page. Record it anew.`;
}
