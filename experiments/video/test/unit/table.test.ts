import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'csv-parse/sync';
import type { MadeRun } from '../../../../test/unit/made-run.ts';
import { PLAYERS } from '../../players/index.ts';
import { videoTables } from '../../table.ts';
import { madeUpVideos } from './fixture.ts';

function textOf(file: string, { run, observations, invocations }: MadeRun): string {
  const table = videoTables.find((each) => each.file === file);
  assert.ok(table, file);
  return table.text(run, observations, invocations);
}

function rowsOf(made: MadeRun): Record<string, string>[] {
  return parse(textOf('videos.csv', made), { columns: true });
}

function eventsOf(made: MadeRun) {
  const lines = textOf('events.jsonl', made).trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line));
}

test('writes every session with its recorded numbers into videos.csv', () => {
  const rows = rowsOf(madeUpVideos({ repetitions: 2 }));
  assert.equal(rows.length, 4);
  assert.deepEqual(rows[1], {
    stack: 'bun-h2',
    video: 'test-pattern',
    player: PLAYERS[0].name,
    repetition: '1',
    block: '1',
    outcome: 'ok',
    code: '',
    stalls: '1',
    startup_delay_ms: '640',
    download_ms: '4400',
    mean_stall_ms: '500',
    total_stall_ms: '500',
    played_ms: '18860',
    prebuffering_ms: '450',
    rate_kbps: '3434.545',
    video_representations: 'v300 v700',
    video_rate_kbps: '2954.545',
    video_bytes: '1625000',
    video_download_ms: '4400',
    video_host: 'video.example',
    video_ip: '10.77.0.2',
    video_connect_ms: '',
    video_bitrate_kbps: '590.909',
    video_quic_version: '',
    video_http: 'h2',
    audio_representations: 'a',
    audio_rate_kbps: '960',
    audio_bytes: '264000',
    audio_download_ms: '2200',
    audio_host: 'video.example',
    audio_ip: '10.77.0.2',
    audio_connect_ms: '',
    audio_bitrate_kbps: '96',
    audio_quic_version: '',
    audio_http: 'h2',
    connect_ms: '45',
    buffer_s: '',
    error: '',
    rebuffer_ratio: '0.026',
    switches: '1',
    mean_bitrate_kbps: '572.747',
    time_to_first_frame_ms: '660',
    dropped_frames: '2',
    bytes_wasted: '0',
    element_startup_ms: '640',
    element_stalls: '1',
    element_stalled_ms: '500',
    element_mean_bitrate_kbps: '',
    player_startup_ms: '636',
    player_stalls: '1',
    player_stalled_ms: '500',
    player_mean_bitrate_kbps: '572.747',
    model_startup_ms: '610',
    model_stalls: '1',
    model_stalled_ms: '500',
    model_mean_bitrate_kbps: '572.747',
    watched_ms: '20000',
    shown_frames: '470',
    player_version: '5.2.1',
    network: '30ms',
    rtt_added_ms: '30',
    down_kbps: '',
    up_kbps: '',
    loss_percent: '0',
    path_rtt_ms: '30.25',
    path_up_packets: '',
    path_up_bytes: '',
    path_down_packets: '',
    path_down_bytes: '',
    connections: '1',
    arm: 'bun-h2',
    warmup: 'false',
    order: '2',
    id: 'test-pattern.30ms.bun-h2.1',
  });
  assert.equal(rows[0]?.video_quic_version, '1');
});

test('has no mean for a session without a stall, and empty cells for one that never began', () => {
  const made = madeUpVideos({
    repetitions: 1,
    change(session) {
      if (session.arm === 'lsquic-h3') return;
      Object.assign(session, {
        outcome: 'failed',
        code: 'browser-failed',
        message: 'The browser ended, "at once".',
        metrics: {},
        details: null,
        connections: null,
      });
    },
  });
  const [smooth, failed] = rowsOf(made);
  assert.deepEqual([smooth?.stalls, smooth?.mean_stall_ms, smooth?.total_stall_ms], ['0', '', '0']);
  assert.equal(failed?.player, PLAYERS[0].name);
  assert.equal(failed?.error, 'The browser ended, "at once".');
  for (const column of ['stalls', 'played_ms', 'video_bytes', 'connect_ms', 'element_stalled_ms']) {
    assert.equal(failed?.[column], '', column);
  }
});

test("excludes aborted segments from the stream's numbers, and one in progress at the end", () => {
  const made = madeUpVideos({
    repetitions: 1,
    change(_, { requests }) {
      const last = requests.findLast(({ kind }) => kind === 'video');
      const before = requests.filter(({ kind }) => kind === 'video').at(-2);
      Object.assign(last ?? {}, { endMs: null });
      Object.assign(before ?? {}, { endMs: null, failed: 'net::ERR_CONNECTION_CLOSED' });
    },
  });
  const [row] = rowsOf(made);
  assert.equal(row?.video_bytes, String(1_625_000 - 2 * 175_000));
  assert.equal(row?.video_download_ms, String(2200 - 2 * 200));
});

test('counts overlapping segments once', () => {
  const made = madeUpVideos({
    repetitions: 1,
    change(_, { requests }) {
      for (const each of requests) if (each.endMs !== null) each.endMs = each.requestedMs + 300;
    },
  });
  const [row] = rowsOf(made);
  // The first four are requested every 200 ms, the rest every 1,500 ms.
  assert.equal(row?.video_download_ms, String(3 * 200 + 300 + 7 * 300));
});

test('writes every start, stall, switch and request of a session into events.jsonl by time, each with its id', () => {
  const made = madeUpVideos({ repetitions: 1 });
  const events = eventsOf(made).filter(({ id }) => id === 'test-pattern.30ms.bun-h2.1');
  const count = (event: string) => events.filter((each) => each.event === event).length;
  assert.deepEqual(
    ['request', 'segment', 'start', 'stall', 'switch', 'failure'].map(count),
    [3, 22, 3, 3, 1, 0],
  );
  const times = events.map(({ atMs }) => atMs);
  assert.deepEqual(
    times,
    times.toSorted((a, b) => a - b),
  );
  assert.deepEqual(
    events.find(({ event, by }) => event === 'stall' && by === 'player'),
    {
      id: 'test-pattern.30ms.bun-h2.1',
      stack: 'bun-h2',
      warmup: false,
      event: 'stall',
      by: 'player',
      atMs: 6636,
      durationMs: 500,
      ended: true,
    },
  );
  const segment = events.find(({ event, kind }) => event === 'segment' && kind === 'video');
  assert.deepEqual(
    [
      segment.atMs,
      segment.firstByteMs,
      segment.endMs,
      segment.bytes,
      segment.representation,
      segment.fromMs,
    ],
    [190, 230, 590, 75_000, 'v300', 0],
  );
});

test('writes a failure as an event at the end of watching, or without a time if the session never began', () => {
  const made = madeUpVideos({
    repetitions: 1,
    change(session, details) {
      Object.assign(session, { outcome: 'failed', code: 'page-crashed', message: 'It crashed.' });
      details.watchedMs = 7000.123456;
      if (session.arm === 'bun-h2') Object.assign(session, { details: null });
    },
  });
  const failures = eventsOf(made).filter(({ event }) => event === 'failure');
  const failure = { warmup: false, event: 'failure', code: 'page-crashed', message: 'It crashed.' };
  assert.deepEqual(failures, [
    { id: 'test-pattern.30ms.lsquic-h3.1', stack: 'lsquic-h3', atMs: 7000.123, ...failure },
    { id: 'test-pattern.30ms.bun-h2.1', stack: 'bun-h2', atMs: null, ...failure },
  ]);
});
