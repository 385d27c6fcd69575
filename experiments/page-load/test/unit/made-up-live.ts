import type { Har, HarEntry } from '../../../../clients/har/har.ts';
import type { PageLoad } from '../../details.ts';
import type { LiveDetails } from '../../live-record.ts';

/** A request of a live page by its unusual fields. */
export interface MadeUpRequest {
  url: string;
  version?: string;
  status?: number;
  type?: string;
  connectMs?: number;
  error?: string;
  fromCache?: 'disk';
  bytes?: number;
  server?: string;
}

/** A HAR of these requests. */
export function madeUpHar(requests: readonly MadeUpRequest[]): Har {
  const entries = requests.map(
    ({ url, version = 'h3', status = 200, connectMs = -1, bytes = 100, server, ...rest }) =>
      ({
        _requestId: url,
        _resourceType: rest.type ?? 'image',
        ...(rest.fromCache && { _fromCache: rest.fromCache }),
        request: { method: 'GET', url, headers: [] },
        response: {
          status,
          httpVersion: version,
          _transferSize: bytes + 50,
          content: { size: bytes, mimeType: '' },
          headers: server ? [{ name: 'Server', value: server }] : [],
          ...(rest.error && { _error: rest.error }),
        },
        timings: { connect: connectMs },
        serverIPAddress: '192.0.2.1',
      }) as unknown as HarEntry,
  );
  return { log: { entries, pages: [{ title: requests[0]?.url }] } } as unknown as Har;
}

/** A load of a live page with these requests, each with its count and bytes. */
export function madeUpLoad(
  arm: string,
  block: number,
  requests: Record<string, [count: number, bytes: number]>,
  more: Partial<LiveDetails> = {},
): PageLoad {
  const live: LiveDetails = {
    url: 'https://www.test/',
    hosts: [],
    requests: Object.fromEntries(
      Object.entries(requests).map(([request, [count, bytes]]) => [request, { count, bytes }]),
    ),
    requestsCut: false,
    failed: [],
    ...more,
  };
  return {
    id: `www.test.live.${arm}.${block}`,
    subject: 'www.test',
    arm,
    block,
    network: { name: 'live' },
    factors: { visit: 'cold' },
    warmup: false,
    outcome: 'ok',
    message: null,
    details: { live },
  } as unknown as PageLoad;
}
