import type { RecordedExchange } from '../../recording.ts';
import { cacheUrl } from '../file-url.ts';
import { below, listOf, textOf } from '../json.ts';
import { redirectTarget } from '../navigation.ts';

/**
 * Gives exchanges the place of what asked for them: the redirect that led to them, else the document, stylesheet or script
 * that `_initiator` names (Chromium's DevTools, and tools that write its fields).
 * @param entries the entries that the exchanges were made of, in the same order
 */
export function addInitiators(exchanges: RecordedExchange[], entries: unknown[]): void {
  const placeOf = new Map<string, number>();
  const redirectTo = new Map<string, number>();
  for (const [index, exchange] of exchanges.entries()) {
    const url = cacheUrl(exchange.url);
    if (url === null) continue;
    const redirect = redirectTo.get(url);
    const initiator = redirect ?? placeOf.get(cacheUrl(initiatorUrl(entries[index]) ?? '') ?? '');
    if (initiator !== undefined) exchange.initiator = initiator;
    redirectTo.delete(url);
    const target = redirectTarget(exchange);
    const earlier = exchanges[placeOf.get(url) ?? -1];
    // After a bounce it is the later answer that asks for things.
    if (!earlier || redirectTarget(earlier) !== null) placeOf.set(url, index);
    if (target !== null && target !== url) redirectTo.set(target, index);
  }
}

function initiatorUrl(entry: unknown): string | null {
  const initiator = below(entry, '_initiator');
  // Some tools write the URL alone.
  if (typeof initiator === 'string') return initiator;
  const frame = listOf(below(initiator, 'stack', 'callFrames'))
    .map((call) => textOf(below(call, 'url')))
    .find((url) => url !== null && url !== '');
  return textOf(below(initiator, 'url')) ?? frame ?? null;
}
