/** chrome-har ships no types; these are the parts used here, as version 1.3.1 writes them. */
declare module 'chrome-har' {
  interface Pair {
    name: string;
    value: string;
  }

  interface Cookie {
    name: string;
    value: string;
    path?: string;
    domain?: string;
    expires?: string;
    httpOnly?: boolean;
    secure?: boolean;
  }

  export interface ChromeHarEntry {
    startedDateTime: string;
    pageref: string;
    request: {
      method: string;
      httpVersion: string;
      cookies: Cookie[];
      headers: Pair[];
      postData?: { mimeType: string; params?: Pair[] };
    };
    response: {
      status: number;
      statusText: string;
      httpVersion: string;
      cookies: Cookie[];
      headers: Pair[];
      redirectURL: string;
      headersSize: number;
      content: { mimeType: string };
    };
    timings: {
      blocked: number;
      dns: number;
      connect: number;
      ssl: number;
      send: number;
      wait: number;
      receive: number;
      _queued?: number;
    };
    serverIPAddress?: string;
    _requestId: string;
    _initialPriority?: string;
    _priority?: string;
    _resourceType?: string;
    _renderBlocking?: string;
    _isLinkPreload?: boolean;
    _chunks?: { ts: number; bytes: number }[];
  }

  export interface ChromeHar {
    log: {
      version: string;
      creator: { name: string; version: string; comment: string };
      pages: {
        id: string;
        startedDateTime: string;
        title: string;
        pageTimings: { onContentLoad?: number; onLoad?: number };
      }[];
      entries: ChromeHarEntry[];
    };
  }

  export function harFromMessages(
    messages: { method: string; params: unknown }[],
    options?: { includeResourcesFromDiskCache?: boolean; includeTextFromResponseBody?: boolean },
  ): ChromeHar;
}
