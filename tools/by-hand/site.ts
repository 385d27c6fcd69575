import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { SiteManifest } from '../../cache/manifest.ts';
import { authorityFile } from '../../certs/certificates.ts';
import type { SiteToLoad } from '../../experiments/subjects.ts';
import { runFolder } from '../../ground/records/run-folder.ts';
import { withTemporaryFolder } from '../../ground/system/temporary-folder.ts';
import type { AssessedCalibration } from '../../network/calibration/until-right.ts';
import { backendFor } from '../../network/network.ts';
import { type Path, tcpSettingsOf } from '../../network/path.ts';
import { assertSetUp, type Machine, readMachine } from '../../runner/machine.ts';
import { makePlan } from '../../runner/plan.ts';
import type { Server } from '../../runner/servers.ts';
import { createTestBed } from '../../runner/test-bed.ts';
import { writeTraces } from '../../runner/traces.ts';
import type { ManualRequest } from './manual-request.ts';
import {
  announcePath,
  endedText,
  handOverPath,
  type ManualOutput,
  measurePath,
} from './measure-path.ts';

export interface SiteByHand {
  machine: Machine;
  site: SiteToLoad;
  manifest: SiteManifest;
  server: Server;
  path: Path;
  calibration: AssessedCalibration;
  /** PEM file of the authority that signed the server's certificates; null: they are not from this project. */
  authorityFile: string | null;
  /** Temporary: the server's log in `logs/`, its keys and certificates in `keys/`. */
  folder: string;
}

/**
 * Serves a site as a run would, over a measured path, and always stops everything at the end.
 * @param request with one site and one stack
 * @throws ExitError as a run does
 */
export async function withSiteByHand<T>(
  { options, condition }: ManualRequest,
  byHand: ManualOutput,
  use: (served: SiteByHand) => Promise<T>,
): Promise<T> {
  const machine = readMachine();
  assertSetUp(options.stacks);
  const plan = await makePlan(options);
  const [site] = plan.subjects;
  const [stack] = plan.stacks;
  if (!site?.manifest || !stack) throw new Error('no site of one stack');
  const { manifest } = site;
  return withTemporaryFolder('by-hand', async (folder) => {
    await writeTraces(runFolder(folder).traces, options.traces);
    const logsFolder = path.join(folder, 'logs');
    await mkdir(logsFolder);
    const keysFolder = path.join(folder, 'keys');
    const choices = { ...options.choices, pinned: null };
    const dependencies = createTestBed(
      {
        folder,
        plan,
        machine,
        record: {
          experiment: options.experiment.name,
          choices,
          arms: [],
          networks: [...options.networks],
        },
      },
      keysFolder,
      byHand.signal,
      (ended) => byHand.say(endedText(ended)),
    );
    const done = Promise.withResolvers<T>();
    announcePath(condition, byHand);
    await dependencies.withPath(backendFor(options.networks, options.backend), async (made) => {
      await made.setTcp(tcpSettingsOf(stack.settings));
      const calibration = await measurePath(made, condition, machine.python, byHand);
      const where = { stacks: [stack], path: made, logsFolder };
      await dependencies.withServers(site, where, async ([server], failed) => {
        if (!server)
          throw failed.get(stack.stack) ?? new Error('a server neither starts nor fails');
        // The check of a running server has cleared the path.
        await handOverPath(made, condition);
        done.resolve(
          await use({
            machine,
            site,
            manifest,
            server,
            path: made,
            calibration,
            authorityFile: server.shown
              ? null
              : authorityFile({ chain: choices.certificateChain }, keysFolder),
            folder,
          }),
        );
      });
    });
    return done.promise;
  });
}
