/** Types of the parts of chrome-har 1.3.1 used here; it ships none. */
declare module 'chrome-har' {
  type Entry = import('../../har/har.ts').HarEntry;
  type Request = import('../../har/har.ts').HarRequest;
  type Response = import('../../har/har.ts').HarResponse;

  export interface ChromeHarEntry
    extends Pick<
      Entry,
      | 'startedDateTime'
      | 'pageref'
      | 'timings'
      | 'serverIPAddress'
      | '_requestId'
      | '_initialPriority'
      | '_priority'
      | '_renderBlocking'
      | '_isLinkPreload'
      | '_chunks'
    > {
    request: Pick<Request, 'method' | 'httpVersion' | 'cookies' | 'headers'>;
    response: Omit<Response, 'content' | 'bodySize' | `_${string}`> & {
      content: { mimeType: string };
    };
    _resourceType?: string;
  }

  export interface ChromeHar {
    log: {
      creator: { name: string; version: string };
      pages: {
        id: string;
        startedDateTime: string;
        pageTimings: { onContentLoad?: number; onLoad?: number };
      }[];
      entries: ChromeHarEntry[];
    };
  }

  export function harFromMessages(
    messages: { method: string; params: unknown }[],
    options?: { includeResourcesFromDiskCache?: boolean },
  ): ChromeHar;
}
