import type { Presentation } from '../../cache/presentation.ts';
import type { Failure } from '../../clients/chromium/failure.ts';
import type { Bench } from '../measuring.ts';
import type { AttemptEvidence } from '../trial.ts';
import type { WatchedSession } from './players/watched-session.ts';

/** Everything that was seen of a session. */
export interface ObservedSession extends AttemptEvidence {
  /** null: it never began. */
  watched: WatchedSession | null;
  /** What broke; null: nothing did. */
  failure: Failure | null;
  stepsMs: { session: number; count: number };
}

/** What is played. */
export function presentationOf({ manifest }: Pick<Bench, 'manifest'>): Presentation {
  if (!manifest?.video) throw new Error('a site that is no video');
  return manifest.video;
}
