import type { BreakCounts, PageRecord, PageVisit } from '../../clients/page-context.ts';
import type { Bench } from '../measuring.ts';
import type { AttemptEvidence } from '../trial.ts';

/** Trace of a filmed load as JSON, or why it is missing; null: not filmed. */
export type FilmTrace = { text: string } | { problem: string } | null;

export interface ObservedLoad extends Omit<PageVisit, 'record'>, AttemptEvidence {
  /** null: the load never began. */
  record: PageRecord | null;
  /** null: the condition has no event, or the load never began. */
  breaks: BreakCounts | null;
  stepsMs: { earlierLoad: number; load: number; settle: number };
  trace: FilmTrace;
  /** Requests whose response had other bytes than recorded when they were compared. */
  otherBytes: readonly string[];
  /** The load before the measured one; null: no such load. */
  earlier: PageRecord | null;
  /** Protocols of the responses of the document's host, at each return visit before the load. */
  returnProtocols: readonly (readonly string[])[];
  /** Queries to the bench's name server during the load; null: the browser knows all names, or the load never began. */
  names: Awaited<ReturnType<Bench['path']['names']['queries']>> | null;
}
