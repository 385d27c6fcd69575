import type { Failure } from '../../clients/chromium/failure.ts';
import type { CdpEvent } from '../../clients/chromium/har/events.ts';
import type { Place, Places } from '../../clients/chromium/place.ts';
import type { Recorder } from '../../clients/chromium/recorder.ts';
import type { Breaks } from '../../clients/chromium/until-complete.ts';
import type { Visit } from '../../clients/chromium/visit.ts';
import type { TimeKept } from '../../interference/heartbeat.ts';
import type { ConnectionsSeen } from '../../records/connection.ts';
import type { LinkSample } from '../../records/link-sample.ts';
import type { MachineUse } from '../../records/machine-use.ts';
import type { PathCounts } from '../../records/network.ts';
import type { Trial } from '../../records/run.ts';
import type { Bench, ReadyServer } from '../measuring.ts';

/** What all loads of a group have in common. */
export interface LoadContext extends Omit<Bench, 'programs' | 'enter' | 'blockOf' | 'made'> {
  places: Places;
}

/** A trial that has its place in a browser, or the reason why it has none. */
export interface Prepared {
  trial: Trial;
  server: ReadyServer;
  place: Place | Failure;
  /** Already looking at the place's tab; null: an earlier load comes first. */
  recorder: Recorder | null;
  prepareMs: number;
  /** Resolves when nothing is under way any more but what the load event left: from then on the next one may be prepared. */
  settling: PromiseWithResolvers<void>;
}

/** Everything that was seen of a load. */
export interface Measured extends Visit {
  /** What became of the page where something happened to its path; null: nothing was to, or the load never began. */
  breaks: Breaks | null;
  connections: ConnectionsSeen | null;
  machine: MachineUse | null;
  /** null: the load never began, or never came to its end. */
  time: TimeKept | null;
  /** What went over the path; null: the load never began, or nobody sees the path. */
  path: PathCounts | null;
  /** What the link carried; null: nothing limited it, or this backend does not tell. */
  link: readonly LinkSample[] | null;
  startedAt: Date;
  stepsMs: { earlierLoad: number; load: number; settle: number };
  /** What a HAR of the load before it is made of; null: there was none. */
  earlierEvents: readonly CdpEvent[] | null;
  /** By which protocols the browser came each time that it came back before the load, from the document's host. */
  backBy: readonly (readonly string[])[];
  /** What the bench's name server was asked during the load; null: the browser knows all names, or the load never began. */
  names: Awaited<ReturnType<Bench['path']['names']['asked']>> | null;
}
