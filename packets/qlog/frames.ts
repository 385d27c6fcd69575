import { ackedRanges } from '../connections/acknowledgement.ts';
import type { Http3Frame } from '../connections/http3-stream.ts';
import { HTTP_FRAME, isStream, QUIC_FRAME, type QuicFrame } from '../dissection/packet.ts';

/** A frame as a qlog has it. */
type QlogFrame = { frame_type: string } & Readonly<Record<string, unknown>>;

const DIRECTIONS = ['bidirectional', 'unidirectional'] as const;

/**
 * A frame of QUIC in the words of qlog (draft-ietf-quic-qlog-quic-events, appendix A.14).
 * @param ackDelayExponent of the side that sent it
 */
export function qlogFrame(frame: QuicFrame, ackDelayExponent: number): QlogFrame {
  if (isStream(frame)) {
    const { stream: stream_id, offset = 0, dataBytes: length = 0, ends } = frame;
    return { frame_type: 'stream', stream_id, offset, length, fin: ends === 1 };
  }
  return FRAMES[frame.type]?.(frame, ackDelayExponent) ?? unknownFrame(frame);
}

/** A frame of HTTP/3 in the words of qlog; what is compressed by QPACK stays closed. */
export function qlogHttpFrame({ type, contentBytes }: Http3Frame): QlogFrame {
  if (type === HTTP_FRAME.data) return { frame_type: 'data' };
  if (type === HTTP_FRAME.headers) return { frame_type: 'headers', headers: [] };
  // Types that mean nothing, to keep others from taking unknown ones for errors (RFC 9114, section 7.2.8).
  if (type >= 0x21 && (type - 0x21) % 0x1f === 0) {
    return { frame_type: 'reserved', length: contentBytes };
  }
  return { frame_type: 'unknown', frame_type_value: type, raw: { payload_length: contentBytes } };
}

type FrameOf = (frame: QuicFrame, ackDelayExponent: number) => QlogFrame;

const ack: FrameOf = (frame, ackDelayExponent) => ({
  frame_type: 'ack',
  ack_delay: ((frame.delay ?? 0) * 2 ** ackDelayExponent) / 1000,
  acked_ranges: ackedRanges(frame),
});

const FRAMES: Readonly<Record<number, FrameOf>> = {
  [QUIC_FRAME.padding]: ({ bytes }) => ({ frame_type: 'padding', payload_length: bytes }),
  1: () => ({ frame_type: 'ping' }),
  [QUIC_FRAME.ack]: ack,
  [QUIC_FRAME.ackWithEcn]: ack,
  4: ({ stream, error, most }) => ({
    frame_type: 'reset_stream',
    stream_id: stream,
    error_code: error,
    final_size: most,
  }),
  5: ({ stream, error }) => ({
    frame_type: 'stop_sending',
    stream_id: stream,
    error_code: error,
  }),
  [QUIC_FRAME.crypto]: ({ offset = 0, dataBytes = 0 }) => ({
    frame_type: 'crypto',
    offset,
    length: dataBytes,
  }),
  7: ({ bytes }) => ({ frame_type: 'new_token', token: { raw: { length: bytes } } }),
  16: ({ most }) => ({ frame_type: 'max_data', maximum: most }),
  17: ({ stream, most }) => ({ frame_type: 'max_stream_data', stream_id: stream, maximum: most }),
  18: ({ most }) => ({ frame_type: 'max_streams', stream_type: DIRECTIONS[0], maximum: most }),
  19: ({ most }) => ({ frame_type: 'max_streams', stream_type: DIRECTIONS[1], maximum: most }),
  20: ({ most }) => ({ frame_type: 'data_blocked', limit: most }),
  21: ({ stream, most }) => ({ frame_type: 'stream_data_blocked', stream_id: stream, limit: most }),
  22: ({ most }) => ({ frame_type: 'streams_blocked', stream_type: DIRECTIONS[0], limit: most }),
  23: ({ most }) => ({ frame_type: 'streams_blocked', stream_type: DIRECTIONS[1], limit: most }),
  24: ({ sequence, retires, id = '' }) => ({
    frame_type: 'new_connection_id',
    sequence_number: sequence,
    retire_prior_to: retires,
    connection_id_length: id.length / 2,
    connection_id: id,
  }),
  25: ({ sequence }) => ({ frame_type: 'retire_connection_id', sequence_number: sequence }),
  26: () => ({ frame_type: 'path_challenge' }),
  27: () => ({ frame_type: 'path_response' }),
  [QUIC_FRAME.close]: ({ error, reason, cause }) => ({
    frame_type: 'connection_close',
    error_space: 'transport',
    error_code: error,
    raw_error_code: error,
    reason,
    trigger_frame_type: cause,
  }),
  [QUIC_FRAME.closeByApplication]: ({ error, reason }) => ({
    frame_type: 'connection_close',
    error_space: 'application',
    error_code: error,
    raw_error_code: error,
    reason,
  }),
  [QUIC_FRAME.handshakeDone]: () => ({ frame_type: 'handshake_done' }),
  48: datagram,
  49: datagram,
};

function datagram({ bytes }: QuicFrame): QlogFrame {
  return { frame_type: 'datagram', length: bytes };
}

function unknownFrame({ type, bytes }: QuicFrame): QlogFrame {
  return { frame_type: 'unknown', raw_frame_type: type, raw_length: bytes };
}
