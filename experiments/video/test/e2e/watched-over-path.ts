import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { siteFolder, videosFolder } from '../../../../cache/catalogue.ts';
import { readManifest } from '../../../../cache/manifest.ts';
import { testPattern } from '../../../../cache/videos.ts';
import type { NetworkCondition } from '../../../../ground/records/network.ts';
import type { Trial } from '../../../../ground/records/run.ts';
import type { Stack } from '../../../../ground/stack.ts';
import { conditionName, NOTHING_ADDED } from '../../../../network/conditions.ts';
import { readMachine } from '../../../../runner/machine.ts';
import type { Server } from '../../../../runner/servers.ts';
import { CHOICES } from '../../../../test/e2e/choices.ts';
import { type PathBench, withPathBench } from '../../../../test/e2e/path-bench.ts';
import { type Attempt, measureTrial } from '../../../measuring.ts';
import { measuring } from '../../measure.ts';
import { TEST_PATTERN } from '../../options.ts';
import type { VideoChoices, VideoDetails } from '../../records.ts';

/** Options of one session of a viewer. */
interface ViewerOptions {
  player: string;
  network?: Partial<NetworkCondition>;
}

/** Options of all sessions of a viewer, in addition to a run's defaults. */
interface CommonOptions extends Partial<VideoChoices> {
  watchedMs: number;
}

/** Result of a session. */
export type WatchedSession = Attempt & { details: VideoDetails | null };

/** A video at the far end of a path, served by these stacks. */
export async function withVideo(
  stacks: readonly Stack[],
  video: string,
  use: (bench: PathBench) => Promise<void>,
): Promise<void> {
  if (video === TEST_PATTERN) await testPattern(video, { say: () => {} });
  const folder = siteFolder(video, videosFolder);
  const manifest = await readManifest(folder);
  await withPathBench({ folder, manifest }, use, { stacks });
}

/**
 * Watches the video of a bench as a run does, once per call. The last HAR is in the bench's folder.
 */
export type Watch = (server: Server, session: ViewerOptions) => Promise<WatchedSession>;

/** Passes on a viewer that reuses the same browsers. */
export async function withViewer<T>(
  { manifest, siteFolder, networkPath, folder, servers }: PathBench,
  alike: CommonOptions,
  use: (watch: Watch) => Promise<T>,
): Promise<T> {
  const { chromium, bun } = readMachine();
  const videos = { bufferMs: null, adapts: true, bitrateKbps: null, ...alike };
  const notKept = () => Promise.reject(new Error('this bench keeps nothing but HARs'));
  const client = measuring.open({
    url: manifest.url,
    manifest,
    siteFolder,
    servers,
    blockOf: (trial) => [trial],
    async *recordedAttempts() {},
    path: networkPath,
    programs: { chromium, bun },
    enter: networkPath.agent.enter('client'),
    choices: { ...CHOICES, videos },
    hasEvents: false,
    timeoutS: 30,
    versions: { chromium: '156', 'quic-vs-https': 'test' },
    results: {
      async writeHar(id, har) {
        await writeFile(path.join(folder, `${id}.har`), JSON.stringify(har));
        return `${id}.har`;
      },
      writeLink: async (id) => `${id}.csv.gz`,
      writePackets: notKept,
      writeTcpInfo: notKept,
      writeFilm: notKept,
      writeProfile: notKept,
      keepNetLog: notKept,
    },
    warn: assert.fail,
  });
  try {
    return await use(async (server, { player, network = {} }) => {
      const numbers = { ...NOTHING_ADDED, ...network };
      const trial: Trial = {
        id: 'session',
        subject: manifest.site,
        arm: server.stack.stack,
        network: { ...numbers, name: conditionName(numbers) },
        networkSeed: 1,
        repetition: 1,
        block: 1,
        warmup: false,
        factors: { player },
      };
      return (await measureTrial(trial, client)) as WatchedSession;
    });
  } finally {
    await client.close();
  }
}
