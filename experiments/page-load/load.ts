import type { CdpEvent } from '../../clients/chromium/har/events.ts';
import type { BreakCounts } from '../../clients/chromium/until-complete.ts';
import type { Visit } from '../../clients/chromium/visit.ts';
import type { Bench } from '../measuring.ts';
import type { AttemptEvidence } from '../trial.ts';

/** Trace of a filmed load as JSON, or why it is missing; null: not filmed. */
export type FilmTrace = { text: string } | { problem: string } | null;

export interface ObservedLoad extends Visit, AttemptEvidence {
  /** null: the condition has no event, or the load never began. */
  breaks: BreakCounts | null;
  stepsMs: { earlierLoad: number; load: number; settle: number };
  trace: FilmTrace;
  /** Requests whose response had other bytes than recorded when they were compared. */
  otherBytes: readonly string[];
  /** Events of the load before the measured one; null: no such load. */
  earlierEvents: readonly CdpEvent[] | null;
  /** Protocols of the responses of the document's host, at each return visit before the load. */
  returnProtocols: readonly (readonly string[])[];
  /** Queries to the bench's name server during the load; null: the browser knows all names, or the load never began. */
  names: Awaited<ReturnType<Bench['path']['names']['queries']>> | null;
}
