import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createContext, runInContext } from 'node:vm';
import { activityOf, type ChannelFacts, factsOf, OBSERVE_CHANNELS } from '../../channel-facts.ts';

const USER_CONTEXT = 6;

/** A channel as Firefox's scripts see it; reading what it lacks throws there, and here is undefined. */
function madeChannel(channelId: number, changes: object = {}, userContextId = USER_CONTEXT) {
  const properties = new Map<string, number>();
  return {
    channelId,
    URI: { spec: `https://www.example.org/${channelId}` },
    requestMethod: 'GET',
    status: 0,
    responseStatus: 200,
    responseStatusText: 'OK',
    asyncOpenTime: 1_000_500,
    responseStartTime: 2_000_000,
    finalResponseHeadersStartTime: 3_000_000,
    loadInfo: {
      originAttributes: { userContextId },
      externalContentPolicyType: 3,
      internalContentPolicyType: 38,
      requestBlockingReason: 0,
      triggeringPrincipal: { isSystemPrincipal: false, spec: 'https://www.example.org/' },
    },
    uploadStream: null,
    headers: [['etag', '"1"']],
    QueryInterface() {},
    getResponseVersion(major: { value: number }, minor: { value: number }) {
      [major.value, minor.value] = [3, 0];
    },
    visitRequestHeaders() {},
    visitOriginalResponseHeaders({ visitHeader }: { visitHeader: (...field: string[]) => void }) {
      for (const field of this.headers) visitHeader(...field);
    },
    getProperty(name: string) {
      const found = properties.get(name);
      if (found === undefined) throw new Error('no such property');
      return found;
    },
    setProperty: (name: string, value: number) => properties.set(name, value),
    ...changes,
  };
}

/** Firefox's own window, as far as the observer uses it. */
function observed() {
  const observers = new Map<string, (subject: object, topic: string) => void>();
  const listeners = new Map<string, (message: { data: object }) => void>();
  const scripts: string[] = [];
  const window = createContext({
    Ci: {
      nsIContentPolicy: { TYPE_IMAGE: 3, TYPE_INTERNAL_IMAGE_PRELOAD: 38 },
      nsILoadInfo: { BLOCKING_REASON_CORSMISSINGALLOWORIGIN: 1005 },
    },
    ChromeUtils: {
      getXPCOMErrorName: (status: number) => (status === 7 ? 'NS_BINDING_ABORTED' : 'NS_OTHER'),
      importESModule: () => ({
        NetUtil: { readInputStreamToString: (stream: { read(): string }) => stream.read() },
      }),
    },
    Services: {
      obs: {
        addObserver: ({ observe }: { observe: () => void }, topic: string) =>
          observers.set(topic, observe),
      },
      ppmm: {
        addMessageListener: (name: string, listener: () => void) => listeners.set(name, listener),
        loadProcessScript: (url: string) => scripts.push(url),
      },
    },
    TextDecoder,
  });
  runInContext(OBSERVE_CHANNELS, window);
  const read = <Value>(expression: string): Value =>
    JSON.parse(runInContext(`JSON.stringify(${expression})`, window));
  return {
    notify: (topic: string, channel: object) => observers.get(topic)?.(channel, topic),
    report: (name: string, data: object) => listeners.get(name)?.({ data }),
    facts: (id = USER_CONTEXT) => read<ChannelFacts[]>(factsOf(id)),
    activity: (id = USER_CONTEXT) => read<{ pending: number }>(activityOf(id)),
    scripts,
  };
}

const OPEN = 'http-on-modify-request';
const STOP = 'http-on-stop-request';

test('describes a request, in ms and by the names of constants', () => {
  const firefox = observed();
  const channel = madeChannel(1);
  firefox.notify(OPEN, channel);
  firefox.notify(STOP, channel);
  const [facts] = firefox.facts();
  assert.ok(facts?.endedMs);
  assert.deepEqual(
    [facts.url, facts.openedMs, facts.responseStartMs, facts.version, facts.error],
    ['https://www.example.org/1', 1000.5, 3000, '3.0', null],
  );
  assert.deepEqual([facts.purpose, facts.innerPurpose], ['IMAGE', 'INTERNAL_IMAGE_PRELOAD']);
  assert.deepEqual([facts.connection?.address, facts.tls], [undefined, undefined]);
});

test('forgets the requests that it has returned, and those of another context not', () => {
  const firefox = observed();
  firefox.notify(OPEN, madeChannel(1));
  firefox.notify(OPEN, madeChannel(2, {}, 7));
  assert.equal(firefox.facts().length, 1);
  assert.equal(firefox.facts().length, 0);
  assert.equal(firefox.facts(7).length, 1);
});

test('ignores requests of the browser itself, and ends of forgotten ones', () => {
  const firefox = observed();
  firefox.notify(OPEN, madeChannel(1, {}, 0));
  const channel = madeChannel(2);
  firefox.notify(OPEN, channel);
  firefox.facts();
  firefox.notify(STOP, channel);
  assert.deepEqual([firefox.facts(0), firefox.facts()], [[], []]);
});

test('counts pending requests', () => {
  const firefox = observed();
  const channel = madeChannel(1);
  firefox.notify(OPEN, channel);
  firefox.notify(OPEN, madeChannel(2));
  assert.equal(firefox.activity().pending, 2);
  firefox.notify(STOP, channel);
  assert.equal(firefox.activity().pending, 1);
  assert.deepEqual(firefox.activity(7), { pending: 0, silentMs: 0 });
});

test('takes the error of the first end, since a page may reject a complete response', () => {
  const firefox = observed();
  for (const [id, first, second] of [
    [1, 0, 7],
    [2, 7, 8],
  ] as const) {
    const channel = madeChannel(id);
    firefox.notify(OPEN, channel);
    firefox.notify(STOP, Object.assign(channel, { status: first }));
    firefox.notify(STOP, Object.assign(channel, { status: second }));
  }
  assert.deepEqual(
    firefox.facts().map(({ error }) => error),
    [null, 'NS_BINDING_ABORTED'],
  );
});

test('keeps a 304 that the cached response takes the place of', () => {
  const firefox = observed();
  const channel = madeChannel(1, { responseStatus: 304 });
  firefox.notify(OPEN, channel);
  firefox.notify('http-on-examine-response', channel);
  firefox.notify(STOP, Object.assign(channel, { responseStatus: 200, headers: [] }));
  const [facts] = firefox.facts();
  assert.deepEqual([facts?.status, facts?.responseHeaders], [304, [['etag', '"1"']]]);
});

test('marks responses from the caches', () => {
  const firefox = observed();
  const channel = madeChannel(1);
  firefox.notify(OPEN, channel);
  firefox.notify('http-on-examine-cached-response', channel);
  firefox.report('bench:cached', { userContextId: USER_CONTEXT, facts: { cache: 'memory' } });
  // Nothing was requested in this one, or it is forgotten.
  firefox.report('bench:cached', { userContextId: 7, facts: { cache: 'memory' } });
  assert.deepEqual(
    firefox.facts().map(({ cache }) => cache),
    ['disk', 'memory'],
  );
  assert.deepEqual(firefox.facts(7), []);
});

test('adds what only the process of the page knows', () => {
  const firefox = observed();
  const [read, blocked, failed] = [1, 2, 3].map((id) => madeChannel(id));
  assert.ok(read && blocked && failed);
  for (const channel of [read, blocked, failed]) firefox.notify(OPEN, channel);
  firefox.notify(STOP, Object.assign(failed, { status: 7 }));
  const report = { userContextId: USER_CONTEXT, decodedBytes: 0, blocked: null, error: null };
  const reason = { blocked: 'CORSMISSINGALLOWORIGIN', error: 'NS_ERROR_DOM_BAD_URI' };
  firefox.report('bench:request', { ...report, id: 1, decodedBytes: 400 });
  firefox.report('bench:request', { ...report, id: 2, ...reason });
  firefox.report('bench:request', { ...report, id: 3, ...reason });
  firefox.report('bench:request', { ...report, id: 4, decodedBytes: 400 });
  assert.deepEqual(
    firefox.facts().map(({ decodedBytes, blocked, error }) => [decodedBytes, blocked, error]),
    [
      [400, null, null],
      [undefined, 'CORSMISSINGALLOWORIGIN', 'NS_ERROR_DOM_BAD_URI'],
      [undefined, 'CORSMISSINGALLOWORIGIN', 'NS_BINDING_ABORTED'],
    ],
  );
});

test('gives the steps of a redirect one id', () => {
  const firefox = observed();
  const first = madeChannel(1);
  firefox.notify(OPEN, first);
  const { getProperty, setProperty } = first;
  firefox.notify(OPEN, madeChannel(2, { getProperty, setProperty }));
  assert.deepEqual(
    firefox.facts().map(({ firstId }) => firstId),
    [1, 1],
  );
});

test('reads the body of a request and rewinds it, unless it is long or not kept', () => {
  const firefox = observed();
  const stream = (text: string, bytes = Buffer.byteLength(text)) => ({
    position: 0,
    QueryInterface() {},
    available: () => bytes,
    read() {
      this.position = bytes;
      return Buffer.from(text).toString('latin1');
    },
    seek() {
      this.position = 0;
    },
  });
  const streams = [stream('é'), stream('', 65_537), { QueryInterface: () => assert.fail() }, null];
  for (const [index, uploadStream] of streams.entries()) {
    firefox.notify(OPEN, madeChannel(index, { uploadStream }));
  }
  assert.deepEqual(
    firefox.facts().map(({ requestBody }) => requestBody),
    [{ bytes: 2, text: 'é' }, { bytes: 65_537, text: null }, { bytes: null, text: null }, null],
  );
  assert.equal((streams[0] as ReturnType<typeof stream>).position, 0);
});

test('keeps a limited number of requests, and says when more are missing', () => {
  const firefox = observed();
  const openMore = (count: number) => {
    for (let id = 0; id < count; id += 1) firefox.notify(OPEN, madeChannel(id));
    return firefox.facts();
  };
  assert.equal(openMore(5_000).at(-1)?.isCut, undefined);
  const facts = openMore(5_001);
  assert.deepEqual([facts.length, facts.at(-1)?.isCut], [5_000, true]);
});

test('keeps a limited number of responses from the memory cache, and says when more are missing', () => {
  const firefox = observed();
  firefox.notify(OPEN, madeChannel(1));
  for (let id = 0; id < 5_001; id += 1) {
    firefox.report('bench:cached', { userContextId: USER_CONTEXT, facts: { cache: 'memory' } });
  }
  const facts = firefox.facts();
  assert.deepEqual([facts.length, facts.at(-1)?.isCut], [5_001, true]);
});

test('keeps a limited number of contexts with requests that are not read', () => {
  const firefox = observed();
  for (let id = 1; id <= 10; id += 1) firefox.notify(OPEN, madeChannel(id, {}, id));
  assert.deepEqual(
    [1, 2, 3, 10].map((id) => firefox.facts(id).length),
    [0, 0, 1, 1],
  );
});

test('returns a limited amount of text, and says when more is missing', () => {
  const firefox = observed();
  const spec = `https://www.example.org/${'x'.repeat(1 << 20)}`;
  for (let id = 0; id < 20; id += 1) firefox.notify(OPEN, madeChannel(id, { URI: { spec } }));
  const facts = firefox.facts();
  assert.deepEqual([facts.length, facts.at(-1)?.isCut], [15, true]);
});
