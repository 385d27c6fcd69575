import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SiteManifest } from '../../../cache/manifest.ts';
import type { AskedNetwork } from '../../../records/network.ts';
import type { Har, HarEntry } from '../../../runner/har/har.ts';
import { judge, type PathUse } from '../../../runner/judge.ts';
import { NOTHING_ADDED } from '../../../runner/network/conditions.ts';

const MANIFEST = {
  url: 'https://a.test/',
  complete: true,
  resources: [
    { method: 'GET', url: 'https://a.test/', status: 200 },
    { method: 'GET', url: 'https://a.test/moved', status: 302 },
    { method: 'POST', url: 'https://b.test/beacon', status: 204 },
  ],
} as SiteManifest;

interface EntryInShort {
  url: string;
  method?: string;
  status?: number;
  httpVersion?: string;
  connect?: number;
  error?: string;
}

function entry({
  url,
  method = 'GET',
  status = 200,
  httpVersion = 'h3',
  connect = -1,
  error,
}: EntryInShort) {
  return {
    _requestId: url,
    _resourceType: url === 'https://a.test/' ? 'document' : 'image',
    request: { method, url },
    response: { status, httpVersion, _error: error },
    timings: { connect },
  } as HarEntry;
}

const DOCUMENT = { url: 'https://a.test/', connect: 12.5 };
const MOVED = { url: 'https://a.test/moved', status: 302 };
const BEACON = { url: 'https://b.test/beacon', method: 'POST', status: 204 };

const NOTHING_LOST = { packets: 9, bytes: 999, lost: 0, queueDrops: 0 };
const NONE = NOTHING_ADDED;
const PATH_USE: PathUse = {
  asked: NONE,
  counts: { toServer: NOTHING_LOST, toClient: NOTHING_LOST, maxLatenessMs: null },
};

function judged(entries: EntryInShort[], manifest = MANIFEST, pathUse = PATH_USE) {
  return judge({ log: { entries: entries.map(entry) } } as Har, manifest, 'h3', pathUse);
}

test("a load of all recorded resources by the stack's protocol is ok", () => {
  assert.deepEqual(judged([DOCUMENT, MOVED, BEACON]), { outcome: 'ok', code: null, message: null });
});

test('one response by another protocol makes the load invalid and is named', () => {
  const { outcome, code, message } = judged([DOCUMENT, { ...MOVED, httpVersion: 'h2' }, BEACON]);
  assert.equal(outcome, 'invalid');
  assert.equal(code, 'wrong-protocol');
  assert.match(message ?? '', /1 of 3 responses.*https:\/\/a\.test\/moved came by h2/);
});

test('a document without a connection set-up makes the load invalid', () => {
  for (const connect of [-1, 0]) {
    assert.equal(judged([{ ...DOCUMENT, connect }, MOVED, BEACON]).code, 'no-handshake');
  }
});

test('a status other than the recorded one makes the load invalid', () => {
  const { code, message } = judged([DOCUMENT, { ...MOVED, status: 404 }, BEACON]);
  assert.equal(code, 'wrong-status');
  assert.match(message ?? '', /moved has 404, recorded is 302/);
});

test('a missing, an extra and a repeated request make the load of a complete site invalid', () => {
  const missing = judged([DOCUMENT, MOVED]);
  assert.equal(missing.code, 'request-set-differs');
  assert.match(missing.message ?? '', /missing: POST https:\/\/b\.test\/beacon; extra: none/);
  const extra = { url: 'https://c.test/x', status: 0, httpVersion: 'unknown' };
  assert.match(
    judged([DOCUMENT, MOVED, BEACON, extra]).message ?? '',
    /extra: GET https:\/\/c\.test/,
  );
  assert.match(judged([DOCUMENT, MOVED, MOVED, BEACON]).message ?? '', /extra: GET .*moved/);
});

test('a recorded resource that does not come, or breaks off, makes the load invalid', () => {
  const lost = { ...MOVED, status: 0, httpVersion: 'unknown', error: 'net::ERR_CONNECTION_RESET' };
  const brokenOff = { ...MOVED, error: 'net::ERR_CONTENT_LENGTH_MISMATCH' };
  for (const failed of [lost, brokenOff]) {
    for (const complete of [true, false]) {
      const { code, message } = judged([DOCUMENT, failed, BEACON], { ...MANIFEST, complete });
      assert.equal(code, 'request-failed');
      assert.match(message ?? '', /moved \(net::ERR_CO/);
    }
  }
});

test('a page that is not known completely may give a request up', () => {
  const givenUp = { ...MOVED, status: 0, httpVersion: 'unknown', error: 'net::ERR_ABORTED' };
  const loaded = [DOCUMENT, givenUp, BEACON];
  assert.equal(judged(loaded, { ...MANIFEST, complete: false }).outcome, 'ok');
  assert.equal(judged(loaded).code, 'request-failed');
});

test('a fetch without a body that Chromium calls aborted is an answer', () => {
  const aborted = { ...BEACON, error: 'net::ERR_ABORTED' };
  assert.equal(judged([DOCUMENT, MOVED, aborted]).outcome, 'ok');
});

test('a favicon may be seen, be seen unanswered, or not be seen', () => {
  const recorded = { method: 'GET', url: 'https://a.test/favicon.ico', status: 204 } as const;
  const resources = [...MANIFEST.resources, recorded] as SiteManifest['resources'];
  const seen = { url: recorded.url, status: 204 };
  const unanswered = { url: recorded.url, status: 0, httpVersion: 'unknown', error: 'no response' };
  for (const icon of [[seen], [unanswered], []]) {
    const { outcome } = judged([DOCUMENT, MOVED, BEACON, ...icon], { ...MANIFEST, resources });
    assert.equal(outcome, 'ok');
  }
});

test('a site that is not known completely may ask for less and more', () => {
  const manifest = { ...MANIFEST, complete: false };
  const unknown = { url: 'https://a.test/unknown', status: 404 };
  const blocked = { url: 'https://c.test/x', status: 0, httpVersion: 'unknown' };
  assert.equal(judged([DOCUMENT, unknown, blocked], manifest).outcome, 'ok');
});

test('a fragment does not make a URL another one', () => {
  assert.equal(judged([DOCUMENT, { ...MOVED, url: `${MOVED.url}#part` }, BEACON]).outcome, 'ok');
});

test('packets that the path drops unasked make the load invalid', () => {
  const whole = [DOCUMENT, MOVED, BEACON];
  const used = (asked: Partial<AskedNetwork>, counts: Partial<typeof NOTHING_LOST>): PathUse => ({
    asked: { ...NONE, ...asked },
    counts: {
      toServer: NOTHING_LOST,
      toClient: { ...NOTHING_LOST, ...counts },
      maxLatenessMs: 0.2,
    },
  });
  const dropped = judged(whole, MANIFEST, used({}, { queueDrops: 3 }));
  assert.equal(dropped.code, 'path-disturbed');
  assert.match(dropped.message ?? '', /dropped 3 packets/);
  assert.equal(judged(whole, MANIFEST, used({}, { lost: 1 })).code, 'path-disturbed');
  assert.equal(judged(whole, MANIFEST, used({ lossPercent: 1 }, { lost: 1 })).outcome, 'ok');
  assert.equal(judged(whole, MANIFEST, used({ downKbps: 1000 }, { queueDrops: 3 })).outcome, 'ok');
  assert.equal(
    judged(whole, MANIFEST, used({ upKbps: 1000 }, { queueDrops: 3 })).code,
    'path-disturbed',
  );
});
