import { ImportError } from '../import-error.ts';
import type { RecordedExchange, Recording } from '../recording.ts';
import { cacheUrl } from './file-url.ts';

/**
 * A recording as if nothing had been asked for at these URLs.
 * @throws ImportError for a URL that it does not have
 */
export function without(recording: Recording, urls: readonly string[]): Recording {
  const left = new Set(urls.map((url) => cacheUrl(url)));
  const known = new Set(recording.exchanges.map(({ url }) => cacheUrl(url)));
  const unknown = urls.find((url) => cacheUrl(url) === null || !known.has(cacheUrl(url)));
  if (unknown !== undefined) {
    throw new ImportError(
      `--without ${unknown}: the archive has no such request. Expected are whole URLs of it, with commas between.`,
    );
  }
  const kept = recording.exchanges.filter(({ url }) => !left.has(cacheUrl(url)));
  const placeOf = new Map(kept.map((exchange, place) => [exchange, place]));
  const exchanges = kept.map(({ initiator = -1, ...exchange }): RecordedExchange => {
    const asker = recording.exchanges[initiator];
    const place = asker && placeOf.get(asker);
    return place === undefined ? exchange : { ...exchange, initiator: place };
  });
  return { ...recording, exchanges };
}
