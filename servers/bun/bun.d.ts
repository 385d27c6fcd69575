// Types of the parts of Bun in use that Node's types lack.
declare const Bun: {
  version: string;
  /** Collects garbage; `sync`: before it returns. */
  gc(sync: boolean): void;
  /** A file that is read on demand. */
  file(path: string): Blob;
  serve(
    options: (
      | {
          hostname: string;
          port: number;
          http1: boolean;
          http2: boolean;
          tls: { key: string; cert: string; ecdhCurve: string };
        }
      /** A Unix socket, abstract if its name begins with NUL. */
      | { unix: string }
    ) & {
      idleTimeout: number;
      /** Limit in bytes. */
      maxRequestBodySize: number;
      development: boolean;
      error(error: Error): Response;
      fetch(request: Request): Promise<Response>;
    },
  ): { port: number };
};

declare module 'bun:ffi' {
  export const read: { i32(pointer: number, offset: number): number };
  export function toArrayBuffer(pointer: number, offset: number, bytes: number): ArrayBuffer;
  export function dlopen<Name extends string>(
    library: string,
    functions: Record<Name, { args: readonly string[]; returns: string }>,
  ): { symbols: Record<Name, (...args: unknown[]) => unknown> };
  /** Compiles C without a compiler or headers on the machine. */
  export function cc<Name extends string>(program: {
    source: readonly string[];
    flags: string;
    library: readonly string[];
    symbols: Record<Name, { args: readonly string[]; returns: string }>;
  }): { symbols: Record<Name, (...args: unknown[]) => number> };
}

declare module 'node:quic' {
  export interface SocketAddress {
    readonly address: string;
    readonly port: number;
  }
  /** Limits in bytes. */
  interface TransportParameters {
    readonly initialMaxData: bigint;
    readonly initialMaxStreamDataBidiLocal: bigint;
    readonly initialMaxStreamDataBidiRemote: bigint;
  }
  /** `reno` selects Cubic too. */
  type CongestionControl = 'cubic' | 'bbr' | 'reno';
  export interface QuicStream extends AsyncIterable<Uint8Array | Uint8Array[]> {
    /** The values of a repeated field are a list. */
    onheaders: (headers: Record<string, string | string[]>) => void;
    sendHeaders(
      headers: Record<string, string | string[]>,
      options?: { terminal?: boolean },
    ): boolean;
    /** Sends the body, and ends the stream. */
    setBody(body: Uint8Array | ReadableStream<Uint8Array> | AsyncGenerator<Uint8Array>): void;
    resetStream(code: number): void;
    readonly destroyed: boolean;
    readonly closed: Promise<void>;
  }
  export interface HandshakeInfo {
    protocol: string;
    cipher: string;
    cipherVersion: string;
    /** OpenSSL's code of the certificate's problem; the host name is not checked. */
    validationErrorCode?: string;
    earlyDataAccepted: boolean;
  }
  /** A UDP socket. */
  export class QuicEndpoint {
    constructor(options: { address: string });
    /** undefined before the first use. */
    readonly address?: { port: number };
    readonly stats: {
      readonly bytesSent: bigint;
      readonly bytesReceived: bigint;
      readonly packetsSent: bigint;
      readonly packetsReceived: bigint;
    };
    close(): Promise<void>;
    destroy(): void;
  }
  export interface QuicSession {
    onstream: (stream: QuicStream) => void;
    /** With `keylog`: a line of an NSS key log for each secret. */
    onkeylog: (line: string) => void;
    readonly opened: Promise<HandshakeInfo>;
    readonly closed: Promise<void>;
    /** Closes the session after the end of its streams. */
    close(options?: { code: number; type: 'application' }): Promise<void>;
    /** Closes the session at once. */
    destroy(): void;
    readonly endpoint: { close(): Promise<void> };
    /**
     * Windows in bytes, times in ns, counts since the beginning; all 0 until the handshake has begun. Further fields are
     * always 0 (bytesInFlight, ssthresh, blockCount, bytesLost).
     */
    readonly stats: {
      readonly cwnd: bigint;
      readonly smoothedRtt: bigint;
      readonly rttVar: bigint;
      readonly minRtt: bigint;
      readonly pktSent: bigint;
      readonly bytesSent: bigint;
      readonly pktLost: bigint;
      readonly pktRecv: bigint;
      readonly bytesRecv: bigint;
    };
    /** undefined: the session is closed. */
    readonly path: { readonly local: SocketAddress; readonly remote: SocketAddress } | undefined;
    /** Transport parameters of the handshake (RFC 9000, section 18.2). */
    readonly localTransportParams: TransportParameters | undefined;
    readonly remoteTransportParams: TransportParameters | undefined;
    readonly peerCertificate: import('node:crypto').X509Certificate | undefined;
    /** `headers` and `onheaders` only with HTTP/3. */
    createBidirectionalStream(options: {
      headers?: Record<string, string>;
      body?: Uint8Array | AsyncIterable<Uint8Array>;
      onheaders?(headers: Record<string, string | string[]>): void;
    }): Promise<QuicStream>;
  }
  export function connect(
    address: string,
    options: {
      servername?: string;
      alpn: string;
      verifyPeer: 'manual' | 'strict';
      keylog?: boolean;
      endpoint?: QuicEndpoint;
      /** Absent: lsquic chooses by the first round-trip time. */
      cc?: CongestionControl;
      groups?: string;
      /** PEM. */
      ca?: readonly Uint8Array[];
      cc?: string;
      /** Limits for data from the peer, in bytes. */
      transportParams?: { initialMaxStreamDataBidiLocal?: number; initialMaxData?: number };
      sessionTicket?: Uint8Array;
      onkeylog?(line: string): void;
      onsessionticket?(ticket: Uint8Array): void;
      onhandshake?(info: HandshakeInfo): void;
    },
  ): Promise<QuicSession>;
  export function listen(
    onsession: (session: QuicSession) => void,
    options: {
      alpn: string[];
      sni: Record<string, { keys: import('node:crypto').KeyObject[]; certs: Uint8Array[] }>;
      endpoint: {
        address: string;
        maxConnectionsPerHost?: number;
        sessionCreationRate?: number;
        sessionCreationBurst?: number;
      };
      /** Default: X25519, P-256, P-384. */
      groups?: string;
      cc: CongestionControl;
      keylog?: boolean;
    },
  ): Promise<{ address: { address: string; port: number }; close(): Promise<void> }>;
}
