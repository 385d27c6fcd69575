import type { CongestionControl } from '../../ground/records/congestion-control.ts';
import type { Protocol } from '../../ground/records/protocol.ts';
import type { Listener } from '../bun/contract.ts';

/** Beyond what import accepts, in kB. */
const MOST_HEADERS_KB = 256;
const MOST_HEADERS = 1000;
/** No limit: a request may wait as long as the recorded server took, and browsers keep connections. */
const NEVER = '0s';
const MOST = 1_000_000;
/**
 * With Envoy's own limit of 1 MiB a large response of low priority fills the buffer of a QUIC connection, and then no urgent one
 * is read from the origin for seconds. Over TCP Envoy would send responses in request order if it buffered more.
 */
const BUFFER_BYTES = 2 ** 24;

/** Envoy's configuration in JSON: no administration endpoint, and no files. */
export function configuration({
  protocol,
  congestionControl,
  listeners,
  origin,
}: {
  protocol: Protocol;
  congestionControl: CongestionControl;
  listeners: readonly Pick<Listener, 'ip' | 'port' | 'certificate' | 'key'>[];
  origin: string;
}) {
  return {
    static_resources: {
      listeners: listeners.flatMap((listener) => [
        ...(protocol === 'h3' ? [] : [tcpListener(listener)]),
        ...(protocol === 'h2' ? [] : [udpListener(listener)]),
      ]),
      clusters: [cluster(origin)],
    },
    layered_runtime: {
      layers: [
        {
          name: 'settings',
          static_layer: {
            [`${QUICHE_FLAG}_default_to_bbr`]: congestionControl === 'bbr',
            // Off by default; clients choose the version.
            [`${QUICHE_FLAG}_enable_version_rfcv2`]: true,
          },
        },
      ],
    },
  };
}

const QUICHE_FLAG = 'envoy.reloadable_features.FLAGS_envoy_quiche_reloadable_flag_quic';

type Address = Parameters<typeof configuration>[0]['listeners'][number];

function tcpListener(at: Address) {
  return {
    name: `tcp ${at.ip}:${at.port}`,
    address: { socket_address: { address: at.ip, port_value: at.port } },
    filter_chains: [
      {
        filters: [connectionManager('HTTP2')],
        transport_socket: {
          name: 'envoy.transport_sockets.tls',
          typed_config: {
            '@type': typeOf('transport_sockets.tls.v3.DownstreamTlsContext'),
            ...tlsContext(at, 'h2'),
          },
        },
      },
    ],
  };
}

function udpListener(at: Address) {
  return {
    name: `udp ${at.ip}:${at.port}`,
    address: { socket_address: { protocol: 'UDP', address: at.ip, port_value: at.port } },
    per_connection_buffer_limit_bytes: BUFFER_BYTES,
    udp_listener_config: { quic_options: {}, downstream_socket_config: { prefer_gro: true } },
    filter_chains: [
      {
        filters: [connectionManager('HTTP3')],
        transport_socket: {
          name: 'envoy.transport_sockets.quic',
          typed_config: {
            '@type': typeOf('transport_sockets.quic.v3.QuicDownstreamTransport'),
            downstream_tls_context: tlsContext(at, 'h3'),
          },
        },
      },
    ],
  };
}

function tlsContext({ certificate, key }: Address, protocol: 'h2' | 'h3') {
  return {
    common_tls_context: {
      alpn_protocols: [protocol],
      // QUIC ignores the groups and has these: TCP offers the same.
      tls_params: {
        tls_maximum_protocol_version: 'TLSv1_3',
        ecdh_curves: ['X25519MLKEM768', 'X25519'],
      },
      tls_certificates: [
        { certificate_chain: { inline_string: certificate }, private_key: { inline_string: key } },
      ],
    },
  };
}

function connectionManager(codec: 'HTTP2' | 'HTTP3') {
  return {
    name: 'envoy.filters.network.http_connection_manager',
    typed_config: {
      '@type': typeOf('filters.network.http_connection_manager.v3.HttpConnectionManager'),
      stat_prefix: 'site',
      codec_type: codec,
      server_header_transformation: 'PASS_THROUGH',
      generate_request_id: false,
      normalize_path: false,
      stream_idle_timeout: NEVER,
      max_request_headers_kb: MOST_HEADERS_KB,
      common_http_protocol_options: { max_headers_count: MOST_HEADERS },
      route_config: {
        virtual_hosts: [
          {
            name: 'site',
            domains: ['*'],
            routes: [{ match: { prefix: '/' }, route: { cluster: 'origin', timeout: NEVER } }],
          },
        ],
      },
      http_filters: [
        {
          name: 'envoy.filters.http.router',
          typed_config: {
            '@type': typeOf('filters.http.router.v3.Router'),
            suppress_envoy_headers: true,
          },
        },
      ],
    },
  };
}

function cluster(origin: string) {
  return {
    name: 'origin',
    type: 'STATIC',
    load_assignment: {
      cluster_name: 'origin',
      endpoints: [{ lb_endpoints: [{ endpoint: { address: { pipe: { path: `@${origin}` } } } }] }],
    },
    circuit_breakers: {
      thresholds: [{ max_connections: MOST, max_pending_requests: MOST, max_requests: MOST }],
    },
  };
}

function typeOf(name: string): string {
  return `type.googleapis.com/envoy.extensions.${name}`;
}
