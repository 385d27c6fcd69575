import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { boundedBody, OUTPUT_BYTES, readErrorTail } from '../ground/system/bounded-body.ts';
import { startChild } from '../ground/system/child-process.ts';
import { withDeadline } from '../ground/system/deadline.ts';
import { MachineError } from '../ground/system/errors.ts';
import { UsageError } from '../ground/system/exit-status.ts';
import { withTemporaryFolder } from '../ground/system/temporary-folder.ts';
import { siteFolder, videosFolder } from './catalogue.ts';
import { siteOfDash } from './dash/video-site.ts';
import { manifestFile, readManifestAlone, writeSite } from './manifest.ts';

/** Parameters of the pattern. Rates grow by about 2.5, so that a network's rate has levels above and below it. */
const PATTERN = {
  seconds: 60,
  framesPerSecond: 25,
  segmentSeconds: 2,
  levels: [
    { size: '256x144', kbps: 150 },
    { size: '512x288', kbps: 400 },
    { size: '768x432', kbps: 1000 },
    { size: '1280x720', kbps: 2500 },
  ],
  soundKbps: 64,
};

const ENCODERS = ['libvpx-vp9', 'libopus'];

/** Timeout of ffmpeg, which takes 20 s on two cores. */
const LIMIT_MS = 600_000;

const STOP_LIMIT_MS = 1000;
const NOT_FOUND = 127;

const REMEDY =
  'On Debian and Ubuntu: apt-get install ffmpeg. `npm run setup -- --for video` does that too.';

/** Progress and cancellation of encoding. */
interface MakeOptions {
  say: (line: string) => void;
  /** Cancels, and leaves no files. */
  signal?: AbortSignal;
}

/**
 * Makes a video, unless it exists with the current pattern: a clock and a tone, in levels of nearly constant rates.
 * @param name name of the video and of its folder
 * @returns its folder
 * @throws MachineError when ffmpeg is missing or fails, UsageError when a video of that name was imported
 */
export async function testPattern(
  name: string,
  { say, signal }: MakeOptions,
  videos = videosFolder,
): Promise<string> {
  const folder = siteFolder(name, videos);
  if (isMade(folder)) return folder;
  const version = await ffmpegVersion(signal);
  say(
    `Making the video ${name}: ${PATTERN.seconds} s at ${PATTERN.levels.length} quality levels of ${PATTERN.levels.map(({ kbps }) => kbps).join(', ')} kbit/s, once; about 20 s ...`,
  );
  await withTemporaryFolder('video', async (making) => {
    const manifest = path.join(making, 'manifest.mpd');
    await ffmpeg([...argumentsOf(PATTERN), manifest], signal);
    const source = `A test pattern with a clock and a tone of 440 Hz, made by ffmpeg ${version}.`;
    const site = await siteOfDash(manifest, source);
    // Another process may have made it meanwhile.
    if (isMade(folder)) return;
    await mkdir(videos, { recursive: true });
    try {
      const manifest = { ...site.manifest, site: name, madeFrom: patternDigest() };
      await writeSite(folder, manifest, site.bodies);
    } catch (error) {
      if (!isMade(folder)) throw error;
    }
  });
  return folder;
}

function isMade(folder: string): boolean {
  if (!existsSync(manifestFile(folder))) return false;
  const manifest = readManifestAlone(folder);
  if (manifest.importedFrom === undefined) return manifest.madeFrom === patternDigest();
  throw new UsageError(
    `${folder} holds a video that was imported under the name of the test pattern. Import it again with another --name, and remove this folder.`,
  );
}

/** Hex SHA-256 of ffmpeg's arguments. */
function patternDigest(): string {
  return createHash('sha256').update(argumentsOf(PATTERN).join(' ')).digest('hex');
}

/** Arguments with the same output on any number of cores: -row-mt 1 would depend on timing. */
function argumentsOf({
  seconds,
  framesPerSecond,
  segmentSeconds,
  levels,
  soundKbps,
}: typeof PATTERN) {
  const frames = framesPerSecond * segmentSeconds;
  // Each level draws its own clock, to be readable in small pictures; the font is built into ffmpeg.
  const pictures = levels.flatMap(({ size }) => [
    '-f',
    'lavfi',
    '-i',
    `testsrc2=size=${size}:rate=${framesPerSecond}`,
  ]);
  const rates = levels.flatMap(({ kbps }, index) =>
    ['-b:v', '-minrate:v', '-maxrate:v', '-bufsize:v'].flatMap((option) => [
      `${option}:${index}`,
      `${kbps}k`,
    ]),
  );
  return [
    ...['-hide_banner', '-nostdin', '-loglevel', 'error'],
    ...pictures,
    ...['-f', 'lavfi', '-i', 'sine=frequency=440:sample_rate=48000', '-t', `${seconds}`],
    ...[...levels, 'sound'].flatMap((_, index) => ['-map', `${index}`]),
    ...['-c:v', 'libvpx-vp9', '-pix_fmt', 'yuv420p', '-deadline', 'realtime', '-cpu-used', '8'],
    ...['-row-mt', '0', '-lag-in-frames', '0'],
    ...['-g', `${frames}`, '-keyint_min', `${frames}`],
    ...rates,
    ...['-c:a', 'libopus', '-b:a', `${soundKbps}k`, '-vbr', 'off'],
    ...['-fflags', '+bitexact', '-flags', '+bitexact'],
    ...['-f', 'dash', '-seg_duration', `${segmentSeconds}`, '-dash_segment_type', 'webm'],
    ...['-use_template', '1', '-use_timeline', '0'],
    ...['-adaptation_sets', 'id=0,streams=v id=1,streams=a'],
  ];
}

/** @throws MachineError when it is missing, or lacks an encoder */
async function ffmpegVersion(signal: AbortSignal | undefined): Promise<string> {
  const encoders = await ffmpeg(['-hide_banner', '-encoders'], signal);
  const missing = ENCODERS.filter((encoder) => !encoders.includes(` ${encoder} `));
  if (missing.length > 0) {
    throw new MachineError(
      `This ffmpeg cannot encode by ${missing.join(' and ')}, which the test pattern needs. ${REMEDY}`,
    );
  }
  const version = await ffmpeg(['-version'], signal);
  return /^ffmpeg version (\S+)/.exec(version)?.[1] ?? 'of a version that it does not say';
}

/** Runs ffmpeg; returns its output. */
async function ffmpeg(args: readonly string[], signal: AbortSignal | undefined): Promise<string> {
  const child = startChild('ffmpeg', args);
  const { stdout, stderr } = child.process;
  if (!stdout || !stderr) throw new Error('a program without pipes');
  const [printed, complaints] = [
    boundedBody(stdout, OUTPUT_BYTES, 'what ffmpeg printed'),
    readErrorTail(stderr),
  ];
  printed.catch(() => {}); // Handled when it is awaited.
  try {
    const end = await withDeadline(child.ended, LIMIT_MS, () => null, signal);
    if (end === 0) return (await printed).toString('utf8');
    if (end === NOT_FOUND) {
      throw new MachineError(`ffmpeg is missing, which makes the test pattern. ${REMEDY}`);
    }
    const why =
      end === null
        ? `did not end within ${LIMIT_MS / 1000} s`
        : `ended with ${end}: ${(await complaints).trim().split('\n').at(-1)}`;
    throw new MachineError(`ffmpeg, which makes the test pattern, ${why}. ${REMEDY}`);
  } finally {
    await child.stop(STOP_LIMIT_MS);
  }
}
