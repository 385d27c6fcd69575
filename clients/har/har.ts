/** HAR 1.2 as written here; names with an underscore are extensions, mostly those of Chromium's DevTools. */
export interface Har {
  log: HarLog;
}

interface HarLog {
  version: '1.2';
  creator: HarProgram;
  browser: HarProgram;
  pages: HarPage[];
  /** In order of their start. */
  entries: HarEntry[];
  comment?: string;
}

interface HarProgram {
  name: string;
  version: string;
  comment?: string;
}

export interface HarPage {
  id: string;
  /** ISO 8601, UTC: when the browser requested the main document. */
  startedDateTime: string;
  /** URL of the navigation, as in DevTools. */
  title: string;
  /** In ms since startedDateTime; -1: not reached. */
  pageTimings: { onContentLoad: number; onLoad: number };
  comment?: string;
}

export interface HarEntry {
  pageref: string;
  /** ISO 8601, UTC: when the network stack received the request. */
  startedDateTime: string;
  /** In ms; the sum of the phases. */
  time: number;
  request: HarRequest;
  response: HarResponse;
  cache: Record<string, never>;
  timings: HarTimings;
  /** Absent without a connection. */
  serverIPAddress?: string;
  /** Port of the server, which DevTools show with the remote address. */
  connection?: string;
  /** Chromium's number of the connection, or its local port in Firefox; the same for all entries on one connection. */
  _connectionId?: string;
  /** The browser's id, shared by all steps of a redirect. */
  _requestId: string;
  _initiator: HarInitiator;
  /** Final priority: VeryLow, Low, Medium, High, VeryHigh; in Firefox by the urgency in its header Priority. */
  _priority?: string;
  _initialPriority?: string;
  /** document, stylesheet, script, image, font, xhr, fetch, ping, preflight ... */
  _resourceType: string;
  _renderBlocking?: string;
  _isLinkPreload?: boolean;
  /** Chromium restarted it (Critical-CH, HSTS), and shows no connection of its first try. */
  _restarted?: true;
  /** Absent: from the network. In Firefox, `disk` is the HTTP cache, and `memory` that of a page's process. */
  _fromCache?: 'memory' | 'disk';
  /** Why this version of HTTP was used, in Chromium's words (alternativeJobWonRace ...). */
  _alternateProtocolUsage?: string;
  /** Marks the first request by HTTP/3 after a response by HTTP/2 from the same host. */
  _changedOver?: true;
  /** Absent without TLS or without a response. */
  _securityDetails?: HarSecurityDetails;
  /** Arrival of the decoded body: ms since the page's start, and bytes; absent: Firefox. */
  _chunks?: { ts: number; bytes: number }[];
}

export interface HarRequest {
  method: string;
  /** As requested, with its fragment. */
  url: string;
  /** Version of the response, since the connection negotiates it; `unknown` without a response. */
  httpVersion: string;
  cookies: HarCookie[];
  headers: HarPair[];
  queryString: HarPair[];
  postData?: HarPostData;
  /** In bytes; -1: unknown, as always with compressed headers (h2, h3). */
  headersSize: number;
  /** In bytes; 0: no body, -1: unknown. */
  bodySize: number;
}

export interface HarResponse {
  /** 0 without a response. */
  status: number;
  statusText: string;
  /** h3, h2, http/1.1; `unknown` without a response. */
  httpVersion: string;
  cookies: HarCookie[];
  headers: HarPair[];
  content: HarContent;
  redirectURL: string;
  /** In bytes; -1: unknown, as always with compressed headers (h2, h3). */
  headersSize: number;
  /** In bytes, before content decoding; -1: unknown. */
  bodySize: number;
  /**
   * Bytes received after TLS or QUIC decryption, headers included; 0: from a cache. Firefox counts the headers of h2 and h3
   * uncompressed, and no frames.
   */
  _transferSize: number;
  /** Why the request failed, in the browser's words (net::ERR_..., NS_ERROR_...); absent: success. */
  _error?: string;
  _fetchedViaServiceWorker?: boolean;
}

export interface HarContent {
  /** Decoded body, in bytes. */
  size: number;
  /** Bytes saved by content coding; absent: none. */
  compression?: number;
  mimeType: string;
}

/** Consecutive phases in ms; -1: did not occur. */
export interface HarTimings {
  /** Waiting for a connection, and gaps between phases. */
  blocked: number;
  dns: number;
  /** Includes the TLS or QUIC handshake. */
  connect: number;
  /** Part of connect: never add it to the sum. */
  ssl: number;
  send: number;
  wait: number;
  receive: number;
  /** Time in the renderer's queue before startedDateTime; not part of the sum. */
  _queued?: number;
}

export interface HarPostData {
  mimeType: string;
  text: string;
  /** Only for application/x-www-form-urlencoded. */
  params?: HarPair[];
}

export interface HarCookie {
  name: string;
  value: string;
  path?: string;
  domain?: string;
  expires?: string;
  httpOnly?: boolean;
  secure?: boolean;
}

export interface HarPair {
  name: string;
  value: string;
}

/** Cause of the request, as Network.Initiator of the DevTools protocol. */
export interface HarInitiator {
  type: string;
  url?: string;
  lineNumber?: number;
  columnNumber?: number;
  requestId?: string;
  stack?: unknown;
}

export interface HarSecurityDetails {
  /** `QUIC`, `TLS 1.3`. */
  protocol: string;
  cipher: string;
  keyExchange: string;
  keyExchangeGroup: string;
}
