import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import type { Exchange, PageLoad } from '../../../../experiments/page-load/details.ts';
import type { StackProperty } from '../../../../ground/records/stack-readings.ts';
import { blocksOf } from '../../../../report/summary/blocks.ts';
import { fairnessOf } from '../../../../report/summary/fairness.ts';
import { summarise } from '../../../../report/summary/summary.ts';
import { assertEach } from '../../assert-each.ts';
import { DELAYED, type FixtureOptions, fixtureRun, NONE, spoil } from '../fixture-run.ts';
import { fixtureSummary } from '../reported.ts';

function pairOf(options: FixtureOptions) {
  const { run, observations } = fixtureRun({
    subjects: ['a.example', 'b.example'],
    networks: [NONE],
    ...options,
  });
  const blocks = [...blocksOf(run, observations).values()].flat();
  const [pair] = fairnessOf(run, blocks, observations);
  assert.deepEqual([pair?.a, pair?.b], ['lsquic-h3', 'bun-h2']);
  return pair;
}

function propertyOf(name: string, change: FixtureOptions['change']) {
  const verdicts = pairOf({ change })?.verdicts ?? [];
  assert.equal(verdicts.length, 1);
  return verdicts[0]?.properties.find(({ property }) => property === name);
}

function serveOtherHeaders({ details }: PageLoad): void {
  assert.ok(details?.traffic);
  details.traffic.responseHeadersSha256 = 'ef'.repeat(32);
}

test('calls a property equal only if it is on every site, and names the site that breaks it', () => {
  const equal = propertyOf('responseHeaders', () => {});
  assert.equal(equal?.verdict, 'equal');
  const differing = propertyOf('responseHeaders', (load) => {
    if (load.subject === 'b.example' && load.arm === 'bun-h2') serveOtherHeaders(load);
  });
  assert.equal(differing?.verdict, 'differs');
  assert.match(differing?.note ?? '', /^On b\.example\. /);
  const everywhere = propertyOf('responseHeaders', (load) => {
    if (load.arm === 'bun-h2') serveOtherHeaders(load);
  });
  assert.equal(everywhere?.verdict, 'differs');
  assert.doesNotMatch(everywhere?.note ?? '', /^On /);
});

test('leaves unknown, never equal, what is counted from loads without loads', () => {
  const { run } = fixtureRun();
  const [pair] = fairnessOf(run, [], []);
  const [verdict] = pair?.verdicts ?? [];
  const fromLoads = verdict?.properties.filter(({ property }) =>
    ['cipher', 'connections', 'responseHeaders'].includes(property),
  );
  assertEach(fromLoads, (each) => each.verdict, ['unknown', 'unknown', 'unknown']);
});

test('finds different losses at full sockets even if no load with any counts', () => {
  assert.equal(propertyOf('receiveBufferErrors', () => {})?.verdict, 'equal');
  const lossy = propertyOf('receiveBufferErrors', (load) => {
    if (load.arm !== 'lsquic-h3' || load.repetition !== 2 || !load.machine) return;
    load.machine.udpReceiveBufferErrors = load.subject === 'b.example' ? 12 : 0;
    if (load.subject === 'b.example') spoil(load, 'failed', 'timeout', 'late');
  });
  assert.deepEqual([lossy?.verdict, lossy?.a, lossy?.b], ['differs', '2', '0']);
});

test('reads losses at full sockets in a run without whole blocks', () => {
  const lossy = propertyOf('receiveBufferErrors', (load) => {
    if (load.arm !== 'lsquic-h3' || !load.machine) return;
    load.machine.udpReceiveBufferErrors = 5;
    spoil(load, 'failed', 'timeout', 'late');
  });
  assert.deepEqual([lossy?.verdict, lossy?.a, lossy?.b], ['differs', '5', '0']);
});

test('keeps losses at full sockets under one condition from another one', () => {
  const pair = pairOf({
    networks: [NONE, DELAYED],
    change: ({ arm, network, machine }) => {
      if (arm === 'lsquic-h3' && network.rttMs > 0 && machine) machine.udpReceiveBufferErrors = 5;
    },
  });
  const verdicts = pair?.verdicts.map(({ conditions, properties }) => [
    conditions.map(({ network }) => network),
    properties.find(({ property }) => property === 'receiveBufferErrors')?.verdict,
  ]);
  assert.deepEqual(verdicts, [
    [['none'], 'equal'],
    [['30ms'], 'differs'],
  ]);
});

test('gives conditions with the same differences one verdict, and a sentence each', () => {
  const pair = pairOf({
    networks: [NONE, DELAYED],
    change: ({ arm, network, metrics }) => {
      if (arm === 'bun-h2') metrics.connections = network.rttMs > 0 ? 4 : 3;
    },
  });
  assert.equal(pair?.verdicts.length, 1);
  const [none, delayed] = pair?.verdicts[0]?.conditions ?? [];
  assert.deepEqual([none?.network, delayed?.network], ['none', '30ms']);
  assert.match(none?.sentence ?? '', /connections \(1 against 3\)/);
  assert.match(delayed?.sentence ?? '', /connections \(1 against 4\)/);
});

test('reports a difference for runs that list no exchanges, without a digest', () => {
  const requesting = (sets: Record<string, string>) => (load: PageLoad) => {
    assert.ok(load.details);
    load.details.requestSetSha256 = (sets[load.arm] ?? 'a').repeat(64);
    // With and without the icon.
    load.metrics.requests = load.arm === 'bun-h2' ? 3 : 4;
  };
  assert.equal(
    propertyOf('requests', () => {}),
    undefined,
  );
  assert.equal(propertyOf('requests', requesting({}))?.verdict, 'equal');
  const differing = propertyOf('requests', requesting({ 'bun-h2': 'b' }));
  assert.deepEqual(
    [differing?.verdict, differing?.decides, differing?.a, differing?.difference],
    ['differs', true, 'not listed', 'not recorded in this older run'],
  );
  const pair = pairOf({ change: requesting({ 'bun-h2': 'b' }) });
  assert.doesNotMatch(JSON.stringify(pair), /[ab]{8}/);
});

test('says next to an answer which stack looks slower for fewer requests at the same time', () => {
  const notesOf = (peaks: Record<string, number>) =>
    fixtureSummary({
      subjects: ['a.example'],
      networks: [NONE],
      repetitions: 6,
      change: ({ protocol, metrics }) => {
        metrics.peakConcurrentRequests = peaks[protocol] ?? 60;
      },
    })
      .primary.flatMap(({ notes }) => notes)
      .join();
  assert.match(
    notesOf({ h2: 12 }),
    /Bun \(h2\) has at most 12 requests at the same time, lsquic \(h3\) 60 \(medians\)\. .* it looks slower/,
  );
  assert.doesNotMatch(notesOf({}), /at the same time/);
  assert.doesNotMatch(notesOf({ 'http/1.0': 6, 'http/1.1': 6 }), /at the same time/);
});

/** A run whose stacks are alike before the loads, with these exchanges per load. */
function summaryOf(
  exchangesOf: (load: PageLoad) => Exchange[],
  options: FixtureOptions = { networks: [NONE] },
) {
  const listed = new Set<string>();
  const { run, observations } = fixtureRun({
    subjects: ['a.example'],
    repetitions: 20,
    ...options,
    change: (load) => {
      assert.ok(load.details?.traffic);
      const exchanges = exchangesOf(load);
      const sha256 = createHash('sha256').update(JSON.stringify(exchanges)).digest('hex');
      Object.assign(load.details.traffic, {
        tlsVersion: 'TLS 1.3',
        responseHeadersSha256: sha256,
      });
      Object.assign(load.details, { exchangesSha256: sha256 });
      if (!listed.has(sha256)) load.details.exchanges = exchanges;
      listed.add(sha256);
    },
  });
  const names: StackProperty[] = [
    'congestionControl',
    'initialWindowPackets',
    'pathMtuBytes',
    'segmentsPerPacket',
    'offloads',
    'certificateChainBytes',
    'serverProgram',
    'serverLanguage',
  ];
  const same = Object.fromEntries(
    names.map((name) => [name, { value: 'the same', from: 'a test' }]),
  );
  run.fairness.readings = { 'lsquic-h3': same, 'bun-h2': same, 'flask-h1': {} };
  return summarise(run, observations);
}

const PAGE = 'https://a.example/';
const STYLE = 'https://a.example/a.css';

function got(url: string, fields: Exchange['fields'] = {}, status: number | null = 200): Exchange {
  return { request: `GET ${url}`, status, fields: status === null ? {} : fields };
}

function answerOf({ primary, fairness }: ReturnType<typeof summaryOf>) {
  const [answer] = primary;
  const sentence = fairness[0]?.verdicts[0]?.conditions[0]?.sentence;
  return [answer?.arm, answer?.likeForLike, sentence];
}

test('ignores an icon or a beacon that is answered or requested by chance', () => {
  const icon = 'https://a.example/icon.png';
  const summary = summaryOf(({ arm, repetition }) => [
    got(PAGE),
    // Requested after the load event: in 12 loads of one stack and 8 of the other, and answered in
    // some of them.
    ...(repetition % 5 < (arm === 'bun-h2' ? 2 : 3)
      ? [got(icon, { vary: 'accept' }, repetition % 2 === 0 ? 200 : null)]
      : []),
    got('https://a.example/beacon', {}, arm === 'bun-h2' && repetition === 7 ? null : 204),
  ]);
  assert.deepEqual(answerOf(summary), ['lsquic-h3', true, 'like for like']);
});

test('names a header field that varies within a stack, without calling the pair unlike', () => {
  const summary = summaryOf(({ arm, repetition }) => [
    got(PAGE, { server: 'envoy', 'x-load': String(repetition % 4) }),
    // Steady in so few loads by chance, and not the same.
    got(STYLE, {
      'x-load': repetition % 3 === 0 ? '7' : arm === 'bun-h2' ? '1' : '2',
    }),
    got('https://a.example/b.css', {
      'x-load': arm === 'bun-h2' ? '1' : '2',
    }),
  ]);
  assert.deepEqual(answerOf(summary), ['lsquic-h3', true, 'like for like']);
  const headers = summary.fairness[0]?.verdicts[0]?.properties.find(
    ({ property }) => property === 'responseHeaders',
  );
  assert.equal(headers?.verdict, 'equal');
  assert.match(headers?.note ?? '', /x-load varies .* and is not compared\.$/);
});

test('ignores differences of repeat visits for first visits', () => {
  const summary = summaryOf(
    ({ arm, factors, repetition }) => [
      got(PAGE),
      ...(factors.visit === 'repeat' && (arm !== 'bun-h2' || repetition % 2 === 0)
        ? [got(STYLE, { etag: '"1"' }, 304)]
        : []),
    ],
    { networks: [NONE], visits: ['cold', 'repeat'] },
  );
  const ofPair = summary.primary.filter(({ arm }) => arm === 'lsquic-h3');
  assertEach(ofPair, ({ variant, likeForLike }) => [variant, likeForLike], [
    ['cold', true],
    ['repeat', false],
  ]);
  const sentences = summary.fairness[0]?.verdicts.map(({ conditions }) =>
    conditions.map(({ variant, sentence }) => `${variant}: ${sentence}`),
  );
  assert.deepEqual(sentences, [
    ['cold: like for like'],
    [
      `repeat: not like for like: requests (${STYLE}: only lsquic-h3 in most loads, bun-h2 in 10 of 20)`,
    ],
  ]);
});

test('a request with a random number is one request if its response is the same', () => {
  const pixel = (random: string, fields = {}) =>
    got(`https://a.example/p.gif?r=${random}`, { 'content-length': '43', ...fields });
  const verdictOf = (ofBaseline: Exchange[]) =>
    answerOf(
      summaryOf(({ arm }) => [got(PAGE, {}), ...(arm === 'bun-h2' ? ofBaseline : [pixel('0.17')])]),
    );
  assert.deepEqual(verdictOf([pixel('0.0004')]), ['lsquic-h3', true, 'like for like']);
  for (const ofBaseline of [[], [pixel('0.0004', { 'content-length': '99' })]]) {
    assert.match(String(verdictOf(ofBaseline)), /p\.gif\?r=0\.17: only lsquic-h3/);
  }
});

test('names a header that only one stack sends by URL and field', () => {
  const summary = summaryOf(({ arm }) => [
    got(PAGE, { 'cache-control': arm === 'bun-h2' ? 'no-cache' : 'max-age=60' }),
    got(STYLE, arm === 'bun-h2' ? { vary: 'Accept-Encoding' } : {}),
    got('https://a.example/b.css', arm === 'bun-h2' ? { vary: 'Accept-Encoding' } : {}),
  ]);
  assert.deepEqual(answerOf(summary), [
    'lsquic-h3',
    false,
    `not like for like: response headers and compression (vary of ${STYLE} and 1 more: only bun-h2; cache-control of ${PAGE}: "max-age=60" against "no-cache")`,
  ]);
});

test('compares only the presence of fields that identify an instance or measure a response', () => {
  const verdictOf = (ofBaseline: Record<string, string>) =>
    answerOf(
      summaryOf(({ arm }) => [
        got(PAGE, arm === 'bun-h2' ? ofBaseline : { etag: '"a"', 'x-request-id': '1' }),
      ]),
    );
  const other = { etag: '"b"', 'x-request-id': '2' };
  assert.deepEqual(verdictOf(other), ['lsquic-h3', true, 'like for like']);
  assert.match(String(verdictOf({ etag: '"b"' })), /x-request-id of .*: only lsquic-h3/);
});
