import { listSites, siteFolder, videosFolder } from '../../cache/catalogue.ts';
import type { RunValues } from '../../ground/options/common.ts';
import { didYouMean } from '../../ground/options/nearest-name.ts';
import { isNetworkUnset } from '../../ground/options/network.ts';
import type { NetworkCondition } from '../../ground/records/network.ts';
import { requiredChoices } from '../../ground/records/own-choices.ts';
import type { PlanRecord } from '../../ground/records/run.ts';
import { UsageError } from '../../ground/system/errors.ts';
import { complain } from '../../ground/system/printed.mjs';
import { shellWord } from '../../ground/system/shell-word.ts';
import { durationText } from '../../kit/text/about-duration.ts';
import type { Planning } from '../planning.ts';
import type { SiteToLoad } from '../subjects.ts';
import {
  NETWORK_OF_VIDEOS,
  RTT_OF_VIDEOS_MS,
  TEST_PATTERN,
  type VIDEO_OPTIONS,
} from './options.ts';
import { VIDEO_CHOICES, type VideoChoices } from './records.ts';

type VideoValues = RunValues<typeof VIDEO_OPTIONS>;

/** Overhead of a session: opens a tab with the player, writes records. */
const AROUND_A_SESSION_MS = 2_500;

function videoChoicesOf(values: VideoValues): VideoChoices {
  const { duration, buffer, abr, bitrate } = values;
  return {
    watchedMs: 1000 * duration,
    bufferMs: buffer === null ? null : 1000 * buffer,
    adapts: abr === 'on',
    bitrateKbps: bitrate,
  };
}

/** Duration of a session in ms, overhead included: players run in real time. */
function expectedSessionMs({ watchedMs }: VideoChoices): number {
  return watchedMs + AROUND_A_SESSION_MS;
}

/** @throws UsageError for unknown names and inconsistent numbers */
function networksOfVideos(
  values: VideoValues,
  networksOf: (values: RunValues) => NetworkCondition[],
): NetworkCondition[] {
  if (isNetworkUnset(values)) return networksOf({ ...values, network: [NETWORK_OF_VIDEOS] });
  const rtt = values.rtt ?? (values.network === null ? RTT_OF_VIDEOS_MS : null);
  const networks = networksOf({ ...values, rtt });
  const late = networks.find(({ event }) => (event?.atMs ?? 0) >= 1000 * values.duration);
  if (late === undefined) return networks;
  throw new UsageError(
    `--event ${late.event?.kind}@${late.event?.atMs}ms with --duration ${values.duration}: the event is after the end of the session. Use an earlier event or a longer duration.`,
  );
}

/**
 * Finds videos in the cache, and generates the test pattern if it is missing.
 * @throws UsageError for an unknown name, and for a bitrate below all representations of a video
 */
async function subjectsOfVideos(
  names: readonly string[],
  { bitrateKbps }: VideoChoices,
  signal?: AbortSignal,
): Promise<SiteToLoad[]> {
  const known = new Set([TEST_PATTERN, ...listSites(videosFolder)]);
  const unknown = names.find((name) => !known.has(name));
  if (unknown !== undefined && listSites().includes(unknown)) {
    throw new UsageError(
      `--videos ${unknown}: this is a page, not a video. To load it: npm run benchmark -- --sites ${shellWord(unknown)}`,
    );
  }
  if (unknown !== undefined) {
    throw new UsageError(
      `--videos ${unknown}: unknown video.${didYouMean(unknown, [...known])} The cache has: ${[...known].join(', ')}. To add one: npm run import -- manifest.mpd`,
    );
  }
  const { testPattern } = await import('../../cache/videos.ts');
  const { siteToLoad } = await import('../subjects.ts');
  const subjects: SiteToLoad[] = [];
  for (const name of names) {
    const folder =
      name === TEST_PATTERN
        ? await testPattern(name, { say: complain, signal })
        : siteFolder(name, videosFolder);
    subjects.push(await siteToLoad(name, folder));
  }
  for (const subject of subjects) assertRepresentations(subject, bitrateKbps);
  return subjects;
}

/** @throws UsageError for a bitrate below all video representations */
export function assertRepresentations(
  { planned, manifest }: Pick<SiteToLoad, 'planned' | 'manifest'>,
  bitrateKbps: number | null,
): void {
  const representations =
    manifest?.video?.representations.filter(({ kind }) => kind === 'video') ?? [];
  const rates = representations.map(({ kbps }) => kbps);
  if (bitrateKbps === null || rates.some((kbps) => kbps <= bitrateKbps)) return;
  throw new UsageError(
    `--bitrate ${bitrateKbps}: ${planned.subject} has no bitrate that low. It has ${rates.map(Math.round).join(', ')} kbit/s.`,
  );
}

export function sessionsOf(plan: Parameters<typeof requiredChoices>[0]): VideoChoices {
  return requiredChoices(plan, VIDEO_CHOICES);
}

function sessionNotices(plan: PlanRecord, sessions: number): string[] {
  const choices = sessionsOf(plan);
  const { trials, stopping } = plan;
  const warmups = trials.filter(({ warmup }) => warmup).length;
  const what = stopping ? 'The first answers come after' : 'The run has';
  return [
    `${what} ${sessions} sessions of ${choices.watchedMs / 1000} s (${warmups} are warm-ups), one after the other, in real time: about ${durationText(sessions * expectedSessionMs(choices))}. Reduce --duration${stopping ? '' : ' or --repetitions'}, networks, players or stacks to shorten it.`,
  ];
}

export const planning: Planning = {
  choices: videoChoicesOf,
  subjects: ({ videos }: VideoValues) => [...new Set(videos)],
  find: (names, choices, signal) => subjectsOfVideos(names, sessionsOf({ choices }), signal),
  networks: networksOfVideos,
  expectedMs: (choices) => expectedSessionMs(sessionsOf({ choices })),
  notices: sessionNotices,
};
