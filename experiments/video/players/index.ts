import path from 'node:path';
import type { PackageFile } from '../../../ground/experiment.ts';
import { projectFolder } from '../../../ground/system/project-folder.ts';
import { dashjs } from './dashjs/player.ts';
import type { Player } from './player.ts';
import { shaka } from './shaka/player.ts';

/** Every player; the first is the default. */
export const PLAYERS: readonly [Player, ...Player[]] = [dashjs, shaka];

/** The player of a name; undefined: this version has none, as of a run from elsewhere. */
export function playerNamed(name: string): Player | undefined {
  return PLAYERS.find((player) => player.name === name);
}

/** A player for readers. */
export function playerLabel(name: string): string {
  return playerNamed(name)?.label ?? name;
}

/** Where a player's program comes from, and where set-up puts it. */
export function programOf({ name, label, file }: Player): PackageFile {
  return {
    title: label,
    folder: `experiments/video/players/${name}`,
    file,
    place: path.join(projectFolder, '.setup', 'players', 'node_modules', file),
  };
}
