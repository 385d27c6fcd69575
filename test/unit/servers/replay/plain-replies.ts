import { replayOf } from '../../../../servers/replay/replay.ts';
import type { PlainReply, PlainRequest, ReplaySite } from '../replay-cases.ts';

/** The replies of the implementation in TypeScript. */
export function plainReplies(site: ReplaySite, requests: readonly PlainRequest[]): PlainReply[] {
  const replay = replayOf(site, site.subResources);
  return requests.map(({ headers: fields, nowMs, ...request }) => {
    const reply = replay({ ...request, header: (name) => fields[name] }, nowMs);
    const { status, headers, match, resource, bytes, waitMs } = reply;
    return {
      status,
      headers,
      match,
      waitMs,
      url: resource?.url ?? null,
      bytes: bytes && [bytes.first, bytes.last],
    };
  });
}
