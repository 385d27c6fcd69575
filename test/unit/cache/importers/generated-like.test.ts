import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { answersOf } from '../../../../cache/importers/answers.ts';
import { generatedLike, isWithoutDocument } from '../../../../cache/importers/generated-like.ts';
import { IMPORT_LIMITS, importBudget } from '../../../../cache/limits.ts';
import { RESOURCE_TYPES } from '../../../../cache/manifest.ts';
import type { RecordedExchange, Recording } from '../../../../cache/recording.ts';
import { assertEach } from '../../assert-each.ts';
import { EXAMPLE_DOCUMENT, exampleExchange, exampleRecording } from '../example-recording.ts';

type Change = Omit<Partial<RecordedExchange>, 'body' | 'sizes'>;
const unseen = (
  url: string,
  decodedBytes: number | null,
  wireBytes: number | null,
  change: Change = {},
) => exampleExchange(url, { ...change, body: null, sizes: { decodedBytes, wireBytes } });
const document = {
  ...EXAMPLE_DOCUMENT,
  body: null,
  sizes: { decodedBytes: 40_000, wireBytes: 10_000 },
};
const recordingOf = (exchanges: RecordedExchange[], rest: Partial<Recording> = {}) =>
  exampleRecording([], { exchanges: [document, ...exchanges], ...rest });
const judged = (recording: Recording) => {
  const budget = importBudget('x.har', IMPORT_LIMITS);
  return { file: 'x.har', budget, answered: answersOf(recording, budget) };
};
const isWithout = (recording: Recording) =>
  isWithoutDocument(recording, judged(recording).answered);
const generate = (recording: Recording) => generatedLike(recording, judged(recording));

test('takes sizes from the recording, and enlarges with a note what needs room for its requests', () => {
  const { manifest, notes } = generate(
    recordingOf([
      unseen('https://www.a.test/s.js', 20_000, 5000, { type: 'script' }),
      unseen('https://www.a.test/i.png', 900, null, {
        type: 'image',
        headers: [['content-type', 'image/png']],
      }),
      unseen('https://www.a.test/tiny.js', 5, 5, { type: 'script' }),
      unseen('https://www.a.test/x', 10, 10, { type: 'xhr', initiator: 3 }),
    ]),
  );
  const [page, script, image, tiny] = manifest.resources;
  assert.equal(page?.decodedBytes, 40_000);
  assert.ok(Math.abs((page?.wireBytes ?? 0) - 10_000) <= 200);
  assert.equal(script?.decodedBytes, 20_000);
  assert.ok(Math.abs((script?.wireBytes ?? 0) - 5000) <= 100);
  assert.equal(image?.wireBytes, 900);
  assert.deepEqual(notes, [
    `${tiny?.url}: larger than recorded, to have room for its requests: ${tiny?.decodedBytes} bytes instead of 5`,
  ]);
});

test('generates a whole page without its document, which alone makes the requests, with any bodies', () => {
  const script = exampleExchange('https://www.a.test/s.js', {
    body: 'let a;',
    type: 'script',
    sizes: { wireBytes: 6, decodedBytes: 6 },
  });
  const recording = recordingOf([script], { source: 'imported from a HAR: www.a.test' });
  assert.ok(isWithout(recording));
  const { manifest } = generate(recording);
  assert.equal(manifest.kind, 'generated');
  assert.match(
    manifest.source,
    /^generated from the sizes in a HAR: www\.a\.test, without the body of its document: /,
  );
  assertEach(manifest.resources, ({ decodedBytes }) => decodedBytes, [40_000, 6]);
  assert.ok(!isWithout(exampleRecording([unseen('https://a.test/', 1, 1)])));
  assert.ok(!isWithout({ ...exampleRecording(), exchanges: [] }));
  // Formats without sizes.
  const empty = { ...EXAMPLE_DOCUMENT, body: new Uint8Array() };
  assert.ok(!isWithout({ ...exampleRecording(), exchanges: [empty] }));
});

test('generates the page of a document after a sign-on bounce, and not of the bounce', () => {
  const moved = (from: string, to: string) =>
    unseen(from, 0, 0, { status: 302, headers: [['location', to]] });
  const { manifest, notes } = generate(
    recordingOf([], {
      exchanges: [
        moved('https://www.a.test/', 'https://sso.test/'),
        moved('https://sso.test/', 'https://www.a.test/'),
        document,
        unseen('https://www.a.test/i.png', 900, null, { type: 'image' }),
      ],
    }),
  );
  assert.deepEqual(
    manifest.resources.map(({ type, status }) => `${type} ${status}`),
    ['document 200', 'image 200'],
  );
  assert.deepEqual(notes, [
    'entry https://www.a.test/: skipped, a later answer to the same URL is kept: entry https://www.a.test/',
    'entry https://sso.test/: skipped, a generated page begins with its document, without redirects',
  ]);
});

test('generates it also for a bounce that only a cookie decides', () => {
  const cookie: [string, string] = ['set-cookie', 'seen=1'];
  const away = unseen('https://www.a.test/', 0, 0, {
    status: 302,
    headers: [['location', '/check'], cookie],
  });
  const back = {
    ...unseen('https://www.a.test/check', 0, 0, { status: 302, headers: [['location', '/']] }),
    body: new Uint8Array(),
  };
  const { manifest, notes } = generate(recordingOf([], { exchanges: [away, back, document] }));
  assertEach(manifest.resources, ({ type, bounces }) => [type, bounces], [['document', undefined]]);
  assert.deepEqual(notes, [
    '2 times: skipped, a generated page begins with its document, without redirects; first: entry https://www.a.test/',
  ]);
});

test('rejects a page without a response for its document, or a page that is too large', () => {
  for (const [recording, message] of [
    [
      recordingOf([], { documentUrl: 'https://gone.test/' }),
      /no.* answer for the document https:\/\/gone\.test/,
    ],
    [recordingOf([], { documentUrl: null }), /no.* answer for the document\. Save/],
    [
      exampleRecording([], { exchanges: [unseen('https://www.a.test/', 0, null)] }),
      /has neither the body of the document https:\/\/www\.a\.test\/ nor sizes/,
    ],
    [recordingOf([unseen('https://a.test/x', 3e8, null)]), /the body has 300,000,000 bytes/],
  ] as const) {
    assert.throws(() => generate(recording), { name: 'ImportError', message });
  }
});

test('generates a page of any recording: 400 random ones', () => {
  const seed = 20261121;
  const random = xoroshiro128plus(seed);
  const below = (n: number) => uniformInt(random, 0, n - 1);
  for (let round = 0; round < 400; round += 1) {
    const exchanges: RecordedExchange[] = [document];
    for (let count = below(12); count > 0; count -= 1) {
      const redirect = below(5) === 0;
      exchanges.push(
        unseen(
          `https://h${below(3)}.test/${below(14)}`,
          [0, 1, 2, 40, 130, 700, 30_000][below(7)] as number,
          [null, 0, 20, 90, 4000][below(5)] as number | null,
          {
            method: below(6) === 0 ? 'POST' : 'GET',
            type: [null, ...RESOURCE_TYPES][below(9)] ?? null,
            status: redirect ? 302 : 200,
            headers: redirect ? [['location', `https://h${below(3)}.test/${below(14)}`]] : [],
            startedAt: new Date(below(3) * 1000).toISOString(),
            ...(below(4) === 0 ? {} : { initiator: below(exchanges.length) }),
          },
        ),
      );
    }
    const loadedAt = below(2) === 0 ? { loadedAt: new Date(1000).toISOString() } : {};
    const { manifest, bodies } = generate(recordingOf(exchanges.slice(1), loadedAt));
    for (const { body, wireBytes, sha256 } of manifest.resources) {
      const bytes = bodies.get(body ?? '') ?? new Uint8Array();
      assert.equal(bytes.length, wireBytes, `seed ${seed}, round ${round}`);
      if (body) assert.equal(createHash('sha256').update(bytes).digest('hex'), sha256);
    }
  }
});
