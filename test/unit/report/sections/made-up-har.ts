/** A request of a made-up HAR; phases in ms, missing ones did not take place. */
export interface MadeUpRequest {
  url: string;
  /** Since the HAR's start. */
  startMs: number;
  queued?: number;
  blocked?: number;
  dns?: number;
  connect?: number;
  send?: number;
  wait?: number;
  receive?: number;
  status?: number;
  protocol?: string;
  wireBytes?: number;
  fromCache?: 'disk';
  serverTiming?: string;
}

const START_MS = Date.UTC(2026, 0, 1);

/** The parsed HAR with these requests; -1: no load event. */
export function madeUpHar(requests: readonly MadeUpRequest[], onLoad = 500) {
  return {
    log: {
      pages: [
        {
          startedDateTime: new Date(START_MS).toISOString(),
          pageTimings: { onContentLoad: -1, onLoad },
        },
      ],
      entries: requests.map(({ url, startMs, queued, ...rest }) => {
        const { blocked = -1, dns = -1, connect = -1, send = 0, wait = 0, receive = 0 } = rest;
        return {
          startedDateTime: new Date(START_MS + startMs).toISOString(),
          request: { url },
          response: {
            status: rest.status ?? 200,
            headers:
              rest.serverTiming === undefined
                ? []
                : [{ name: 'Server-Timing', value: rest.serverTiming }],
            httpVersion: rest.protocol ?? 'h3',
            _transferSize: rest.wireBytes ?? 1_000,
          },
          timings: {
            blocked,
            dns,
            connect,
            ssl: connect,
            send,
            wait,
            receive,
            ...(queued !== undefined && { _queued: queued }),
          },
          ...(rest.fromCache && { _fromCache: rest.fromCache }),
        };
      }),
    },
  };
}
