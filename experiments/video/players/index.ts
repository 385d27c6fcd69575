import type { PlayerName } from '../records.ts';
import { dashjs } from './dashjs.ts';
import type { Player } from './player.ts';
import { shaka } from './shaka.ts';

/** The programs of all players; their list is `PLAYERS` of experiments/video/records.ts. */
export const PLAYER_PROGRAMS: Readonly<Record<PlayerName, Player>> = { dashjs, shaka };
