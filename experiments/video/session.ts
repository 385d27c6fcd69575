import type { Presentation } from '../../cache/presentation.ts';
import type { Failure } from '../../clients/load-failure.ts';
import type { Bench } from '../measuring.ts';
import type { AttemptEvidence } from '../trial.ts';
import type { WatchedSession } from './players/watched-session.ts';

export interface ObservedSession extends AttemptEvidence {
  /** null: the session never began. */
  watched: WatchedSession | null;
  /** null: no failure. */
  failure: Failure | null;
  stepsMs: { session: number; count: number };
}

export function presentationOf({ manifest }: Pick<Bench, 'manifest'>): Presentation {
  if (!manifest?.video) throw new Error('the site is not a video');
  return manifest.video;
}
