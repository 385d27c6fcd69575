import assert from 'node:assert/strict';
import { test } from 'node:test';
import { schemaCheck } from '../../../../ground/records/schema-check.ts';
import { assertEach } from '../../../../test/unit/assert-each.ts';
import { detailsOf, metricsOf } from '../../details.ts';
import { VIDEO_METRICS } from '../../metrics.ts';
import type { MediaRequest } from '../../players/watched-session.ts';
import { videoDetailsSchema } from '../../records.ts';
import {
  MANIFEST_URL,
  moves,
  presentation,
  request,
  segment,
  segmentUrl,
  watchedSession,
} from './watched-session.ts';

const problemOf = schemaCheck(videoDetailsSchema);

const INIT = 'https://video.example/low/init';

/** Plays from 1 s on, and stalls from 5 to 7 s. */
function seen(requests: readonly MediaRequest[] = [], watchedMs = 11_000) {
  const watched = watchedSession({
    watchedMs,
    requests,
    moves: moves(1000, 5000, 7000),
    events: [
      [5000, 'waiting'],
      [7000, 'playing'],
    ],
  });
  const details = detailsOf(watched, presentation(), MANIFEST_URL);
  return { details, metrics: metricsOf(watched, details) };
}

test('takes every metric of the experiment, and no further one', () => {
  assert.deepEqual(
    Object.keys(seen().metrics).sort(),
    VIDEO_METRICS.map(({ name }) => name).sort(),
  );
});

test('returns details that match the schema of records', () => {
  const { details } = seen([
    request(MANIFEST_URL, [0, 50]),
    request(INIT, [60, 90]),
    segment('low', 0, 700),
    request(segmentUrl('tone', 0), [700, null], { bytes: 10 }),
  ]);
  assert.equal(problemOf(details), null);
});

test('identifies requests by the addresses in the manifest', () => {
  const { details } = seen([
    request(MANIFEST_URL, [0, 50]),
    request(INIT, [60, 90]),
    segment('low', 2000, 700),
    request('https://video.example/favicon.ico', [800, 810]),
  ]);
  assertEach(
    details.requests,
    ({ kind, representation, fromMs }) => [kind, representation, fromMs],
    [
      ['manifest', null, null],
      ['init', 'low', null],
      ['video', 'low', 2000],
      ['other', null, null],
    ],
  );
});

test('identifies parts of a file by their bytes', () => {
  const made = presentation();
  const url = 'https://video.example/low.webm';
  const low = made.representations[0];
  assert.ok(low);
  low.segments = low.segments.map((each, index) => ({
    ...each,
    url,
    bytes: [index * 100, index * 100 + 99],
  }));
  const range = [200, 299] as const;
  const watched = watchedSession({ requests: [request(url, [0, 50], { range })] });
  assert.equal(detailsOf(watched, made, MANIFEST_URL).requests[0]?.fromMs, 4000);
});

test('does not count an error response as a segment', () => {
  const { details, metrics } = seen([
    request(segmentUrl('low', 0), [0, 100], { status: 404, bytes: 9 }),
  ]);
  assert.equal(details.requests[0]?.failed, 'answered 404');
  assert.equal(metrics.downloadKbps, null);
  assert.equal(metrics.wastedBytes, 9);
});

test('counts as playing time the time without stalls from the start to the end of watching', () => {
  const { metrics, details } = seen();
  const whole = (name: string) => Math.round(metrics[name] ?? Number.NaN);
  assert.equal(whole('startupDelayMs'), 1000);
  assert.equal(whole('stalls'), 1);
  assert.equal(whole('stalledMs'), 2000);
  assert.equal(whole('rebufferPercent'), 20);
  assert.equal(whole('playedPercent'), 80);
  assert.equal(Math.round(details.playedMs), 8000);
});

test('does not count time after the end of the video as not playing', () => {
  const watched = watchedSession({
    moves: moves(1000, 5000),
    events: [[5000, 'ended']],
    watchedMs: 9000,
  });
  const metrics = metricsOf(watched, detailsOf(watched, presentation(), MANIFEST_URL));
  assert.equal(metrics.playedPercent, 100);
});

test('reports no playing share of a session that was over when playback began', () => {
  for (const overMs of [1000, 400]) {
    const watched = watchedSession({ moves: moves(1000), events: [[overMs, 'error']] });
    const metrics = metricsOf(watched, detailsOf(watched, presentation(), MANIFEST_URL));
    assert.equal(Math.round(metrics.startupDelayMs ?? 0), 1000);
    assert.deepEqual([metrics.rebufferPercent, metrics.playedPercent], [null, null], `${overMs}`);
  }
});

test('counts prebuffering from the first requested segment, not from the needs of decoders', () => {
  const { metrics } = seen([
    request(MANIFEST_URL, [0, 50]),
    request(INIT, [60, 90]),
    request(segmentUrl('tone', 0), [300, 350]),
  ]);
  assert.equal(Math.round(metrics.prebufferingMs ?? 0), 700);
});

test('uses the rate of the last segment that arrived before the playhead', () => {
  const requests = [
    segment('low', 0, 700),
    segment('low', 2000, 800),
    segment('low', 4000, 900),
    // The playhead is at 1 s by then.
    segment('high', 2000, 2000),
    // And past this one.
    segment('high', 0, 4000),
  ];
  const { metrics, details } = seen(requests, 5000);
  assert.equal(Math.round(metrics.meanBitrateKbps ?? 0), (2000 * 100 + 2000 * 400) / 4000);
  assert.equal(
    details.reports.find(({ by }) => by === 'model')?.meanBitrateKbps,
    metrics.meanBitrateKbps,
  );
});

test('ignores a repeated segment that arrives when its part is being played', () => {
  // The playhead is at 1 s by then, halfway through this one.
  const requests = [segment('low', 0, 700), segment('low', 2000, 800), segment('high', 0, 2000)];
  const { metrics } = seen(requests, 4500);
  assert.equal(metrics.meanBitrateKbps, 100);
  assert.equal(metrics.wastedBytes, 25_000);
});

test('counts bytes of a replaced segment as wasted, and not those ahead of the playhead', () => {
  const requests = [
    segment('low', 0, 700),
    segment('low', 2000, 800),
    segment('high', 2000, 2000),
    segment('low', 18_000, 2100),
    request(segmentUrl('tone', 0), [100, null], { bytes: 500, failed: 'net::ERR_FAILED' }),
    request(segmentUrl('tone', 2000), [4000, null], { bytes: 300 }),
  ];
  assert.equal(seen(requests).metrics.wastedBytes, 25_000 + 500);
});

test('counts parallel segment time once in the download rate, and idle time not at all', () => {
  const { metrics } = seen([
    request(segmentUrl('low', 0), [1000, 2000]),
    request(segmentUrl('tone', 0), [1500, 2500]),
    request(segmentUrl('low', 2000), [8000, 8500]),
  ]);
  assert.equal(metrics.downloadKbps, (3 * 25_000 * 8) / 2000);
});

test('counts quality changes of the picture alone, at the request', () => {
  const { details, metrics } = seen([
    segment('low', 0, 700),
    segment('tone', 0, 800),
    segment('high', 2000, 900),
    segment('high', 4000, 1000),
    segment('low', 6000, 1100),
  ]);
  assert.deepEqual(details.switches, [
    { atMs: 800, fromKbps: 100, toKbps: 400 },
    { atMs: 1000, fromKbps: 400, toKbps: 100 },
  ]);
  assert.equal(metrics.switches, 2);
});

test('has a buffer level for each whole step from the first sample on', () => {
  const { details } = seen([], 1100);
  assert.equal(details.bufferStepMs.length, 4);
  assert.equal(details.bufferStepMs[0], 60_000);
});

test('reports no playback values of a session that never played, but keeps its download values', () => {
  const watched = watchedSession({ requests: [segment('low', 0, 700)] });
  const details = detailsOf(watched, presentation(), MANIFEST_URL);
  const metrics = metricsOf(watched, details);
  for (const name of [
    'startupDelayMs',
    'prebufferingMs',
    'playedPercent',
    'meanBitrateKbps',
    'stalls',
  ]) {
    assert.equal(metrics[name], null, name);
  }
  assert.equal(metrics.downloadKbps, 2000);
  assert.equal(details.playedMs, 0);
});

test('has details of a session that broke before the first request', () => {
  const watched = { ...watchedSession({ watchedMs: 0 }), frames: null };
  const details = detailsOf(watched, presentation(), MANIFEST_URL);
  assert.equal(problemOf(details), null);
  assert.equal(metricsOf(watched, details).droppedFrames, null);
});

test("reports the mean rate from the player's own requests", () => {
  const watched = watchedSession({
    moves: moves(1000),
    watchedMs: 5000,
    requests: [segment('low', 0, 700), segment('low', 2000, 900)],
  });
  watched.said.push({ atMs: 500, event: 'switched', kbps: 100 });
  const meanOf = () =>
    detailsOf(watched, presentation(), MANIFEST_URL).reports.map((each) => each.meanBitrateKbps);
  assert.deepEqual(meanOf(), [null, 100, 100]);
  watched.said.push({ atMs: 750, event: 'switched', kbps: 400 });
  assertEach(meanOf(), (kbps) => kbps && Math.round(kbps), [null, 250, 100]);
  watched.said = [];
  assert.deepEqual(meanOf(), [null, null, 100]);
});
