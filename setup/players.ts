import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { PLAYER_PROGRAMS } from '../experiments/video/players/index.ts';
import { fingerprint, hasStamp, inProject } from './folders.mjs';
import { installFromLock } from './npm.mjs';
import { SetupError } from './setup-error.mjs';
import { stampedStep } from './stamped-step.mjs';

const STAMP = 'players-from';
const MADE_FROM = path.join('setup', 'players');

// Read by clients/chromium/players/.
const PLAYERS = path.join('.setup', 'players');
const UNPACKED = path.join('.setup', 'players-unpacked');

const files = Object.values(PLAYER_PROGRAMS).map(({ file }) => path.join('node_modules', file));

/** The players of videos: of their packages, which have 200 MB, the one file each that a page loads. */
export const players = stampedStep(STAMP, {
  title: 'fetching the players of videos',
  wanted: () => fingerprint(MADE_FROM),
  isThere: () => files.every((file) => existsSync(inProject(PLAYERS, file))),
  async make() {
    const unpacked = inProject(UNPACKED);
    // A set-up that was killed leaves it behind.
    rmSync(unpacked, { recursive: true, force: true });
    try {
      mkdirSync(unpacked, { recursive: true });
      for (const file of ['package.json', 'package-lock.json']) {
        copyFileSync(inProject(MADE_FROM, file), path.join(unpacked, file));
      }
      if (!(await installFromLock('--ignore-scripts', '--prefix', unpacked))) {
        throw new SetupError(
          "The players of videos could not be installed; npm's messages are above. Is the network there?",
        );
      }
      for (const file of files) {
        const place = inProject(PLAYERS, file);
        mkdirSync(path.dirname(place), { recursive: true });
        renameSync(path.join(unpacked, file), place);
      }
    } finally {
      rmSync(unpacked, { recursive: true, force: true });
    }
  },
});

/** Whether they were asked for once: then later set-ups keep them current. */
export function werePlayersAskedFor(): boolean {
  return hasStamp(STAMP);
}
