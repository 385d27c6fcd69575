import type { Presentation } from '../../cache/presentation.ts';
import type { Failure } from '../../clients/chromium/failure.ts';
import type { Place, Places } from '../../clients/chromium/place.ts';
import type { OpenedPlayer } from '../../clients/chromium/players/session.ts';
import type { Watched } from '../../clients/chromium/players/watched.ts';
import type { TimeKept } from '../../interference/heartbeat.ts';
import type { ConnectionsSeen } from '../../records/connection.ts';
import type { LinkSample } from '../../records/link-sample.ts';
import type { MachineUse } from '../../records/machine-use.ts';
import type { PathCounts } from '../../records/network.ts';
import type { RunChoices, Trial } from '../../records/run.ts';
import type { VideoChoices } from '../../records/video.ts';
import type { Bench, ReadyServer } from '../measuring.ts';

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
export interface Measured {
  /** null: it never began. */
  watched: Watched | null;
  /** What broke; null: nothing did. */
  failure: Failure | null;
  connections: ConnectionsSeen | null;
  machine: MachineUse | null;
  time: TimeKept | null;
  path: PathCounts | null;
  /** What the link carried; null: nothing limited it, or this backend does not tell. */
  link: readonly LinkSample[] | null;
  startedAt: Date;
  /** When watching ended, by the machine's monotonic clock. */
  endedMs: number;
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
