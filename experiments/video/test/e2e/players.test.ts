import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { NOTHING_ADDED } from '../../../../network/conditions.ts';
import type { Server } from '../../../../runner/servers.ts';
import { bunH2 } from '../../../../servers/bun-h2/stack.ts';
import { lsquicH3 } from '../../../../servers/lsquic-h3/stack.ts';
import { type PathBench, withPathBench } from '../../../../test/e2e/path-bench.ts';
import { HTTP1 } from '../../../../test/e2e/stacks-by-protocol.ts';
import { PLAYERS } from '../../players/index.ts';
import { type OpenedPlayer, openPlayer, type PlayerOptions, play } from '../../players/session.ts';
import type { WatchedSession } from '../../players/watched-session.ts';
import { madeVideo, SEGMENT_MS, VIDEO_MS } from './video-fixture.ts';

const STACKS = [lsquicH3, bunH2, HTTP1];

/** Less than the length of the video. */
const WATCHED_MS = 4000;

const BY_ITSELF = { bufferMs: null, adapts: true, bitrateKbps: null, representations: [] };

interface WatchOptions extends Partial<PlayerOptions> {
  player: string;
  /** Index of the manifest. */
  manifest?: string;
  watchedMs: number;
  network?: Partial<typeof NOTHING_ADDED>;
  onOpened?: (opened: OpenedPlayer) => void;
}

/** One session, over a path that has carried nothing. */
async function watch(
  bench: PathBench,
  server: Server,
  { manifest = 'manifest.mpd', watchedMs, network, onOpened, ...options }: WatchOptions,
): Promise<WatchedSession> {
  const place = await bench.contexts.open(server.stack.stack);
  try {
    const url = new URL(manifest, bench.manifest.url).href;
    await bench.networkPath.apply({ ...NOTHING_ADDED, ...network, seed: 1 });
    const opened = await openPlayer(place, { ...BY_ITSELF, ...options, url });
    await sleep(300);
    const { toServer } = await bench.networkPath.count();
    assert.equal(toServer.packets, 0, 'a player sent a request before the call to play');
    onOpened?.(opened);
    return await play(opened, { watchedMs });
  } finally {
    await place.leave();
  }
}

/**
 * With each player in parallel, each with its own path and server: most of a session is waiting.
 */
async function withEachPlayer(
  use: (bench: PathBench, server: Server, player: string) => Promise<void>,
): Promise<void> {
  const video = await madeVideo();
  const stacks = [lsquicH3];
  await Promise.all(
    PLAYERS.map(({ name }) =>
      withPathBench(video, (bench) => use(bench, bench.servers[0] as Server, name), { stacks }),
    ),
  );
}

/** Names of the requested files. */
function requestedUrls({ requests }: WatchedSession): string[] {
  return requests.map(({ url }) => new URL(url).pathname.slice(1));
}

/** Quality level of each picture segment, in request order. */
function requestedLevels(watched: WatchedSession): number[] {
  return requestedUrls(watched).flatMap((file) => {
    const [, representation] = /^chunk-stream([012])-/.exec(file) ?? [];
    return representation === undefined ? [] : [Number(representation)];
  });
}

test('plays with every player and HTTP version, with consistent observations', async () =>
  withPathBench(
    await madeVideo(),
    async (bench) => {
      for (const player of PLAYERS.map(({ name }) => name)) {
        const sessions: WatchedSession[] = [];
        for (const server of bench.servers) {
          const what = `${player} from ${server.stack.stack}`;
          const watched = await watch(bench, server, { player, watchedMs: WATCHED_MS });
          sessions.push(watched);
          assert.equal(watched.failure, null, what);
          assert.match(watched.player.version, /^\d+\.\d+\.\d+$/, what);
          assert.ok(watched.watchedMs > WATCHED_MS - 200, `${what}: ${watched.watchedMs} ms`);
          assertRequests(watched, server, what);
          assertPlayed(watched, what);
          assertBuffered(watched, what);
        }
        assertPrompt(sessions, player);
      }
    },
    { stacks: STACKS },
  ));

function assertRequests(watched: WatchedSession, { stack }: Server, what: string): void {
  const [manifest, ...rest] = watched.requests;
  assert.match(manifest?.url ?? '', /\.mpd$/, what);
  assert.ok(manifest && manifest.requestedMs >= 0, `${what}: after ${manifest?.requestedMs} ms`);
  assert.ok(rest.length >= 6, `${what}: ${rest.length} requests`);
  for (const each of watched.requests) {
    const { requestedMs, firstByteMs, endMs, bytes, status, protocol, failed } = each;
    assert.deepEqual([status, protocol, failed], [200, stack.protocol, null], what);
    assert.ok(requestedMs <= (firstByteMs ?? -1) && (firstByteMs ?? -1) <= (endMs ?? -1), what);
    assert.ok(bytes > 0, `${what}: ${each.url}`);
  }
}

/** A busy machine may delay one session, but not all. */
function assertPrompt(sessions: readonly WatchedSession[], player: string): void {
  // For the requested duration, and not to the end of the video.
  const watchedMs = sessions.map((session) => session.watchedMs);
  assert.ok(Math.min(...watchedMs) < VIDEO_MS, `${player}: watched for ${watchedMs} ms`);
  const requestedMs = sessions.map(
    ({ requests: [manifest] }) => manifest?.requestedMs ?? Number.NaN,
  );
  assert.ok(
    Math.min(...requestedMs) < 250,
    `${player}: the manifest was requested after ${requestedMs} ms`,
  );
  const apartMs = sessions.map(({ element, said }) => {
    const playing = element.find(({ event }) => event === 'playing')?.atMs ?? Number.NaN;
    const started = said.find(({ event }) => event === 'started')?.atMs ?? Number.NaN;
    return Math.abs(started - playing);
  });
  assert.ok(Math.min(...apartMs) < 50, `${player}: it and its element begin ${apartMs} ms apart`);
  const frames = sessions.map((session) => session.frames?.shown ?? 0);
  assert.ok(Math.max(...frames) > 25, `${player}: ${frames} frames`);
  // Silent sound still keeps the time; a busy machine makes it stutter, and then catch up.
  const paces = sessions.flatMap((session) => paceOf(session) ?? []);
  const what = `${player}: plays at ${paces} of its speed`;
  assert.ok(Math.max(...paces) > 0.8 && Math.min(...paces) < 1.02, what);
}

/** Playback speed once under way; null: too short to measure. */
function paceOf({ element, ticks }: WatchedSession): number | null {
  const playing = element.find(({ event }) => event === 'playing')?.atMs ?? Number.NaN;
  const [from, to] = [ticks.find(({ atMs }) => atMs > playing + 300), ticks.at(-1)];
  if (!from || !to || to.atMs - from.atMs <= 1500) return null;
  return (to.mediaMs - from.mediaMs) / (to.atMs - from.atMs);
}

function assertPlayed(watched: WatchedSession, what: string): void {
  const { element, said, ticks, frames } = watched;
  for (const wanted of ['playing', 'frame']) {
    assert.ok(
      element.some(({ event }) => event === wanted),
      `${what}: ${wanted}`,
    );
  }
  assert.ok((ticks.at(-1)?.mediaMs ?? 0) > 0, `${what}: stands at its beginning`);
  assert.ok(frames && frames.shown > 0, `${what}: ${frames?.shown} frames`);
  assert.equal(said.find(({ event }) => event === 'switched')?.kbps !== undefined, true, what);
}

/** Nothing is buffered before it has arrived. */
function assertBuffered({ ticks, requests }: WatchedSession, what: string): void {
  for (const { atMs, bufferedUntilMs, mediaMs } of ticks) {
    if (bufferedUntilMs === mediaMs) continue;
    const come = requests.filter(({ endMs }) => endMs !== null && endMs <= atMs);
    for (const kind of [/chunk-stream[012]-/, /chunk-stream3-/]) {
      const segments = new Set(
        come.filter(({ url }) => kind.test(url)).map(({ url }) => /(\d+)\.webm$/.exec(url)?.[1]),
      );
      assert.ok(
        bufferedUntilMs <= segments.size * SEGMENT_MS + 100,
        `${what}: at ${atMs} ms ${bufferedUntilMs} ms were buffered when ${segments.size} segments of ${kind} had come: ${JSON.stringify(requests)}`,
      );
    }
  }
}

test('keeps its quality level from the first segment on, and its buffer', () =>
  withEachPlayer(async (bench, server, player) => {
    const fixed = { player, bufferMs: 2000, adapts: false, watchedMs: 3000 };
    const lowest = await watch(bench, server, fixed);
    assert.deepEqual([...new Set(requestedLevels(lowest))], [0], player);
    assert.deepEqual(
      lowest.said.filter(({ event }) => event === 'switched').map(({ kbps }) => kbps),
      [100],
      player,
    );
    const middle = await watch(bench, server, { ...fixed, bitrateKbps: 899 });
    assert.deepEqual([...new Set(requestedLevels(middle))], [1], player);
    const highest = await watch(bench, server, { ...fixed, bitrateKbps: 900 });
    assert.deepEqual([...new Set(requestedLevels(highest))], [2], player);
    for (const { ticks } of [lowest, middle, highest]) {
      const ahead = Math.max(
        ...ticks.map(({ bufferedUntilMs, mediaMs }) => bufferedUntilMs - mediaMs),
      );
      assert.ok(ahead > 1500 && ahead < 2000 + SEGMENT_MS + 100, `${player}: ${ahead} ms ahead`);
    }
  }));

test('begins an adaptive player with the requested bitrate and then follows the network', () =>
  withEachPlayer(async (bench, server, player) => {
    // To the end: on a busy machine the last segment may be requested late.
    const adapting = { player, bitrateKbps: 300, bufferMs: 2000, watchedMs: 3 * VIDEO_MS };
    const wide = await watch(bench, server, adapting);
    assert.equal(requestedLevels(wide)[0], 1, player);
    assert.equal(Math.max(...requestedLevels(wide)), 2, player);
    const tooMuch = { ...adapting, bitrateKbps: 900, watchedMs: 10_000 };
    const narrow = await watch(bench, server, { ...tooMuch, network: { downKbps: 600 } });
    assert.equal(requestedLevels(narrow)[0], 2, player);
    assert.ok((requestedLevels(narrow).at(-1) ?? 2) < 2, player);
  }));

test('ends with the video, and keeps nothing for the next session', () =>
  withEachPlayer(async (bench, server, player) => {
    const first = await watch(bench, server, { player, watchedMs: 3 * VIDEO_MS });
    assert.equal(first.failure, null, player);
    assert.ok(
      first.said.some(({ event }) => event === 'ended'),
      player,
    );
    const last = first.element.at(-1)?.event;
    // A player may find the end before the element does, and seek away from it.
    const hasEnded = first.element.some(({ event }) => event === 'ended');
    assert.ok(last === 'ended' || (!hasEnded && last === 'seeking'), `${player}: ${last}`);
    const farthestMs = Math.max(...first.ticks.map(({ mediaMs }) => mediaMs));
    assert.ok(farthestMs > VIDEO_MS - 300, `${player}: played until ${farthestMs} ms`);
    // Not until its time limit, and later than the video's length only by the start on a busy
    // machine.
    const { watchedMs } = first;
    assert.ok(watchedMs > VIDEO_MS - 200 && watchedMs < 2 * VIDEO_MS, `${player}: ${watchedMs} ms`);
    const again = await watch(bench, server, { player, watchedMs: 4000 });
    assert.ok(requestedLevels(again).length > 0, `${player}: ${requestedUrls(again)}`);
    assert.equal(requestedLevels(again)[0], requestedLevels(first)[0], player);
  }));

test("reports a player's failure in its own words, and keeps earlier observations", () =>
  withEachPlayer(async (bench, server, player) => {
    const manifest = 'missing-segment.mpd';
    const missing = await watch(bench, server, { player, manifest, watchedMs: 15_000 });
    assert.equal(missing.failure?.code, 'player-failed', player);
    assert.match(missing.failure?.message ?? '', /error \d+.*none-stream\d-00001/s, player);
    assert.ok(
      missing.requests.some(({ status }) => status === 404),
      player,
    );
    assert.ok(missing.watchedMs < 14_000, `${player}: ${missing.watchedMs} ms`);

    const unsupported = [{ kind: 'video', mime: 'video/mp4', codecs: 'hvc1.1.6.L93' }] as const;
    const other = await watch(bench, server, {
      player,
      representations: unsupported,
      watchedMs: 1000,
    });
    assert.equal(other.failure?.code, 'codec-unsupported', player);
    assert.match(other.failure?.message ?? '', /video\/mp4; codecs="hvc1/);
    assert.deepEqual(other.requests, [], player);

    const onOpened = ({ place, messages: tellings }: OpenedPlayer) => {
      const played = async () => {
        while (!tellings.some(({ said }) => said?.event === 'started')) await sleep(20);
        await sleep(1000);
      };
      played().then(() => place.tab.session.send('Page.crash').catch(() => {}));
    };
    const crashed = await watch(bench, server, { player, watchedMs: 15_000, onOpened });
    assert.equal(crashed.failure?.code, 'page-crashed', player);
    assert.ok(crashed.ticks.length > 5 && crashed.watchedMs < 14_000, player);
    assert.ok(crashed.requests.length >= 6, player);
    assert.ok(
      crashed.said.some(({ event }) => event === 'started'),
      player,
    );
  }));
