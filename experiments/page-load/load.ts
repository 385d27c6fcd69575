import type { Failure } from '../../clients/chromium/failure.ts';
import type { CdpEvent } from '../../clients/chromium/har/events.ts';
import type { Place, Places } from '../../clients/chromium/place.ts';
import type { Recorder } from '../../clients/chromium/recorder.ts';
import type { Breaks } from '../../clients/chromium/until-complete.ts';
import type { Visit } from '../../clients/chromium/visit.ts';
import type { Trial } from '../../ground/records/run.ts';
import type { Bench, ReadyServer } from '../measuring.ts';
import type { Evidence } from '../trial.ts';

/** What all loads of a group have in common. */
export interface LoadContext extends Omit<Bench, 'programs' | 'enter' | 'blockOf' | 'made'> {
  places: Places;
  /** Which responses had other bytes than recorded, by arm and kind of visit: compared in the first load of each. */
  otherBytes: Map<string, readonly string[]>;
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
export interface Measured extends Visit, Evidence {
  /** What became of the page where something happened to its path; null: nothing was to, or the load never began. */
  breaks: Breaks | null;
  startedAt: Date;
  stepsMs: { earlierLoad: number; load: number; settle: number };
  /** Requests whose response had other bytes than recorded when they were compared. */
  otherBytes: readonly string[];
  /** What a HAR of the load before it is made of; null: there was none. */
  earlierEvents: readonly CdpEvent[] | null;
  /** By which protocols the browser came each time that it came back before the load, from the document's host. */
  backBy: readonly (readonly string[])[];
  /** What the bench's name server was asked during the load; null: the browser knows all names, or the load never began. */
  names: Awaited<ReturnType<Bench['path']['names']['asked']>> | null;
}
