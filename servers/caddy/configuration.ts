import type { KeyExchange } from '../../ground/records/key-exchange.ts';
import type { Protocol } from '../../ground/records/protocol.ts';
import type { Listener } from '../bun/contract.ts';
import type { RecordedResponse } from '../bun/recorded-site.ts';

/** The path as sent: Caddy encodes some characters of it for the origin. */
export const PATH_FIELD = 'x-requested-path';
// Fields for a recorded `via`, which Caddy would mix with its own, and for `alt-svc`, which it drops; spelled as its placeholders are.
const VIA_FIELD = 'X-Recorded-Via';
const ALT_SVC_FIELD = 'X-Recorded-Alt-Svc';

/**
 * Caddy's configuration in JSON: no administration endpoint, no files outside its memory, no certificates but those
 * given, and so no change of the trust store.
 */
export function configuration({
  protocol,
  keyExchange,
  listeners,
  origin,
}: {
  protocol: Protocol;
  keyExchange: KeyExchange;
  listeners: readonly Pick<Listener, 'ip' | 'port' | 'certificate' | 'key'>[];
  origin: string;
}) {
  return {
    admin: { disabled: true, config: { persist: false } },
    logging: { logs: { default: { level: 'WARN', encoder: { format: 'console' } } } },
    apps: {
      tls: {
        certificates: {
          load_pem: listeners.map(({ certificate, key }) => ({ certificate, key })),
        },
        disable_ocsp_stapling: true,
        disable_storage_check: true,
        disable_storage_clean: true,
      },
      http: {
        servers: {
          site: {
            listen: listeners.map(({ ip, port }) => `${ip}:${port}`),
            // Caddy has no HTTP/2 without HTTP/1.1; ALPN offers only HTTP/2.
            protocols: PROTOCOLS[protocol],
            // As Bun's: cookies that import accepts exceed Caddy's own limit.
            max_header_bytes: 2 ** 18,
            automatic_https: { disable: true },
            tls_connection_policies: [{ alpn: ['h2'], curves: [keyExchange] }],
            routes: [{ handle: [recordedVia, ownFields, reverseProxy(origin)] }],
          },
        },
      },
    },
  };
}

const PROTOCOLS: Partial<Record<Protocol, string[]>> = {
  h3: ['h3'],
  h2: ['h1', 'h2'],
  'h2+h3': ['h1', 'h2', 'h3'],
};

/** Caddy adds `server`, `via`, and over TCP alone `alt-svc`. Applied before recordedVia. */
const ownFields = {
  handler: 'headers',
  response: {
    deferred: true,
    delete: ['Server', 'Via', ALT_SVC_FIELD],
    set: { 'Alt-Svc': [`{http.response.header.${ALT_SVC_FIELD}}`] },
  },
};

const recordedVia = {
  handler: 'headers',
  response: {
    require: { headers: { [VIA_FIELD]: ['*'] } },
    set: { Via: [`{http.response.header.${VIA_FIELD}}`] },
    delete: [VIA_FIELD],
  },
};

function reverseProxy(origin: string) {
  return {
    handler: 'reverse_proxy',
    upstreams: [{ dial: `unix/@${origin}` }],
    headers: { request: { set: { [PATH_FIELD]: ['{http.request.orig_uri}'] } } },
    transport: { protocol: 'http', compression: false },
    handle_response: [withoutBody],
  };
}

/** Without this quic-go adds a length to responses that may not have one. */
const withoutBody = {
  match: { status_code: [204, 304] },
  routes: [
    {
      handle: [
        { handler: 'copy_response_headers' },
        {
          handler: 'static_response',
          status_code: '{http.reverse_proxy.status_code}',
          headers: { 'Content-Length': [] },
        },
      ],
    },
  ],
};

/** A recorded response for Caddy, whose library guesses a missing type from the body; an empty one says as little. */
export function prepare(response: RecordedResponse): RecordedResponse {
  const { via, 'alt-svc': altSvc, ...headers } = response.headers;
  if (altSvc !== undefined) headers[ALT_SVC_FIELD] = altSvc;
  if (via !== undefined) headers[VIA_FIELD] = via;
  if (response.bytes > 0 && headers['content-type'] === undefined) headers['content-type'] = '';
  return { ...response, headers };
}
