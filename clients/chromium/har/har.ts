/** HAR 1.2 as this project writes it; names with an underscore are extensions, most of them those of Chromium's DevTools. */
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
  /** ISO 8601, UTC: when the main document was asked for. */
  startedDateTime: string;
  /** The URL asked for, as in DevTools. */
  title: string;
  /** In ms since startedDateTime; -1: did not happen. */
  pageTimings: { onContentLoad: number; onLoad: number };
  comment?: string;
}

export interface HarEntry {
  pageref: string;
  /** ISO 8601, UTC: when the browser's network stack took the request. */
  startedDateTime: string;
  /** In ms; the sum of the phases. */
  time: number;
  request: HarRequest;
  response: HarResponse;
  cache: Record<string, never>;
  timings: HarTimings;
  /** Absent when nothing was reached. */
  serverIPAddress?: string;
  /** The server's port: what the DevTools show as part of the remote address. */
  connection?: string;
  /** Chromium's own number of the connection: the same in all entries that shared one. */
  _connectionId?: string;
  /** Chromium's id; all steps of a redirect have the same one. */
  _requestId: string;
  _initiator: HarInitiator;
  /** At the end: VeryLow, Low, Medium, High, VeryHigh. */
  _priority?: string;
  _initialPriority?: string;
  /** document, stylesheet, script, image, font, xhr, fetch, ping, preflight ... */
  _resourceType: string;
  _renderBlocking?: string;
  _isLinkPreload?: boolean;
  /** Chromium began it anew by itself (Critical-CH, HSTS), and shows the connection of its first try nowhere. */
  _restarted?: true;
  /** Absent: from the network. */
  _fromCache?: 'memory' | 'disk';
  /** Why it came by the version of HTTP that it came by, in Chromium's words (alternativeJobWonRace ...). */
  _alternateProtocolUsage?: string;
  /** The first by HTTP/3 after one of the same host had come by HTTP/2. */
  _changedOver?: true;
  /** Absent without TLS or without a response. */
  _securityDetails?: HarSecurityDetails;
  /** When (ms since the page's start) how many bytes of the decoded body arrived. */
  _chunks?: { ts: number; bytes: number }[];
}

export interface HarRequest {
  method: string;
  /** As the browser asked for it, with its fragment. */
  url: string;
  /** Of the response, since that is what was negotiated; `unknown` without one. */
  httpVersion: string;
  cookies: HarCookie[];
  headers: HarPair[];
  queryString: HarPair[];
  postData?: HarPostData;
  /** In bytes; -1: unknown, as always with compressed headers (h2, h3). */
  headersSize: number;
  /** In bytes; 0 without body, -1: unknown. */
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
  /** In bytes, content coding still on; -1: unknown. */
  bodySize: number;
  /** Bytes received, headers included, after TLS or QUIC; 0 from a cache. */
  _transferSize: number;
  /** Why the request failed, in Chromium's words (net::ERR_...); absent when it did not. */
  _error?: string;
  _fetchedViaServiceWorker?: boolean;
}

export interface HarContent {
  /** Of the decoded body, in bytes. */
  size: number;
  /** What the content coding saved, in bytes; absent when nothing. */
  compression?: number;
  mimeType: string;
}

/** Phases in ms, one after the other; -1: did not take place. */
export interface HarTimings {
  /** All waiting that is no other phase: for a connection, and between two phases. */
  blocked: number;
  dns: number;
  /** With the TLS or QUIC handshake. */
  connect: number;
  /** Lies inside connect: never add it to the others. */
  ssl: number;
  send: number;
  wait: number;
  receive: number;
  /** Before startedDateTime, in the renderer; in no sum. */
  _queued?: number;
}

export interface HarPostData {
  mimeType: string;
  text: string;
  /** Only of application/x-www-form-urlencoded. */
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

/** What caused the request, as the protocol's Network.Initiator has it. */
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
