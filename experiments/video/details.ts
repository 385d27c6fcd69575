import type { Presentation } from '../../cache/presentation.ts';
import { playerRequestsOf } from './player-requests.ts';
import type { WatchedSession } from './players/watched-session.ts';
import { playedMs, playheadOf } from './playhead.ts';
import {
  BUFFER_STEP_MS,
  type PlayerRequest,
  type SessionReport,
  type Source,
  type VideoDetails,
} from './records.ts';
import { bitrateByHeight, bitrateBySegments } from './reports/bitrate.ts';
import { playbackEndMs, reportByElement } from './reports/element.ts';
import { reportByModel } from './reports/model.ts';
import { reportByPlayer, withReportedRates } from './reports/player.ts';
import { isMedia } from './segments.ts';
import { downloadKbps, wastedBytes } from './timeline.ts';

/** Details of a session, complete or not, for its record. */
export function detailsOf(
  watched: WatchedSession,
  presentation: Presentation,
  manifestUrl: string,
): VideoDetails {
  const requests = playerRequestsOf(watched, presentation, manifestUrl);
  const playhead = playheadOf(watched);
  const session = { ...watched, playerRequests: requests, durationMs: presentation.durationMs };
  return {
    player: watched.player,
    watchedMs: watched.watchedMs,
    playedMs: playedMs(playhead),
    told: [
      {
        by: 'element',
        ...reportByElement(session),
        ...bitrateByHeight(watched, presentation.rungs),
      },
      {
        by: 'player',
        ...reportByPlayer(session),
        ...bitrateBySegments(withReportedRates(session, requests), playhead),
      },
      { by: 'model', ...reportByModel(session), ...bitrateBySegments(requests, playhead) },
    ],
    switches: switchesOf(requests),
    asked: requests,
    bufferStepMs: bufferSteps(watched),
    frames: watched.frames,
  };
}

/** Values by the names of VIDEO_METRICS. */
export function metricsOf(
  watched: WatchedSession,
  details: VideoDetails,
): Record<string, number | null> {
  const { asked: requests, told: reports, switches, frames } = details;
  const reportOf = (source: Source) => reports.find(({ by }) => by === source) as SessionReport;
  const { startupMs, stalls } = reportOf('element');
  const began = startupMs !== null;
  const firstAskedMs = requests.find(({ kind }) => isMedia(kind))?.askedMs;
  const stalledMs = stalls.reduce((sum, { durationMs }) => sum + durationMs, 0);
  // An element may fail before its playhead moves.
  const sinceBeganMs = began ? playbackEndMs(watched) - startupMs : 0;
  const rebufferPercent = sinceBeganMs > 0 ? (100 * stalledMs) / sinceBeganMs : null;
  return {
    startupDelayMs: startupMs,
    prebufferingMs: began && firstAskedMs !== undefined ? startupMs - firstAskedMs : null,
    firstFrameMs: watched.element.find(({ event }) => event === 'frame')?.atMs ?? null,
    // Watching and playhead are read at different instants.
    playedPercent: sinceBeganMs > 0 ? Math.min(100, (100 * details.playedMs) / sinceBeganMs) : null,
    meanBitrateKbps: began ? reportOf('model').meanBitrateKbps : null,
    downloadKbps: downloadKbps(requests),
    stalls: began ? stalls.length : null,
    stalledMs: began ? stalledMs : null,
    rebufferPercent,
    switches: began ? switches.length : null,
    droppedFrames: frames?.dropped ?? null,
    wastedBytes: wastedBytes(requests, playheadOf(watched)),
  };
}

function switchesOf(requests: readonly PlayerRequest[]): VideoDetails['switches'] {
  const pictures = requests.filter(({ kind }) => kind === 'video');
  return pictures.slice(1).flatMap(({ askedMs, rung, kbps: toKbps }, index) => {
    const { rung: before, kbps: fromKbps } = pictures[index] as PlayerRequest;
    return rung === before || fromKbps === null || toKbps === null
      ? []
      : [{ atMs: askedMs, fromKbps, toKbps }];
  });
}

/** Buffer level in ms at the end of each whole step, from the last tick before it. */
function bufferSteps({ ticks, watchedMs }: Pick<WatchedSession, 'ticks' | 'watchedMs'>): number[] {
  return Array.from({ length: Math.floor(watchedMs / BUFFER_STEP_MS) }, (_, step) => {
    const atMs = (step + 1) * BUFFER_STEP_MS;
    const tick = ticks.findLast((each) => each.atMs <= atMs);
    return tick ? tick.bufferedUntilMs - tick.mediaMs : 0;
  });
}
