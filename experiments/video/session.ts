import type { Presentation } from '../../cache/presentation.ts';
import type { Failure } from '../../clients/chromium/failure.ts';
import type { Place, Places } from '../../clients/chromium/place.ts';
import type { Trial } from '../../ground/records/run.ts';
import type { Bench, ReadyServer } from '../measuring.ts';
import type { Evidence } from '../trial.ts';
import type { OpenedPlayer } from './players/session.ts';
import type { Watched } from './players/watched.ts';

/** What all sessions of a group have in common. */
export interface SessionContext extends Omit<Bench, 'programs' | 'enter' | 'blockOf' | 'made'> {
  places: Places;
}

/** A trial whose player is ready in a place, or the reason why it is not. */
export interface Prepared {
  trial: Trial;
  server: ReadyServer;
  ready: { place: Place; player: OpenedPlayer } | Failure;
  prepareMs: number;
  /** Resolves when watching is over: from then on the next one may be prepared. */
  settling: PromiseWithResolvers<void>;
}

/** Everything that was seen of a session. */
export interface Measured extends Evidence {
  /** null: it never began. */
  watched: Watched | null;
  /** What broke; null: nothing did. */
  failure: Failure | null;
  startedAt: Date;
  stepsMs: { session: number; count: number };
}

/** What is played. */
export function presentationOf({ manifest }: Pick<Bench, 'manifest'>): Presentation {
  if (!manifest?.video) throw new Error('a site that is no video');
  return manifest.video;
}
