import type { WatchedSession } from '../players/watched-session.ts';
import type { PlayerRequest, SessionReport } from '../records.ts';

export interface Session extends WatchedSession {
  playerRequests: readonly PlayerRequest[];
  /** Duration of the video. */
  durationMs: number;
}

/** Reports the start of playback and the stalls. */
export type SessionReporter = (session: Session) => Pick<SessionReport, 'startupMs' | 'stalls'>;
