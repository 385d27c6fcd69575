import type { CdpEvent } from '../../clients/chromium/har/events.ts';
import type { BreakCounts } from '../../clients/chromium/until-complete.ts';
import type { Visit } from '../../clients/chromium/visit.ts';
import type { Bench } from '../measuring.ts';
import type { AttemptEvidence } from '../trial.ts';

/** Everything that was seen of a load. */
export interface ObservedLoad extends Visit, AttemptEvidence {
  /** What became of the page where something happened to its path; null: nothing was to, or the load never began. */
  breaks: BreakCounts | null;
  stepsMs: { earlierLoad: number; load: number; settle: number };
  /** Requests whose response had other bytes than recorded when they were compared. */
  otherBytes: readonly string[];
  /** What a HAR of the load before it is made of; null: there was none. */
  earlierEvents: readonly CdpEvent[] | null;
  /** By which protocols the browser came each time that it came back before the load, from the document's host. */
  backBy: readonly (readonly string[])[];
  /** What the bench's name server was asked during the load; null: the browser knows all names, or the load never began. */
  names: Awaited<ReturnType<Bench['path']['names']['queries']>> | null;
}
