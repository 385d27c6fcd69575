import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pandaTable } from '../../../../experiments/video/panda.ts';
import { type MadeUpOptions, madeUpVideos } from './fixture.ts';

function linesOf(options: MadeUpOptions): string[] {
  const { run, observations, invocations } = madeUpVideos({ repetitions: 1, ...options });
  run.choices.videos = {
    watchedMs: 20_000,
    bufferMs: 5000,
    adapts: true,
    bitrateKbps: null,
  };
  return pandaTable.text(run, observations, invocations).trimEnd().split('\n');
}

test('a session by QUIC is the line of the program for QUIC, in microseconds and bytes per second', () => {
  assert.equal(
    linesOf({})[0],
    'YOUTUBE_QUIC.0;1795168800;OK;test-pattern;webmdash;11300000;0;0;0;22000000;250000;0;VIDEO;;738636;1625000;2200000;video.example;10.77.0.2;;73864;1;HTTP/3;AUDIO;;240000;264000;1100000;video.example;10.77.0.2;;12000;1;HTTP/3;30000;412000;5;600;',
  );
});

test('a session by TCP is the line of the program for TCP, without versions, behind a line for its stall', () => {
  assert.deepEqual(linesOf({}).slice(1), [
    'youtubeevent12;1795168828;1795168821;6000;500.000',
    'YOUTUBE.3;1795168821;OK;test-pattern;webmdash;17450000;1;500000;500000;22000000;450000;0;VIDEO;;369318;1625000;4400000;video.example;10.77.0.2;;73864;AUDIO;;120000;264000;2200000;video.example;10.77.0.2;;12000;45000;640000;5;600;',
  ]);
});

test('the place of a second stall is that in the video, and a stall that did not end has no line', () => {
  const lines = linesOf({
    change(_, { told }) {
      const [element] = told;
      element?.stalls.push(
        { atMs: 10_000, durationMs: 250.5, ended: true },
        { atMs: 19_000, durationMs: 1000, ended: false },
      );
    },
  });
  const stalls = lines.filter((line) => line.startsWith('youtubeevent12'));
  assert.equal(stalls.length, 3);
  // 10,000 ms since asking, less 640 ms to begin and 500 ms stalled.
  assert.equal(stalls.at(-1), 'youtubeevent12;1795168831;1795168821;8860;250.500');
});

test('of a session that was never begun everything is empty that nobody knows, and warm-ups are left out', () => {
  const lines = linesOf({
    change(session) {
      if (session.arm === 'bun-h2') session.warmup = true;
      Object.assign(session, {
        outcome: 'failed',
        code: 'browser-failed',
        message: 'It ended.',
        metrics: {},
        connections: null,
        details: null,
      });
    },
  });
  assert.deepEqual(lines, [
    'YOUTUBE_QUIC.0;1795168800;FAIL;test-pattern;unknown;;;;;;;;VIDEO;;;;;;;;;;;AUDIO;;;;;;;;;;;;;5;666;',
  ]);
});

test('every line of a session has as many fields as its program prints', () => {
  const [quic = '', , tcp = ''] = linesOf({});
  assert.equal(quic.split(';').length - 1, 38);
  assert.equal(tcp.split(';').length - 1, 34);
});
