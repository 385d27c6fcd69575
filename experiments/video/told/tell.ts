import type { Watched } from '../players/watched.ts';
import type { AskedPiece, Told } from '../records.ts';

/** What a session is told from. */
export interface Session extends Watched {
  /** Its requests, and what each asked for. */
  asked: readonly AskedPiece[];
  /** How long the video is. */
  durationMs: number;
}

/** Tells when playing began and where it stalled. */
export type Tell = (session: Session) => Pick<Told, 'startupMs' | 'stalls'>;
