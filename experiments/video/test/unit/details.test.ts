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

test('every metric of the experiment is taken, and none that is not', () => {
  assert.deepEqual(
    Object.keys(seen().metrics).sort(),
    VIDEO_METRICS.map(({ name }) => name).sort(),
  );
});

test('details are what the schema of records says', () => {
  const { details } = seen([
    request(MANIFEST_URL, [0, 50]),
    request(INIT, [60, 90]),
    segment('low', 0, 700),
    request(segmentUrl('tone', 0), [700, null], { bytes: 10 }),
  ]);
  assert.equal(problemOf(details), null);
});

test('requests are known by what the manifest says of their addresses', () => {
  const { details } = seen([
    request(MANIFEST_URL, [0, 50]),
    request(INIT, [60, 90]),
    segment('low', 2000, 700),
    request('https://video.example/favicon.ico', [800, 810]),
  ]);
  assertEach(details.requests, ({ kind, representation: rung, fromMs }) => [kind, rung, fromMs], [
    ['manifest', null, null],
    ['init', 'low', null],
    ['video', 'low', 2000],
    ['other', null, null],
  ]);
});

test('parts of a file are known by their bytes', () => {
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

test('an answer that is an error is no segment', () => {
  const { details, metrics } = seen([
    request(segmentUrl('low', 0), [0, 100], { status: 404, bytes: 9 }),
  ]);
  assert.equal(details.requests[0]?.failed, 'answered 404');
  assert.equal(metrics.downloadKbps, null);
  assert.equal(metrics.wastedBytes, 9);
});

test('time that plays is what is not stalled from the start to the end of watching', () => {
  const { metrics, details } = seen();
  const whole = (name: string) => Math.round(metrics[name] ?? Number.NaN);
  assert.equal(whole('startupDelayMs'), 1000);
  assert.equal(whole('stalls'), 1);
  assert.equal(whole('stalledMs'), 2000);
  assert.equal(whole('rebufferPercent'), 20);
  assert.equal(whole('playedPercent'), 80);
  assert.equal(Math.round(details.playedMs), 8000);
});

test('time after the end of the video is not time that does not play', () => {
  const watched = watchedSession({
    moves: moves(1000, 5000),
    events: [[5000, 'ended']],
    watchedMs: 9000,
  });
  const metrics = metricsOf(watched, detailsOf(watched, presentation(), MANIFEST_URL));
  assert.equal(metrics.playedPercent, 100);
});

test('a session that was over when playing began has no part of its time that plays', () => {
  for (const overMs of [1000, 400]) {
    const watched = watchedSession({ moves: moves(1000), events: [[overMs, 'error']] });
    const metrics = metricsOf(watched, detailsOf(watched, presentation(), MANIFEST_URL));
    assert.equal(Math.round(metrics.startupDelayMs ?? 0), 1000);
    assert.deepEqual([metrics.rebufferPercent, metrics.playedPercent], [null, null], `${overMs}`);
  }
});

test('prebuffering is counted from the first segment that is asked for, not from what decoders need', () => {
  const { metrics } = seen([
    request(MANIFEST_URL, [0, 50]),
    request(INIT, [60, 90]),
    request(segmentUrl('tone', 0), [300, 350]),
  ]);
  assert.equal(Math.round(metrics.prebufferingMs ?? 0), 700);
});

test('the rate that is played is that of the last segment that came before the playhead did', () => {
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

test('a segment asked for again that comes when its part is being played changes nothing of what is played', () => {
  // The playhead is at 1 s by then, in the middle of this one.
  const requests = [segment('low', 0, 700), segment('low', 2000, 800), segment('high', 0, 2000)];
  const { metrics } = seen(requests, 4500);
  assert.equal(metrics.meanBitrateKbps, 100);
  assert.equal(metrics.wastedBytes, 25_000);
});

test('bytes of a segment that another one takes the place of are wasted, and those that are ahead are not', () => {
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

test('the download rate counts time in which several segments are under way once, and time without any not at all', () => {
  const { metrics } = seen([
    request(segmentUrl('low', 0), [1000, 2000]),
    request(segmentUrl('tone', 0), [1500, 2500]),
    request(segmentUrl('low', 2000), [8000, 8500]),
  ]);
  assert.equal(metrics.downloadKbps, (3 * 25_000 * 8) / 2000);
});

test('a change of the rung is counted of the picture alone, when it is asked for', () => {
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

test('the buffer has a level for each whole step, from the first look on', () => {
  const { details } = seen([], 1100);
  assert.equal(details.bufferStepMs.length, 4);
  assert.equal(details.bufferStepMs[0], 60_000);
});

test('a session in which nothing played has no number of what is played, and what it took is kept', () => {
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

test('a session that broke before anything was asked for has details too', () => {
  const watched = { ...watchedSession({ watchedMs: 0 }), frames: null };
  const details = detailsOf(watched, presentation(), MANIFEST_URL);
  assert.equal(problemOf(details), null);
  assert.equal(metricsOf(watched, details).droppedFrames, null);
});

test('the player tells the mean rate by what it says that it asks for', () => {
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
