import type { Presentation, Representation } from '../../cache/presentation.ts';
import type { Har } from '../../clients/har/har.ts';
import type { ObservedConnections } from '../../ground/records/connection.ts';
import type { KeyExchange } from '../../ground/records/key-exchange.ts';
import type { PathCounts } from '../../ground/records/network.ts';
import type { Protocol } from '../../ground/records/protocol.ts';
import {
  type CommonExpected,
  type CommonObserved,
  foreignHost,
  type Problem,
  wrongKeyExchange,
  wrongProtocol,
} from '../checks.ts';
import { eventMissed } from '../event-missed.ts';
import { video } from './experiment.ts';
import type { MediaRequest, WatchedSession } from './players/watched-session.ts';
import type { VideoChoices, VideoDetails } from './records.ts';

export interface Expected extends CommonExpected {
  presentation: Presentation;
  protocol: Protocol;
  choices: VideoChoices;
  /** The run's `--key-exchange`; null: the server's default. */
  keyExchange: KeyExchange | null;
  /** Host to the `ip:port` of its server. */
  origins: Readonly<Record<string, string>>;
}

export interface Observed extends CommonObserved {
  watched: WatchedSession;
  details: VideoDetails;
  har: Har;
  path: PathCounts;
  connections: ObservedConnections;
  /** When watching ended, by the machine's monotonic clock, in ms. */
  endedMs: number;
}

/** Checks that make a session invalid or failed. Causes come before their effects. */
export const CHECKS: readonly ((observed: Observed, expected: Expected) => Problem | null)[] = [
  ({ path, endedMs }, { network }) => eventMissed(network, path, endedMs, video.attempt[0]),
  ({ har }, { protocol }) => wrongProtocol(har.log.entries, [protocol]),
  foreignHost,
  wrongKeyExchange,
  notOpened,
  wrongRepresentation,
  ({ watched }, expected) => asFailure(segmentFailed(watched, expected)),
  (observed) => asFailure(neverStarted(observed)),
];

function asFailure(problem: Problem | null): Problem | null {
  return problem && { ...problem, hasFailed: true };
}

/** The session opened no connection to a server, so it used one from before. */
function notOpened({ connections: { opened, whole } }: Observed): Problem | null {
  if (!whole) {
    return { code: 'handshakes-unknown', message: 'Not every handshake was seen on the path.' };
  }
  if (opened.length > 0) return null;
  return { code: 'no-handshake', message: 'No connection was set up in this session.' };
}

function wrongRepresentation(
  { details }: Observed,
  { presentation, choices }: Expected,
): Problem | null {
  if (choices.adapts) return null;
  const { id, kbps } = requestedRepresentation(presentation, choices);
  const other = details.requests.find(
    ({ kind, representation }) => kind === 'video' && representation !== id,
  );
  if (!other) return null;
  return {
    code: 'wrong-representation',
    message: `The player requested a segment of ${other.kbps} kbit/s, expected ${kbps} kbit/s throughout.`,
  };
}

/** The highest video representation not above the requested bitrate, else the lowest. */
function requestedRepresentation(
  { representations }: Presentation,
  { bitrateKbps }: VideoChoices,
): Representation {
  const ofPicture = representations.filter(({ kind }) => kind === 'video');
  const found = ofPicture.findLast(({ kbps }) => kbps <= (bitrateKbps ?? 0)) ?? ofPicture[0];
  if (!found) throw new Error('a video without a picture');
  return found;
}

/**
 * A segment of which every response was refused or incomplete. Requests that the player aborts, to
 * change the representation, do not count.
 */
export function segmentFailed(
  { requests }: Pick<WatchedSession, 'requests'>,
  { presentation }: Pick<Expected, 'presentation'>,
): Problem | null {
  const failed = requests.find(
    (request) => (isRefused(request) || isBroken(request)) && !arrivedWhole(request, requests),
  );
  if (!failed) return null;
  const { status, failed: why } = failed;
  return {
    code: 'segment-failed',
    message: `${pieceText(failed, presentation)} never arrived completely: ${isRefused(failed) ? `status ${status}` : why}, after ${failed.bytes} bytes.`,
    blamed: [failed.url],
  };
}

function isRefused({ status }: MediaRequest): boolean {
  return status !== null && status >= 400;
}

/** Whether a request failed and the page did not abort it (ERR_ABORTED). */
function isBroken({ failed }: MediaRequest): boolean {
  return failed !== null && failed !== 'net::ERR_ABORTED';
}

function arrivedWhole(failed: MediaRequest, requests: readonly MediaRequest[]): boolean {
  const range = String(failed.range);
  return requests.some(
    (each) =>
      each.url === failed.url &&
      String(each.range) === range &&
      each.endMs !== null &&
      each.failed === null &&
      !isRefused(each),
  );
}

function pieceText({ url, range }: MediaRequest, { representations }: Presentation): string {
  for (const { kind, kbps, segments } of representations) {
    const segment = segments.find(
      (each) => each.url === url && String(each.bytes) === String(range),
    );
    if (!segment) continue;
    const what = kind === 'video' ? 'picture' : 'sound';
    return `The segment at ${segment.fromMs / 1000} s of the ${what} at ${kbps} kbit/s (${url})`;
  }
  return url;
}

function neverStarted({ details }: Observed): Problem | null {
  const [element] = details.reports;
  if (element && element.startupMs !== null) return null;
  const came = details.requests.filter(({ endMs, fromMs }) => endMs !== null && fromMs !== null);
  return {
    code: 'never-started',
    message: `Playback did not start within ${(details.watchedMs / 1000).toFixed(1)} s; ${came.length} segments arrived. Watch for longer (--duration), use a faster link, or a lower bitrate (--abr off plays the lowest).`,
  };
}
