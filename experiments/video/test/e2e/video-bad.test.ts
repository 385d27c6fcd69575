import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, test } from 'node:test';
import type { Observation } from '../../../../ground/records/observation.ts';
import { bun } from '../../../../ground/runtimes/bun.ts';
import { EXIT } from '../../../../ground/system/exit-status.ts';
import { assertNoProcessLeft } from '../../../../test/e2e/left-behind.ts';
import { withTemporaryFolder } from '../../../../test/temporary-folder.ts';
import { PLAYERS } from '../../players/index.ts';
import type { VideoDetails } from '../../records.ts';
import { BROKEN_FROM_MS, type VideoFault } from './video-faults.ts';
import { sessionsOf, startVideo } from './video-sessions.ts';
import { withVariant } from './video-variant.ts';

const PROGRAM = path.join(import.meta.dirname, 'broken-video.ts');

type Session = Observation<VideoDetails>;

interface BadRun {
  sessions: Session[];
  out: string;
  output: string;
}

/** Watches a video for a short time; returns its details. */
function withSessions(
  words: readonly string[],
  use: (run: BadRun) => void | Promise<void>,
): Promise<void> {
  return withTemporaryFolder(async (temporary) => {
    const out = path.join(temporary, 'run');
    const command = startVideo(out, [
      ...words,
      '--repetitions',
      '1',
      '--abr',
      'off',
      '--stop-after',
      '1',
    ]);
    assert.equal(await command.ended, EXIT.someLoadsNotOk, command.output());
    await assertNoProcessLeft(command);
    const sessions = await sessionsOf(out);
    assert.ok(sessions.length > 0, command.output());
    await use({ sessions, out, output: command.output() });
  });
}

/** The same from a server that misbehaves. */
function withBadServer(
  fault: VideoFault,
  stack: string,
  words: readonly string[],
  use: (run: BadRun) => void | Promise<void>,
): Promise<void> {
  return withTemporaryFolder(async (temporary) => {
    const program = path.join(temporary, 'start.sh');
    const lines = [
      '#!/bin/sh',
      `[ "$2" = h3 ] && exec '${bun.program}' '${PROGRAM}' '${fault}' "$@"`,
      `exec '${process.execPath}' '${PROGRAM}' '${fault}' "$@"`,
    ];
    await writeFile(program, `${lines.join('\n')}\n`, { mode: 0o755 });
    const server = ['--server', program, '--stacks', stack, '--duration', '9'];
    await withSessions([...server, '--rtt', '20', '--down', '5000', ...words], use);
  });
}

/** Each player once, alternating between versions of HTTP. */
const COMBINATIONS = PLAYERS.map(
  ({ word }, index) => [index % 2 ? 'own-h2' : 'own-h3', word] as const,
);

// Two at a time: most of a session is waiting.
describe('a session that fails:', { concurrency: 2 }, () => {
  for (const [fault, what] of [
    ['short', 'a segment that is shorter than announced'],
    ['closes', 'a connection that closes during a segment'],
  ] as const) {
    for (const [stack, player] of COMBINATIONS) {
      test(`${what} fails a session with the segment, and keeps what was played before: ${stack}, ${player}`, () =>
        // With a small buffer the broken segment is requested while those before it are played.
        withBadServer(fault, stack, ['--player', player, '--buffer', '2'], ({ sessions, out }) => {
          for (const { id, outcome, code, message, details, files } of sessions) {
            assert.deepEqual([outcome, code], ['failed', 'segment-failed'], `${id}: ${message}`);
            assert.match(message ?? '', /^The segment at 4 s of the picture/, id);
            assert.ok(details, id);
            // A player may give up as soon as it has appended a broken segment, however far ahead
            // it is.
            assert.ok(details.playedMs > 0, `${id}: ${details.playedMs} ms`);
            const broken = details.requests.filter(({ failed }) => failed !== null);
            const ofSegment = broken.filter(({ fromMs }) => fromMs === BROKEN_FROM_MS);
            assert.ok(ofSegment.length > 0 && ofSegment.every(({ endMs }) => endMs === null), id);
            assert.ok(details.reports[0]?.startupMs, id);
            assert.ok(files.har && existsSync(path.join(out, files.har)), id);
          }
        }));
    }
  }

  for (const [stack, player] of COMBINATIONS) {
    test(`a quality level that only the manifest has fails a session with its status: ${stack}, ${player}`, () =>
      withBadServer('lacks', stack, ['--player', player, '--bitrate', '400'], ({ sessions }) => {
        for (const { id, outcome, code, message, details } of sessions) {
          assert.deepEqual([outcome, code], ['failed', 'segment-failed'], `${id}: ${message}`);
          assert.match(message ?? '', /status 404/, id);
          assert.equal(details?.playedMs, 0, id);
          assert.ok(
            details.requests.some(({ kind, failed }) => kind === 'manifest' && failed === null),
          );
        }
      }));
  }

  test('reports a video in a codec that Chromium does not play', () =>
    withVariant(
      (manifest) => manifest.replaceAll(/codecs="vp09[^"]*"/g, 'codecs="hev1.1.6.L93.B0"'),
      (video) =>
        withSessions(
          ['--videos', video, '--stacks', 'lsquic-h3', '--duration', '3', '--rtt', '0'],
          ({ sessions }) => {
            for (const { id, outcome, code, message } of sessions) {
              assert.deepEqual(
                [outcome, code],
                ['failed', 'codec-unsupported'],
                `${id}: ${message}`,
              );
              assert.match(message ?? '', /hev1/, id);
            }
          },
        ),
    ));

  test('plays nothing in a short time over a link slower than the lowest quality level, and keeps what arrived', () =>
    withSessions(
      ['--stacks', 'lsquic-h3', '--duration', '5', '--rtt', '20', '--down', '64'],
      ({ sessions }) => {
        for (const { id, outcome, code, message, details } of sessions) {
          assert.deepEqual([outcome, code], ['failed', 'never-started'], `${id}: ${message}`);
          assert.equal(details?.playedMs, 0, id);
          assert.ok(
            details.requests.some(({ kind, endMs }) => kind === 'manifest' && endMs !== null),
          );
          assert.ok(
            details.requests.some(({ kind, bytes }) => kind === 'video' && bytes > 0),
            id,
          );
        }
      },
    ));
});
