import type { RecordedExchange } from '../../recording.ts';
import { plainDigest } from './digest.ts';
import type { WarcRecord } from './records.ts';

/** Responses by all that `revisit` records say of the one whose body they repeat. */
export function originals() {
  const found = new Map<string, RecordedExchange>();
  const put = (key: string | null, exchange: RecordedExchange) => {
    if (key !== null && !found.has(key)) found.set(key, exchange);
  };
  return {
    add: ({ header, url }: WarcRecord, exchange: RecordedExchange): void => {
      put(idKey(header('warc-record-id')), exchange);
      put(digestKey(header('warc-payload-digest')), exchange);
      put(urlKey(url, header('warc-date')), exchange);
      put(urlKey(url, null), exchange);
    },
    /** The most exact counts: the record, the digest, the URL and its moment. Digests of two kinds cannot be compared. */
    of: ({ header, url }: WarcRecord): RecordedExchange | undefined => {
      const isUnchanged = /\/server-not-modified$/.test(header('warc-profile') ?? '');
      const of = header('warc-refers-to-target-uri') ?? (isUnchanged ? url : null);
      const keys = [
        idKey(header('warc-refers-to')),
        // Heritrix writes the digest of the empty body that came.
        isUnchanged ? null : digestKey(header('warc-payload-digest')),
        of === null ? null : urlKey(of, header('warc-refers-to-date')),
      ];
      return keys.map((key) => found.get(key ?? '')).find((exchange) => exchange !== undefined);
    },
  };
}

function idKey(id: string | null): string | null {
  return id === null ? null : `id ${id}`;
}

function digestKey(digest: string | null): string | null {
  return digest === null ? null : `digest ${plainDigest(digest)}`;
}

/** To the second: not every program writes the fraction both times. */
function urlKey(url: string, date: string | null): string {
  return `url ${url} ${date?.slice(0, 'YYYY-MM-DDThh:mm:ss'.length) ?? ''}`;
}
