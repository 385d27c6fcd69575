import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pandaTable } from '../../panda.ts';
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

test('writes a TCP session as the program for TCP does, without versions, behind a line for its stall', () => {
  assert.deepEqual(linesOf({}).slice(1), [
    'youtubeevent12;1795168828;1795168821;6000;500.000',
    'YOUTUBE.3;1795168821;OK;test-pattern;webmdash;17450000;1;500000;500000;22000000;450000;0;VIDEO;;369318;1625000;4400000;video.example;10.77.0.2;;73864;AUDIO;;120000;264000;2200000;video.example;10.77.0.2;;12000;45000;640000;5;600;',
  ]);
});

test('places a second stall by its video time, and writes no line for a stall that did not end', () => {
  const lines = linesOf({
    change(_, { reports }) {
      const [element] = reports;
      element?.stalls.push(
        { atMs: 10_000, durationMs: 250.5, ended: true },
        { atMs: 19_000, durationMs: 1000, ended: false },
      );
    },
  });
  const stalls = lines.filter((line) => line.startsWith('youtubeevent12'));
  assert.equal(stalls.length, 3);
  // 10,000 ms since the request, less 640 ms to begin and 500 ms stalled.
  assert.equal(stalls.at(-1), 'youtubeevent12;1795168831;1795168821;8860;250.500');
});

test('leaves unknown fields of a session that never began empty, and excludes warm-ups', () => {
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

/**
 * Fields of a stream, in the order of the README of sabyahsan/Youtube-test ("Output"), with
 * Quic-Test's two more for QUIC (printvalues in its metrics.c).
 */
const STREAM = [
  'itag',
  'rate',
  'bytes',
  'download',
  'host',
  'ip',
  'connect',
  'bitrate',
  'quicVersion',
  'httpVersion',
];

/** All fields that these programs print of a session, in their order. */
const PUBLISHED = [
  ...['program', 'test', 'status', 'video', 'format', 'download', 'stalls', 'meanStall'],
  ...['totalStall', 'duration', 'prebuffering', 'rate'],
  ...['VIDEO', ...STREAM.map((name) => `video.${name}`)],
  ...['AUDIO', ...STREAM.map((name) => `audio.${name}`)],
  ...['connectOfPage', 'startup', 'buffer', 'errorCode'],
];

function byName(line: string, names: readonly string[]): Record<string, string> {
  const fields = line.replace(/;$/, '').split(';');
  assert.equal(fields.length, names.length, line);
  return Object.fromEntries(names.map((name, place) => [name, fields[place] ?? '']));
}

test('writes each field where the published programs print it', () => {
  const [quic = '', , tcp = ''] = linesOf({});
  const byQuic = byName(quic, PUBLISHED);
  assert.deepEqual(byQuic, {
    program: 'YOUTUBE_QUIC.0',
    test: '1795168800',
    status: 'OK',
    video: 'test-pattern',
    format: 'webmdash',
    download: '11300000',
    stalls: '0',
    meanStall: '0',
    totalStall: '0',
    duration: '22000000',
    prebuffering: '250000',
    rate: '0',
    VIDEO: 'VIDEO',
    'video.itag': '',
    'video.rate': '738636',
    'video.bytes': '1625000',
    'video.download': '2200000',
    'video.host': 'video.example',
    'video.ip': '10.77.0.2',
    'video.connect': '',
    'video.bitrate': '73864',
    'video.quicVersion': '1',
    'video.httpVersion': 'HTTP/3',
    AUDIO: 'AUDIO',
    'audio.itag': '',
    'audio.rate': '240000',
    'audio.bytes': '264000',
    'audio.download': '1100000',
    'audio.host': 'video.example',
    'audio.ip': '10.77.0.2',
    'audio.connect': '',
    'audio.bitrate': '12000',
    'audio.quicVersion': '1',
    'audio.httpVersion': 'HTTP/3',
    connectOfPage: '30000',
    startup: '412000',
    buffer: '5',
    errorCode: '600',
  });
  const byTcp = byName(
    tcp,
    PUBLISHED.filter((name) => !name.endsWith('Version')),
  );
  const fields = ['program', 'stalls', 'meanStall', 'totalStall', 'VIDEO', 'AUDIO', 'startup'];
  assert.deepEqual(
    fields.map((name) => byTcp[name]),
    ['YOUTUBE.3', '1', '500000', '500000', 'VIDEO', 'AUDIO', '640000'],
  );
});
