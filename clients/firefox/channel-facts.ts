/**
 * What Firefox's network stack knows of one request; each step of a redirect is one. Times are in ms since 1970, with µs; 0: did not
 * happen.
 */
export interface ChannelFacts {
  /** Of the first step of its redirects. */
  firstId: number;
  url: string;
  method: string;
  /** Names of nsIContentPolicy without `TYPE_`: DOCUMENT, IMAGE; INTERNAL_IMAGE_PRELOAD. */
  purpose: string;
  innerPurpose: string;
  /** URL of the document or style sheet that caused it; empty: the browser itself. */
  initiatorUrl: string;
  openedMs: number;
  dnsStartMs: number;
  dnsEndMs: number;
  connectStartMs: number;
  tlsStartMs: number;
  connectEndMs: number;
  requestStartMs: number;
  /** Of the final response, not of an early hint. */
  responseStartMs: number;
  responseEndMs: number;
  /** When the main thread knew of the end; null: it has not ended. */
  endedMs: number | null;
  /** In Firefox's words: NS_BINDING_ABORTED; null: none, or not ended. */
  error: string | null;
  /** Names of nsILoadInfo without `BLOCKING_REASON_`; null: not blocked. */
  blocked: string | null;
  /** 0: no response. */
  status: number;
  statusText: string;
  /** Version of HTTP of the response: 3.0, 2.0, 1.1; empty: no response. */
  version: string;
  cache: 'disk' | 'memory' | null;
  requestHeaders: HeaderField[];
  responseHeaders: HeaderField[];
  contentType: string;
  /** null: no body. */
  requestBody: RequestBody | null;
  /** null: no connection. */
  connection: { localPort: number; address: string; port: number } | null;
  /** null: no TLS. */
  tls: { version: number; cipher: string; group: string } | null;
  /** Request with its headers, which are not compressed in this number. */
  requestBytes: number;
  /** Response with its headers, which are not compressed in this number. */
  transferBytes: number;
  encodedBytes: number;
  /** 0: as encoded, or not known. */
  decodedBytes: number;
  /** Whether it is the last one within the limits, and more requests are missing. */
  isCut?: boolean;
}

export type HeaderField = [name: string, value: string];

interface RequestBody {
  /** null: not known. */
  bytes: number | null;
  /** null: too long, or not kept by Firefox. */
  text: string | null;
}

/** Network activity of a user context. */
export interface ChannelActivity {
  pending: number;
  /** Since the last start or end of a request. */
  silentMs: number;
}

/** JavaScript that returns the requests of a user context since its last call, and forgets them; the page's timings come first. */
export function factsOf(userContextId: number): string {
  return `benchChannels.take(${userContextId})`;
}

/** JavaScript that returns the ChannelActivity of a user context. */
export function activityOf(userContextId: number): string {
  return `benchChannels.activity(${userContextId})`;
}

const LIMITS = {
  /** User contexts with requests that are still to be read. */
  contexts: 8,
  requestsPerContext: 5_000,
  /** Of one answer, as JSON: a message of Firefox has at most three bytes for each. */
  characters: 16 << 20,
  /** Enough to show any form or beacon in the HAR. */
  requestBodyBytes: 65_536,
};

/** Why a load whose facts have `isCut` has no HAR. */
export const TOO_MANY_REQUESTS = `the page made more than ${LIMITS.requestsPerContext} requests, or their URLs and headers have more than ${LIMITS.characters} characters`;

interface Fields {
  [name: string]: number;
}

/** Members of Firefox's channels that are read here; absent ones throw. */
interface Channel {
  channelId: number;
  URI: { spec: string };
  requestMethod: string;
  loadInfo: {
    originAttributes: { userContextId: number };
    externalContentPolicyType: number;
    internalContentPolicyType: number;
    requestBlockingReason: number;
    triggeringPrincipal: { isSystemPrincipal: boolean; spec: string } | null;
  } | null;
  status: number;
  responseStatus: number;
  responseStatusText: string;
  contentType: string;
  contentCharset: string;
  localPort: number;
  remoteAddress: string;
  remotePort: number;
  securityInfo: { protocolVersion: number; cipherName: string; keaGroupName: string } | null;
  requestSize: number;
  transferSize: number;
  encodedBodySize: number;
  decodedBodySize: number;
  uploadStream: SeekableStream | null;
  QueryInterface(type: unknown): void;
  getResponseVersion(major: { value?: number }, minor: { value?: number }): void;
  visitRequestHeaders(visitor: Visitor): void;
  visitOriginalResponseHeaders(visitor: Visitor): void;
  getProperty(name: string): number;
  setProperty(name: string, value: number): void;
}

interface SeekableStream {
  QueryInterface(type: unknown): void;
  available(): number;
  seek(whence: number, offset: number): void;
}

interface Visitor {
  visitHeader(name: string, value: string): void;
}

interface Observer {
  observe(channel: Channel, topic: string): void;
}

/** A content process's report of a request. */
interface ContentReport {
  userContextId: number;
  id: number;
  decodedBytes: number;
  blocked: string | null;
  error: string | null;
}

type Describe = (channel: Channel) => ChannelFacts;

// Globals of Firefox's own scripts.
declare const Ci: Record<string, Fields>;
declare const ChromeUtils: {
  getXPCOMErrorName(status: number): string;
  importESModule(url: string): {
    NetUtil: { readInputStreamToString(stream: SeekableStream, bytes: number): string };
  };
};
declare const Services: {
  obs: { addObserver(observer: Observer, topic: string): void };
  cpmm: { sendAsyncMessage(name: string, data: unknown): void };
  ppmm: {
    loadProcessScript(url: string, delayed: boolean): void;
    addMessageListener<Data>(name: string, listener: (message: { data: Data }) => void): void;
  };
};

// The functions below run in Firefox, so they must not use variables from outside.

/** Describes a channel in any process and state. */
function describe(channel: Channel): ChannelFacts {
  const { nsIHttpChannelInternal, nsITimedChannel, nsIContentPolicy, nsILoadInfo } = Ci;
  for (const type of [nsIHttpChannelInternal, nsITimedChannel]) channel.QueryInterface(type);
  const read = <Value>(get: () => Value, missing: Value): Value => {
    try {
      return get();
    } catch {
      return missing;
    }
  };
  const ms = (name: string) =>
    read(() => (channel as unknown as Fields)[`${name}Time`] ?? 0, 0) / 1000;
  const nameOf = (names: Fields | undefined, prefix: string, value: number | undefined) =>
    Object.keys(names ?? {})
      .find((name) => name.startsWith(prefix) && names?.[name] === value)
      ?.slice(prefix.length) ?? '';
  const fieldsOf = (visit: 'visitRequestHeaders' | 'visitOriginalResponseHeaders') => {
    const fields: HeaderField[] = [];
    const visitHeader = (name: string, value: string) => fields.push([name, value]);
    read(() => channel[visit]({ visitHeader }), undefined);
    return fields;
  };
  const version = () => {
    const [major, minor]: { value?: number }[] = [{}, {}];
    if (!major || !minor || channel.responseStatus === 0) return '';
    channel.getResponseVersion(major, minor);
    return `${major.value}.${minor.value}`;
  };
  const { loadInfo } = channel;
  const cause = loadInfo?.triggeringPrincipal;
  const reason = loadInfo?.requestBlockingReason;
  return {
    firstId: channel.channelId,
    url: channel.URI.spec,
    method: channel.requestMethod,
    purpose: nameOf(nsIContentPolicy, 'TYPE_', loadInfo?.externalContentPolicyType),
    innerPurpose: nameOf(nsIContentPolicy, 'TYPE_', loadInfo?.internalContentPolicyType),
    initiatorUrl: cause && !cause.isSystemPrincipal ? cause.spec : '',
    openedMs: ms('asyncOpen') || Date.now(),
    dnsStartMs: ms('domainLookupStart'),
    dnsEndMs: ms('domainLookupEnd'),
    connectStartMs: ms('connectStart'),
    tlsStartMs: ms('secureConnectionStart'),
    connectEndMs: ms('connectEnd'),
    requestStartMs: ms('requestStart'),
    responseStartMs: ms('finalResponseHeadersStart') || ms('responseStart'),
    responseEndMs: ms('responseEnd'),
    endedMs: null,
    error: null,
    blocked: reason ? nameOf(nsILoadInfo, 'BLOCKING_REASON_', reason) : null,
    status: read(() => channel.responseStatus, 0),
    statusText: read(() => channel.responseStatusText, ''),
    version: read(version, ''),
    cache: null,
    requestHeaders: fieldsOf('visitRequestHeaders'),
    responseHeaders: fieldsOf('visitOriginalResponseHeaders'),
    contentType: read(() => channel.contentType, ''),
    requestBody: null,
    connection: read(() => {
      const { localPort, remoteAddress: address, remotePort: port } = channel;
      return { localPort, address, port };
    }, null),
    tls: read(() => {
      const { securityInfo: tls } = channel;
      // A failed handshake has no version.
      return (
        tls && { version: tls.protocolVersion, cipher: tls.cipherName, group: tls.keaGroupName }
      );
    }, null),
    requestBytes: read(() => channel.requestSize, 0),
    transferBytes: read(() => channel.transferSize, 0),
    encodedBytes: read(() => channel.encodedBodySize, 0),
    decodedBytes: read(() => channel.decodedBodySize, 0),
  };
}

/**
 * Reports from a content process what the browser's own process does not know: sizes of decoded bodies, what rules of origins
 * block, and responses from the caches of images, scripts and style sheets.
 */
function reportFromContent(describeChannel: Describe): void {
  const contextOf = (channel: Channel) => channel.loadInfo?.originAttributes.userContextId ?? 0;
  const listen = (topic: string, report: (channel: Channel, userContextId: number) => void) => {
    const observe = (channel: Channel) => {
      channel.QueryInterface(Ci.nsIHttpChannel);
      const userContextId = contextOf(channel);
      if (userContextId !== 0) report(channel, userContextId);
    };
    Services.obs.addObserver({ observe }, topic);
  };
  listen('http-on-before-stop-request', (channel, userContextId) => {
    const { channelId: id, decodedBodySize: decodedBytes, status } = channel;
    const isBlocked = channel.loadInfo?.requestBlockingReason;
    if (!decodedBytes && !isBlocked) return;
    const blocked = isBlocked ? describeChannel(channel).blocked : null;
    const error = isBlocked ? ChromeUtils.getXPCOMErrorName(status) : null;
    const report: ContentReport = { userContextId, id, decodedBytes, blocked, error };
    Services.cpmm.sendAsyncMessage('bench:request', report);
  });
  listen('http-on-resource-cache-response', (channel, userContextId) => {
    const facts = { ...describeChannel(channel), cache: 'memory', endedMs: Date.now() };
    Services.cpmm.sendAsyncMessage('bench:cached', { userContextId, facts });
  });
}

/** Observes every request of user contexts, and describes them when they are read, which costs a load nothing. */
function observeRequests(
  describeChannel: Describe,
  contentScript: string,
  limits: typeof LIMITS,
): void {
  interface Request {
    channel: Channel;
    /** What the channel does not report later. */
    known: Partial<ChannelFacts>;
    fromContent: Partial<ChannelFacts>;
  }
  interface Context {
    requests: Map<number, Request>;
    cached: ChannelFacts[];
    changedMs: number;
    /** Whether more requests are missing. */
    isCut: boolean;
  }
  const { NetUtil } = ChromeUtils.importESModule('resource://gre/modules/NetUtil.sys.mjs');
  const contexts = new Map<number, Context>();

  const contextOf = (id: number): Context => {
    let context = contexts.get(id);
    if (context === undefined) {
      const [oldest] = contexts.keys();
      if (oldest !== undefined && contexts.size >= limits.contexts) contexts.delete(oldest);
      context = { requests: new Map(), cached: [], changedMs: Date.now(), isCut: false };
      contexts.set(id, context);
    }
    return context;
  };

  /** Redirects copy a channel's properties to the next one. */
  const firstIdOf = (channel: Channel): number => {
    channel.QueryInterface(Ci.nsIWritablePropertyBag);
    try {
      return channel.getProperty('benchFirstId');
    } catch {
      channel.setProperty('benchFirstId', channel.channelId);
      return channel.channelId;
    }
  };

  /** Before it is sent: the stream is then at its start. */
  const bodyOf = (channel: Channel): RequestBody | null => {
    channel.QueryInterface(Ci.nsIUploadChannel);
    const stream = channel.uploadStream;
    if (stream === null) return null;
    try {
      stream.QueryInterface(Ci.nsISeekableStream);
      const bytes = stream.available();
      if (bytes > limits.requestBodyBytes) return { bytes, text: null };
      try {
        const read = NetUtil.readInputStreamToString(stream, bytes);
        const text = new TextDecoder().decode(Uint8Array.from(read, (byte) => byte.charCodeAt(0)));
        return { bytes, text };
      } finally {
        stream.seek(0, 0);
      }
    } catch {
      return { bytes: null, text: null };
    }
  };

  const open = (channel: Channel, context: Context) => {
    const { requests } = context;
    const { channelId: id } = channel;
    if (requests.has(id)) return;
    if (requests.size >= limits.requestsPerContext) {
      context.isCut = true;
      return;
    }
    const known = { firstId: firstIdOf(channel), requestBody: bodyOf(channel) };
    requests.set(id, { channel, known, fromContent: {} });
  };

  /** Later the cached response takes the place of `304`, and a blocked one has no headers. */
  const keepResponse = ({ channel, known }: Request) => {
    const { status, statusText, responseHeaders } = describeChannel(channel);
    Object.assign(known, { status, statusText, responseHeaders });
  };

  const end = ({ channel, known }: Request) => {
    // A page that rejects a response makes it end again.
    if (known.endedMs) return;
    const { status } = channel;
    const error = status === 0 ? null : ChromeUtils.getXPCOMErrorName(status);
    Object.assign(known, { error, endedMs: Date.now() });
  };

  const observe = (channel: Channel, topic: string) => {
    channel.QueryInterface(Ci.nsIHttpChannel);
    const id = channel.loadInfo?.originAttributes.userContextId;
    if (!id) return;
    const context = contextOf(id);
    const request = context.requests.get(channel.channelId);
    if (topic === 'http-on-modify-request') open(channel, context);
    else if (request === undefined) return;
    else if (topic === 'http-on-examine-response') return keepResponse(request);
    else if (topic === 'http-on-examine-cached-response') request.known.cache = 'disk';
    else end(request);
    context.changedMs = Date.now();
  };

  for (const topic of [
    'http-on-modify-request',
    'http-on-examine-response',
    'http-on-examine-cached-response',
    'http-on-stop-request',
  ]) {
    Services.obs.addObserver({ observe }, topic);
  }
  Services.ppmm.addMessageListener<ContentReport>('bench:request', ({ data }) => {
    const { userContextId, id, decodedBytes, blocked, error } = data;
    const request = contexts.get(userContextId)?.requests.get(id);
    if (!request) return;
    request.fromContent = {
      ...(decodedBytes && { decodedBytes }),
      ...(blocked && { blocked, error }),
    };
  });
  Services.ppmm.addMessageListener<{ userContextId: number; facts: ChannelFacts }>(
    'bench:cached',
    ({ data: { userContextId, facts } }) => {
      const context = contexts.get(userContextId);
      if (!context) return;
      if (context.cached.length < limits.requestsPerContext) context.cached.push(facts);
      else context.isCut = true;
    },
  );
  Services.ppmm.loadProcessScript(contentScript, true);

  Object.assign(globalThis, {
    benchChannels: {
      take(id: number): ChannelFacts[] {
        const context = contexts.get(id);
        contexts.delete(id);
        if (!context) return [];
        const requests = [...context.requests.values()].map(({ channel, known, fromContent }) => ({
          ...describeChannel(channel),
          ...known,
          ...fromContent,
          error: known.error ?? fromContent.error ?? null,
        }));
        let characters = 0;
        const all = [...requests, ...context.cached];
        const kept = all.filter((facts) => {
          characters += JSON.stringify(facts).length;
          return characters <= limits.characters;
        });
        const last = kept.at(-1);
        if (last && (context.isCut || kept.length < all.length)) last.isCut = true;
        return kept;
      },
      activity(id: number): ChannelActivity {
        const context = contexts.get(id);
        const requests = [...(context?.requests.values() ?? [])];
        return {
          pending: requests.filter(({ known }) => !known.endedMs).length,
          silentMs: context ? Date.now() - context.changedMs : 0,
        };
      },
    },
  });
}

const CONTENT_SCRIPT = `data:application/javascript,${encodeURIComponent(
  `(${reportFromContent})(${describe})`,
)}`;

/** JavaScript for Firefox's own window, once: observes the requests of all user contexts. */
export const OBSERVE_CHANNELS = `(${observeRequests})(${describe}, ${JSON.stringify(CONTENT_SCRIPT)}, ${JSON.stringify(LIMITS)})`;
