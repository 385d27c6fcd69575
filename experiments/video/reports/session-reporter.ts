import type { WatchedSession } from '../players/watched-session.ts';
import type { PlayerRequest, SessionReport } from '../records.ts';

/** What a session is told from. */
export interface Session extends WatchedSession {
  /** Its requests, and what each asked for. */
  asked: readonly PlayerRequest[];
  /** How long the video is. */
  durationMs: number;
}

/** Tells when playing began and where it stalled. */
export type SessionReporter = (session: Session) => Pick<SessionReport, 'startupMs' | 'stalls'>;
