import type { ImportBudget } from '../../limits.ts';
import type { RecordedExchange } from '../../recording.ts';
import { headerValue } from '../header-block.ts';
import { readRequest, type SentRequest, typeOfRequest } from '../http-message.ts';
import type { WarcRecord } from './records.ts';
import { warcField } from './warc-fields.ts';

type Asked = Pick<RecordedExchange, 'method' | 'requestHeaders' | 'type'>;

/** Requests by the responses that they belong to; either record may name the other. */
export function requestIndex(budget: ImportBudget) {
  const byId = new Map<string, SentRequest>();
  const byAnswer = new Map<string, SentRequest>();
  /** What led a crawler to a URL, by that URL. */
  const viaOf = new Map<string, string>();
  return {
    add: (record: WarcRecord): void => {
      const request = readRequest(record.block, budget.limits);
      if (request === null) return;
      const id = record.header('warc-record-id');
      if (id !== null) byId.set(id, request);
      for (const answer of concurrentTo(record)) byAnswer.set(answer, request);
    },
    /** Adds a crawler's own note on a URL, as Heritrix makes it. */
    addVia: ({ url, block }: WarcRecord): void => {
      const via = warcField(block, 'via');
      if (via !== null) viaOf.set(url, via);
    },
    /** What is known of the request for a response. */
    of: (record: WarcRecord): Partial<Asked> => {
      const request =
        byAnswer.get(record.header('warc-record-id') ?? '') ??
        concurrentTo(record)
          .map((id) => byId.get(id))
          .find((found) => found !== undefined);
      const headers = request?.headers ?? [];
      const via = viaOf.get(record.url);
      const isSent = via === undefined || headerValue(headers, 'referer') !== null;
      const requestHeaders: typeof headers = isSent ? headers : [...headers, ['referer', via]];
      if (!request) return isSent ? {} : { requestHeaders };
      return { method: request.method, requestHeaders, type: typeOfRequest(headers) };
    },
  };
}

function concurrentTo(record: WarcRecord): string[] {
  // Several of them come joined.
  return (record.header('warc-concurrent-to') ?? '')
    .split(',')
    .map((id) => id.trim())
    .filter((id) => id !== '');
}
