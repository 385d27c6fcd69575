import type { PlayerName } from '../../../ground/records/video.ts';
import { dashjs } from './dashjs.ts';
import type { Player } from './player.ts';
import { shaka } from './shaka.ts';

/** The programs of all players; their list is `PLAYERS` of ground/records/video.ts. */
export const PLAYER_PROGRAMS: Readonly<Record<PlayerName, Player>> = { dashjs, shaka };
