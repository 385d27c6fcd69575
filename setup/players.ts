import { copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { PLAYER_PROGRAMS } from '../clients/chromium/players/index.ts';
import { fingerprint, inProject, readStamp, writeStamp } from './folders.mjs';
import { installFromLock } from './npm.mjs';
import { SetupError, type Step } from './step.mjs';

const STAMP = 'players-from';
const MADE_FROM = path.join('setup', 'players');

// Read by clients/chromium/players/.
const PLAYERS = path.join('.setup', 'players');
const UNPACKED = path.join('.setup', 'players-unpacked');

const files = Object.values(PLAYER_PROGRAMS).map(({ file }) => path.join('node_modules', file));
const wanted = () => fingerprint(MADE_FROM);

/** The players of videos: of their packages, which have 200 MB, the one file each that a page loads. */
export const players: Step = {
  title: 'fetching the players of videos',
  isDone: () =>
    readStamp(STAMP) === wanted() && files.every((file) => existsSync(inProject(PLAYERS, file))),
  run() {
    const unpacked = inProject(UNPACKED);
    // A set-up that was killed leaves it behind.
    rmSync(unpacked, { recursive: true, force: true });
    try {
      mkdirSync(unpacked, { recursive: true });
      for (const file of ['package.json', 'package-lock.json']) {
        copyFileSync(inProject(MADE_FROM, file), path.join(unpacked, file));
      }
      if (!installFromLock('--ignore-scripts', '--prefix', unpacked)) {
        throw new SetupError(
          "The players of videos could not be installed; npm's messages are above. Is the network there?",
        );
      }
      for (const file of files) {
        const place = inProject(PLAYERS, file);
        mkdirSync(path.dirname(place), { recursive: true });
        copyFileSync(path.join(unpacked, file), place);
      }
      writeStamp(STAMP, wanted());
    } finally {
      rmSync(unpacked, { recursive: true, force: true });
    }
  },
};

/** Whether they were asked for once: then later set-ups keep them current. */
export function werePlayersAskedFor(): boolean {
  return readStamp(STAMP) !== null;
}
