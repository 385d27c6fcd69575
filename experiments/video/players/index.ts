import path from 'node:path';
import type { PackageFile } from '../../../ground/experiment.ts';
import { madeFolder } from '../../../ground/system/folders.mjs';
import { dashjs } from './dashjs/player.ts';
import type { Player } from './player.ts';
import { shaka } from './shaka/player.ts';

/** Every player; the first is the default. */
export const PLAYERS: readonly [Player, ...Player[]] = [dashjs, shaka];

/** undefined: unknown to this version, as in a run of another one. */
export function playerNamed(name: string): Player | undefined {
  return PLAYERS.find((player) => player.name === name);
}

export function playerLabel(name: string): string {
  return playerNamed(name)?.label ?? name;
}

/** Source of a player's program, and where setup installs it. */
export function programOf({ name, label, file }: Player): PackageFile {
  return {
    title: label,
    folder: `experiments/video/players/${name}`,
    file,
    place: path.join(madeFolder, '.setup', 'players', 'node_modules', file),
  };
}
