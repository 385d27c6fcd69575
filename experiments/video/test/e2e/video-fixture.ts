import { spawnSync } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { siteOfDash } from '../../../../cache/dash/video-site.ts';
import { type SiteManifest, writeSite } from '../../../../cache/manifest.ts';
import type { FixtureResource } from '../../../../test/e2e/site-fixture.ts';
import { withTemporaryFolder } from '../../../../test/temporary-folder.ts';

const BASE = 'https://video.example/';
/** Length of the video, and of each segment. */
export const VIDEO_MS = 6000;
export const SEGMENT_MS = 2000;

interface Rates {
  /** Picture sizes, the lowest first, with equal aspect ratio, which ffmpeg requires. */
  levels: readonly { size: string; kbps: number }[];
  soundKbps: number;
}

/**
 * Makes a moving pattern with a tone; its manifest is `manifest.mpd`, its streams are the quality
 * levels and then the sound.
 */
function encode(folder: string, { levels, soundKbps }: Rates): void {
  const durationS = VIDEO_MS / 1000;
  const { status, stderr } = spawnSync(
    'ffmpeg',
    [
      ...['-hide_banner', '-loglevel', 'error'],
      ...levels.flatMap(({ size }) => [
        ...['-f', 'lavfi', '-i', `testsrc2=size=${size}:rate=25:duration=${durationS}`],
      ]),
      ...['-f', 'lavfi', '-i', `sine=frequency=440:duration=${durationS}`],
      ...[...levels, 'sound'].flatMap((_, index) => ['-map', `${index}`]),
      ...['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8'],
      ...levels.flatMap(({ kbps }, index) => [`-b:v:${index}`, `${kbps}k`]),
      ...['-g', '50', '-keyint_min', '50', '-c:a', 'libopus', '-b:a', `${soundKbps}k`],
      ...['-f', 'dash', '-dash_segment_type', 'webm', '-seg_duration', `${SEGMENT_MS / 1000}`],
      ...['-use_template', '1', '-use_timeline', '0'],
      ...['-adaptation_sets', 'id=0,streams=v id=1,streams=a', 'manifest.mpd'],
    ],
    { cwd: folder, encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`ffmpeg made no video: ${stderr}`);
}

/**
 * A short video for tests: a moving pattern with quality levels of 100, 300 and 900 kbit/s, which
 * are the streams 0 to 2, and a tone, which is stream 3. `missing-segment.mpd` is a second manifest
 * of it, with segments that do not exist.
 */
export function madeVideo(): Promise<FixtureResource[]> {
  made ??= makeVideo();
  return made;
}

let made: Promise<FixtureResource[]> | undefined;

function makeVideo(): Promise<FixtureResource[]> {
  return withTemporaryFolder(async (folder) => {
    encode(folder, {
      levels: [
        { size: '256x144', kbps: 100 },
        { size: '384x216', kbps: 300 },
        { size: '640x360', kbps: 900 },
      ],
      soundKbps: 64,
    });
    const manifest = await readFile(path.join(folder, 'manifest.mpd'), 'utf8');
    const segments = (await readdir(folder)).filter((file) => file.endsWith('.webm')).sort();
    return [
      resource('manifest.mpd', manifest),
      resource('missing-segment.mpd', manifest.replaceAll('media="chunk-', 'media="none-')),
      ...(await Promise.all(
        segments.map(async (file) => resource(file, await readFile(path.join(folder, file)))),
      )),
    ];
  });
}

/** A video whose first segments, of picture and sound together, are less than a new connection may send at once: 10 packets (RFC 6928, RFC 9002). */
export async function smallVideo(
  folder: string,
): Promise<{ folder: string; manifest: SiteManifest }> {
  encode(folder, { levels: [{ size: '64x36', kbps: 12 }], soundKbps: 16 });
  const site = await siteOfDash(path.join(folder, 'manifest.mpd'), 'made by a test');
  const manifest = { ...site.manifest, site: 'small-video' };
  const siteFolder = path.join(folder, 'site');
  await writeSite(siteFolder, manifest, site.bodies);
  return { folder: siteFolder, manifest };
}

function resource(file: string, body: FixtureResource['body']): FixtureResource {
  const type = file.endsWith('.mpd') ? 'application/dash+xml' : 'video/webm';
  const headers: FixtureResource['headers'] = [
    ['content-type', type],
    ['access-control-allow-origin', '*'],
    ['timing-allow-origin', '*'],
  ];
  return { url: BASE + file, headers, body };
}
