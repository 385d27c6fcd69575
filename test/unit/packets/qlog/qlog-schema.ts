/**
 * The qlog 0.3 events that are written here, as JSON Schemas: draft-ietf-quic-qlog-main-schema
 * (file, trace, event), -quic-events (transport, recovery, connectivity and frames) and -h3-events
 * (http). Fields outside all of them are rejected.
 */

type Schema = Readonly<Record<string, unknown>>;

const uint: Schema = { type: 'integer', minimum: 0 };
const ms: Schema = { type: 'number', minimum: 0 };
const text: Schema = { type: 'string' };
const flag: Schema = { type: 'boolean' };
const hex: Schema = { type: 'string', pattern: '^([0-9a-f]{2})*$' };
const version: Schema = { type: 'string', pattern: '^[0-9a-f]+$' };

function words(...values: readonly string[]): Schema {
  return { enum: values };
}

function list(items: Schema): Schema {
  return { type: 'array', items };
}

/** Fields whose names end with `?` are optional. */
function record(fields: Readonly<Record<string, Schema>>): Schema {
  const named = Object.entries(fields).map(([name, schema]) => [name.replace('?', ''), schema]);
  return {
    type: 'object',
    required: Object.keys(fields).filter((name) => !name.endsWith('?')),
    properties: Object.fromEntries(named),
    additionalProperties: false,
  };
}

const raw = record({ 'length?': uint, 'payload_length?': uint });
const streamType = words('bidirectional', 'unidirectional');

function oneOfFrames(frames: Readonly<Record<string, Readonly<Record<string, Schema>>>>): Schema {
  const schemas = Object.entries(frames).map(([name, fields]) =>
    record({ frame_type: { const: name }, ...fields }),
  );
  return { oneOf: schemas };
}

const quicFrame = oneOfFrames({
  padding: { 'length?': uint, payload_length: uint },
  ping: {},
  ack: {
    'ack_delay?': ms,
    'acked_ranges?': {
      type: 'array',
      minItems: 1,
      items: { type: 'array', items: uint, minItems: 1, maxItems: 2 },
    },
  },
  reset_stream: { stream_id: uint, error_code: uint, final_size: uint },
  stop_sending: { stream_id: uint, error_code: uint },
  crypto: { offset: uint, length: uint },
  new_token: { token: record({ 'type?': words('retry', 'resumption'), 'raw?': raw }) },
  stream: { stream_id: uint, offset: uint, length: uint, 'fin?': flag },
  max_data: { maximum: uint },
  max_stream_data: { stream_id: uint, maximum: uint },
  max_streams: { stream_type: streamType, maximum: uint },
  data_blocked: { limit: uint },
  stream_data_blocked: { stream_id: uint, limit: uint },
  streams_blocked: { stream_type: streamType, limit: uint },
  new_connection_id: {
    sequence_number: uint,
    retire_prior_to: uint,
    'connection_id_length?': uint,
    connection_id: hex,
  },
  retire_connection_id: { sequence_number: uint },
  path_challenge: { 'data?': hex },
  path_response: { 'data?': hex },
  connection_close: {
    'error_space?': words('transport', 'application'),
    'error_code?': uint,
    'raw_error_code?': uint,
    'reason?': text,
    'trigger_frame_type?': uint,
  },
  handshake_done: {},
  datagram: { 'length?': uint },
  unknown: { raw_frame_type: uint, 'raw_length?': uint },
});

const httpFrame = oneOfFrames({
  data: { 'raw?': raw },
  headers: { headers: list(record({ name: text, value: text })) },
  reserved: { 'length?': uint },
  unknown: { frame_type_value: uint, 'raw?': raw },
});

const header = record({
  packet_type: words(
    ...['initial', 'handshake', '0RTT', '1RTT', 'retry', 'version_negotiation', 'unknown'],
  ),
  'packet_number?': uint,
  'version?': version,
  'scil?': uint,
  'dcil?': uint,
  'scid?': hex,
  'dcid?': hex,
});

const packet = record({
  header,
  'frames?': list(quicFrame),
  'is_coalesced?': flag,
  'raw?': raw,
  'datagram_id?': uint,
});

const httpEvent = record({ stream_id: uint, 'length?': uint, frame: httpFrame });
const owner = words('local', 'remote');

const DATA: Readonly<Record<string, Schema>> = {
  'connectivity:connection_started': record({
    'ip_version?': words('v4', 'v6'),
    src_ip: text,
    dst_ip: text,
    'protocol?': text,
    'src_port?': uint,
    'dst_port?': uint,
    'src_cid?': hex,
    'dst_cid?': hex,
  }),
  'connectivity:connection_closed': record({
    'owner?': owner,
    'connection_code?': uint,
    'application_code?': uint,
    'reason?': text,
    'trigger?': words('clean', 'error', 'application'),
  }),
  'transport:parameters_set': record({
    'owner?': owner,
    'tls_cipher?': text,
    'original_destination_connection_id?': hex,
    'initial_source_connection_id?': hex,
    'retry_source_connection_id?': hex,
    'disable_active_migration?': flag,
    'max_idle_timeout?': uint,
    'max_udp_payload_size?': uint,
    'ack_delay_exponent?': uint,
    'max_ack_delay?': uint,
    'active_connection_id_limit?': uint,
    'initial_max_data?': uint,
    'initial_max_stream_data_bidi_local?': uint,
    'initial_max_stream_data_bidi_remote?': uint,
    'initial_max_stream_data_uni?': uint,
    'initial_max_streams_bidi?': uint,
    'initial_max_streams_uni?': uint,
  }),
  'transport:packet_sent': packet,
  'transport:packet_received': packet,
  'transport:packet_dropped': record({
    'header?': header,
    'raw?': raw,
    'datagram_id?': uint,
    'details?': text,
  }),
  'recovery:packet_lost': record({ 'header?': header }),
  'recovery:metrics_updated': record({
    'min_rtt?': ms,
    'smoothed_rtt?': ms,
    'latest_rtt?': ms,
    'rtt_variance?': ms,
    'bytes_in_flight?': uint,
    'packets_in_flight?': uint,
  }),
  'http:frame_created': httpEvent,
  'http:frame_parsed': httpEvent,
};

/** The first record of a file. */
export const QLOG_HEAD = record({
  qlog_version: { const: '0.3' },
  qlog_format: { const: 'JSON-SEQ' },
  'title?': text,
  trace: record({
    'title?': text,
    'description?': text,
    vantage_point: record({
      'name?': text,
      type: { const: 'network' },
      flow: { const: 'client' },
    }),
    'common_fields?': record({
      // From the earlier versions, for grouping in qvis.
      'ODCID?': hex,
      'group_id?': text,
      'protocol_type?': list(text),
      'time_format?': words('absolute', 'delta', 'relative'),
      'reference_time?': ms,
    }),
  }),
});

/** Every other record. */
export const QLOG_EVENT: Schema = {
  oneOf: Object.entries(DATA).map(([name, data]) =>
    record({ time: ms, name: { const: name }, data }),
  ),
};
