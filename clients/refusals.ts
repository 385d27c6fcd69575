/** An unexpected end of a QUIC session. */
export interface QuicSessionEnd {
  /** The browser's name, such as QUIC_NETWORK_IDLE_TIMEOUT or NS_ERROR_NET_TIMEOUT. */
  error: string;
  /** The browser's or the server's text. */
  details: string;
  fromServer: boolean;
}

/** A browser's verdict on the certificates of a server. */
export interface Verification {
  /** The browser's name, such as ERR_CERT_AUTHORITY_INVALID or SEC_ERROR_UNKNOWN_ISSUER; empty: valid. */
  error: string;
  /** Chromium's names of the problems: AUTHORITY_INVALID, COMMON_NAME_INVALID. */
  problems: string[];
  /** Whether the root is one of the browser's own, not added on this machine. */
  isKnownRoot: boolean;
  /** PEM, as sent. */
  chain: string[];
}

/** Why requests of a browser to a host failed. */
export interface Refusals {
  quicEnds: QuicSessionEnd[];
  /** Whether a QUIC session with the host is open or connecting. */
  hasQuic: boolean;
  verifications: Verification[];
}
