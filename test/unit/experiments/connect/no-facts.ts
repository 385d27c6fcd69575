import type { ConnectionFacts } from '../../../../records/connection-attempt.ts';

/** Of a client that tells nothing. */
export const NO_FACTS: ConnectionFacts = {
  tlsVersion: null,
  cipher: null,
  group: null,
  alpn: null,
  quicVersion: null,
  retry: null,
  resumed: null,
  earlyData: null,
  bytesSent: null,
  bytesReceived: null,
  certificateChainBytes: null,
  rttMs: null,
  status: null,
  bodyBytes: null,
  altSvc: null,
};
