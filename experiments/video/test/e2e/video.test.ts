import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import validator from 'har-validator';
import type { SiteManifest } from '../../../../cache/manifest.ts';
import type { Har } from '../../../../clients/har/har.ts';
import { offersBoth } from '../../../../ground/records/protocol.ts';
import { readRun } from '../../../../ground/records/read.ts';
import { readMachine } from '../../../../runner/machine.ts';
import type { Server } from '../../../../runner/servers.ts';
import { bunH2 } from '../../../../servers/bun-h2/stack.ts';
import { startProgram } from '../../../../test/e2e/command.ts';
import { importIntoDevTools } from '../../../../test/e2e/devtools/devtools.ts';
import { assertNoProcessLeft } from '../../../../test/e2e/left-behind.ts';
import type { PathBench } from '../../../../test/e2e/path-bench.ts';
import { TESTED_STACKS } from '../../../../test/e2e/tested-stacks.ts';
import { assertOkOrSpoilt, assertStatusOf } from '../../../../test/e2e/whole-run.ts';
import { withTemporaryFolder } from '../../../../test/temporary-folder.ts';
import { TEST_PATTERN } from '../../options.ts';
import { PLAYERS } from '../../players/index.ts';
import { sessionsOf, startVideo } from './video-sessions.ts';
import { type WatchedSession, withVideo, withViewer } from './watched-over-path.ts';

const EVERY_PLAYER = PLAYERS.map(({ name }) => name);

test('completes an interrupted and resumed run of two stacks, a control and two players', () =>
  withTemporaryFolder(async (temporary) => {
    const out = path.join(temporary, 'run');
    const begun = startVideo(out, [
      ...[
        '--stacks',
        'lsquic-h3,bun-h2',
        '--control',
        '--player',
        PLAYERS.map(({ word }) => word).join(),
      ],
      ...['--duration', '4', '--rtt', '20', '--repetitions', '1'],
    ]);
    await begun.printed(
      /The run has 9 sessions of 4 s \(3 are warm-ups\), one after the other, in real time/,
    );
    await begun.printed(/4 of 9 sessions done/);
    begun.child.kill('SIGINT');
    assert.equal(await begun.ended, 130, begun.output());
    await assertNoProcessLeft(begun);
    const resumed = startProgram(['video', '--resume', out]);
    const status = await resumed.ended;
    await assertNoProcessLeft(resumed);

    const { trials, choices } = await readRun(out);
    assert.deepEqual(choices.videos, {
      watchedMs: 4000,
      bufferMs: null,
      adapts: true,
      bitrateKbps: null,
    });
    const sessions = await sessionsOf(out);
    const later = sessions.filter(({ invocation }) => invocation !== sessions[0]?.invocation);
    assertStatusOf(later, status, resumed.output());
    const planned = new Set(trials.map(({ id }) => id));
    assert.equal(sessions.filter(({ id }) => planned.has(id)).length, 9);
    for (const session of sessions) {
      const { id, protocol, details, metrics, files, factors, disturbed } = session;
      assertOkOrSpoilt(session, id);
      assert.ok(details, id);
      assert.equal(details.player.name, factors.player, id);
      // The session can end while a request has no response yet.
      const answered = details.requests.filter(({ firstByteMs }) => firstByteMs !== null);
      assert.deepEqual([...new Set(answered.map((each) => each.protocol))], [protocol], id);
      assert.ok((metrics.startupDelayMs ?? 0) > 80, `${id}: ${metrics.startupDelayMs} ms`);
      // A machine without time for it plays with pauses.
      if (disturbed === null) assert.equal(metrics.stalls, 0, id);
      const { log } = JSON.parse(await readFile(path.join(out, files.har ?? ''), 'utf8')) as Har;
      assert.deepEqual(
        log.entries.map(({ request }) => request.url).toSorted(),
        details.requests.map(({ url }) => url).toSorted(),
        id,
      );
    }
    const [{ files } = { files: {} as Record<string, string> }] = sessions;
    const har = path.join(out, files.har ?? '');
    await validator.har(JSON.parse(await readFile(har, 'utf8')));
    const rows = await importIntoDevTools(readMachine().chromium, har);
    const { log } = JSON.parse(await readFile(har, 'utf8')) as Har;
    assert.deepEqual(
      rows.map(({ url, status, protocol }) => [url, status, protocol]),
      log.entries.map(({ request, response }) => [
        request.url,
        response.status,
        response.httpVersion,
      ]),
    );
  }));

function assertCode(
  { outcome, code, message }: WatchedSession,
  expected: string,
  what: string,
): void {
  assert.deepEqual([outcome, code], ['failed', expected], `${what}: ${message}`);
}

test('plays a video of every stack in every player', () =>
  withVideo(
    TESTED_STACKS.filter(({ protocol }) => !offersBoth(protocol)),
    TEST_PATTERN,
    (bench) =>
      withViewer(bench, { watchedMs: 6000 }, async (watch) => {
        for (const server of bench.servers) {
          for (const player of EVERY_PLAYER) {
            const watched = await watch(server, { player });
            const what = `${player} from ${server.stack.stack}`;
            assertOkOrSpoilt(watched, what);
            assert.ok(watched.details && watched.details.playedMs > 1000, what);
          }
        }
      }),
  ));

test('reports the problem of a session by a code, and keeps what was played', () =>
  withVideo([bunH2], TEST_PATTERN, async (bench) => {
    const [server] = bench.servers as [Server];
    const alike = { watchedMs: 3000 };
    await withViewer(bench, alike, async (watch) => {
      for (const player of EVERY_PLAYER) {
        const slow = await watch(server, { player, network: { rttMs: 20, downKbps: 40 } });
        assertCode(slow, 'never-started', player);
        assert.match(
          slow.message ?? '',
          /^Playback did not start within \d\.\d s; \d segments arrived/,
        );
        assert.equal(slow.details?.playedMs, 0);
        assert.ok(slow.files.har && slow.files.link, player);
      }
    });

    const representations = bench.manifest.video?.representations ?? [];
    const other = representations.map((representation) => ({
      ...representation,
      codecs: 'hvc1.1.6.L93',
      mime: 'video/mp4',
    }));
    const presentation = {
      ...bench.manifest.video,
      representations: other,
    } as SiteManifest['video'];
    const unplayable = { ...bench, manifest: { ...bench.manifest, video: presentation } };
    await withViewer(unplayable as PathBench, alike, async (watch) => {
      for (const player of EVERY_PLAYER) {
        assertCode(await watch(server, { player }), 'codec-unsupported', player);
      }
    });
  }));
