import type { SiteManifest } from '../../cache/manifest.ts';
import type { RunValues } from '../../ground/options/benchmark.ts';
import type { AskedNetwork } from '../../ground/records/network.ts';
import { UsageError } from '../../ground/system/errors.ts';
import { isUnsaid, networksOf } from '../../runner/network-options.ts';
import { NETWORK_OF_VIDEOS, RTT_OF_VIDEOS_MS } from './options.ts';
import type { VideoChoices } from './records.ts';

/** Around a session: a tab with the player before it, its records behind it. */
const AROUND_A_SESSION_MS = 2_500;

/** What holds for all sessions of a run. */
export function videoChoicesOf(values: RunValues): VideoChoices {
  const { duration, buffer, abr, bitrate } = values;
  return {
    watchedMs: 1000 * duration,
    bufferMs: buffer === null ? null : 1000 * buffer,
    adapts: abr === 'on',
    bitrateKbps: bitrate,
  };
}

/** How long a session takes with all that is around it, in ms: players are paced, so in real time. */
export function expectedSessionMs({ watchedMs }: VideoChoices): number {
  return watchedMs + AROUND_A_SESSION_MS;
}

/**
 * The conditions under which videos are played.
 * @throws UsageError for unknown names, and for numbers that do not go together
 */
export function networksOfVideos(values: RunValues): AskedNetwork[] {
  if (isUnsaid(values)) return networksOf({ ...values, network: [NETWORK_OF_VIDEOS] });
  const rtt = values.rtt ?? (values.network === null ? RTT_OF_VIDEOS_MS : null);
  const networks = networksOf({ ...values, rtt });
  const late = networks.find(({ event }) => (event?.atMs ?? 0) >= 1000 * values.duration);
  if (late === undefined) return networks;
  throw new UsageError(
    `--event ${late.event?.kind}@${late.event?.atMs}ms with --duration ${values.duration}: by then watching is over. Give an earlier event, or a longer duration.`,
  );
}

/**
 * A rate that is asked for has to leave a rung to play.
 * @throws UsageError for one below all rungs of a video's picture
 */
export function assertRungs(
  { bitrateKbps }: VideoChoices,
  videos: readonly { planned: { subject: string }; manifest: SiteManifest | null }[],
): void {
  for (const { planned, manifest } of videos) {
    const rungs = manifest?.video?.rungs.filter(({ kind }) => kind === 'video') ?? [];
    const rates = rungs.map(({ kbps }) => kbps);
    if (bitrateKbps === null || rates.some((kbps) => kbps <= bitrateKbps)) continue;
    throw new UsageError(
      `--bitrate ${bitrateKbps}: ${planned.subject} has no rung that low. It has ${rates.map(Math.round).join(', ')} kbit/s.`,
    );
  }
}
