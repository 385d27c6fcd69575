// The parts of Bun that the servers use and that Node's types do not have.
declare const Bun: {
  version: string;
  /** Collects garbage; true: before it returns. */
  gc(sync: boolean): void;
  /** A file, of which nothing is read yet. */
  file(path: string): Blob;
  serve(options: {
    hostname: string;
    port: number;
    http1: boolean;
    http2: boolean;
    tls: { key: string; cert: string; ecdhCurve: string };
    idleTimeout: number;
    /** In bytes. */
    maxRequestBodySize: number;
    development: boolean;
    error(error: Error): Response;
    fetch(request: Request): Promise<Response>;
  }): { port: number };
};

declare module 'bun:ffi' {
  export const read: { i32(pointer: number, offset: number): number };
  export function toArrayBuffer(pointer: number, offset: number, bytes: number): ArrayBuffer;
  export function dlopen<Name extends string>(
    library: string,
    functions: Record<Name, { args: readonly string[]; returns: string }>,
  ): { symbols: Record<Name, (...args: unknown[]) => unknown> };
  /** Compiles C; no compiler, header or library need be on the machine. */
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
  /** In bytes. */
  interface TransportParameters {
    readonly initialMaxData: bigint;
    readonly initialMaxStreamDataBidiLocal: bigint;
    readonly initialMaxStreamDataBidiRemote: bigint;
  }
  /** `reno` is accepted, and is Cubic. */
  type CongestionControl = 'cubic' | 'bbr' | 'reno';
  export interface QuicStream extends AsyncIterable<Uint8Array | Uint8Array[]> {
    /** A list of what came in several fields of one name. */
    onheaders: (headers: Record<string, string | string[]>) => void;
    sendHeaders(
      headers: Record<string, string | string[]>,
      options?: { terminal?: boolean },
    ): boolean;
    /** Sends it, and ends. */
    setBody(body: Uint8Array | ReadableStream<Uint8Array> | AsyncGenerator<Uint8Array>): void;
    resetStream(code: number): void;
    readonly destroyed: boolean;
    readonly closed: Promise<void>;
  }
  export interface HandshakeInfo {
    protocol: string;
    cipher: string;
    cipherVersion: string;
    /** What is wrong with the certificate, its name aside, as OpenSSL calls it. */
    validationErrorCode?: string;
    earlyDataAccepted: boolean;
  }
  /** A socket. */
  export class QuicEndpoint {
    constructor(options: { address: string });
    /** Once it is used. */
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
    /** Once its streams are at their end. */
    close(options?: { code: number; type: 'application' }): Promise<void>;
    /** At once. */
    destroy(): void;
    readonly endpoint: { close(): Promise<void> };
    /**
     * Windows in bytes, times in ns, counts since the beginning; all 0 until the handshake has begun. Other fields of it, bytesInFlight,
     * ssthresh, blockCount and bytesLost among them, are 0 always.
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
    /** undefined: it is closed. */
    readonly path: { readonly local: SocketAddress; readonly remote: SocketAddress } | undefined;
    /** As told in the handshake (RFC 9000, 18.2). */
    readonly localTransportParams: TransportParameters | undefined;
    readonly remoteTransportParams: TransportParameters | undefined;
    readonly peerCertificate: import('node:crypto').X509Certificate | undefined;
    /** Without HTTP/3 there are no headers. */
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
      /** Left out: lsquic's own choice, by the first round-trip time. */
      cc?: CongestionControl;
      groups?: string;
      /** PEM. */
      ca?: readonly Uint8Array[];
      cc?: string;
      /** What this end offers, in bytes. */
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
      /** Left out: X25519, P-256, P-384. */
      groups?: string;
      cc: CongestionControl;
      keylog?: boolean;
    },
  ): Promise<{ address: { address: string; port: number }; close(): Promise<void> }>;
}
