import type { Presentation } from '../../cache/presentation.ts';
import type { Failure } from '../../clients/chromium/failure.ts';
import type { RunChoices } from '../../ground/records/run.ts';
import type { VideoChoices } from '../../ground/records/video.ts';
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

/** What holds for all sessions of a run. */
export function choicesOf({ videos }: Pick<RunChoices, 'videos'>): VideoChoices {
  if (!videos) throw new Error('a plan of videos that does not say how they are watched');
  return videos;
}

/** What is played. */
export function presentationOf({ manifest }: Pick<Bench, 'manifest'>): Presentation {
  if (!manifest?.video) throw new Error('a site that is no video');
  return manifest.video;
}
