import type { Presentation } from '../../cache/presentation.ts';
import type { Failure } from '../../clients/chromium/failure.ts';
import type { Bench } from '../measuring.ts';
import type { Evidence } from '../trial.ts';
import type { Watched } from './players/watched.ts';

/** Everything that was seen of a session. */
export interface SeenSession extends Evidence {
  /** null: it never began. */
  watched: Watched | null;
  /** What broke; null: nothing did. */
  failure: Failure | null;
  stepsMs: { session: number; count: number };
}

/** What is played. */
export function presentationOf({ manifest }: Pick<Bench, 'manifest'>): Presentation {
  if (!manifest?.video) throw new Error('a site that is no video');
  return manifest.video;
}
