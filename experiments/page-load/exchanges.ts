import { createHash } from 'node:crypto';
import type { Har, HarEntry } from '../../clients/har/har.ts';
import { fieldsOf } from '../../clients/har/response-headers.ts';
import { hasWholeResponse } from '../../clients/har/whole-response.ts';
import { fieldWithoutSecret } from '../../clients/secret-fields.ts';
import { cellKey } from '../../ground/records/cell.ts';
import type { Trial } from '../../ground/records/run.ts';
import { isNotFavicon, keyOf } from './checks/requests.ts';
import type { Exchange, PageLoadDetails } from './details.ts';

type ExchangeFields = Pick<PageLoadDetails, 'exchangesSha256' | 'exchanges'>;

/**
 * Exchanges of loads for their records. Only new sets of the run are written in full, because a page of 50 requests takes
 * 15 kB and most loads have the same set. Each stack, subject and condition has a limit, for servers whose responses change
 * with each load.
 */
export function exchangeLog({ mostSets = 10, mostBytes = 500_000 } = {}) {
  const written = new Set<string>();
  const sizes = new Map<string, { sets: number; bytes: number }>();
  return {
    fieldsOf(har: Har, trial: Pick<Trial, 'subject' | 'network' | 'factors' | 'arm'>) {
      const exchanges = exchangesOf(har);
      const json = JSON.stringify(exchanges);
      const exchangesSha256 = createHash('sha256').update(json).digest('hex');
      const cell = cellKey(trial);
      const before = sizes.get(cell) ?? { sets: 0, bytes: 0 };
      const after = { sets: before.sets + 1, bytes: before.bytes + json.length };
      const fits = after.sets <= mostSets && after.bytes <= mostBytes;
      if (written.has(exchangesSha256) || !fits) return { exchangesSha256 };
      written.add(exchangesSha256);
      sizes.set(cell, after);
      return { exchangesSha256, exchanges } satisfies ExchangeFields;
    },
  };
}

/** The exchanges over the network, each once, sorted, without favicon.ico and without values of secrets. */
export function exchangesOf(har: Har): Exchange[] {
  const lines = har.log.entries
    .filter(({ _fromCache }) => _fromCache === undefined)
    .map(exchangeOf)
    .filter(({ request }) => isNotFavicon(request))
    .map((exchange) => JSON.stringify(exchange));
  return [...new Set(lines)].sort().map((line) => JSON.parse(line));
}

function exchangeOf(entry: HarEntry): Exchange {
  const { status, headers } = entry.response;
  const request = keyOf(entry.request);
  if (!hasWholeResponse(entry)) return { request, status: null, fields: {} };
  const fields = [...fieldsOf({ status, headers: headers.map(fieldWithoutSecret) })].sort(
    ([a], [b]) => (a < b ? -1 : 1),
  );
  return {
    request,
    status,
    fields: Object.fromEntries(fields.map(([name, value]) => [name, [value].flat().join('\n')])),
  };
}
