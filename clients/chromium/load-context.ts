import type { CDPSession } from 'puppeteer-core';
import type { ClientRecord } from '../../ground/records/observation.ts';
import type { Failure } from '../load-failure.ts';
import type { VisitKind } from '../visit-kind.ts';
import type { Tab } from './tab.ts';

/** Context of one load: a fresh tab in an idle browser. */
export interface LoadContext {
  tab: Tab;
  /** The browser's own session. */
  root: CDPSession;
  /** Absent: the default context of a separate browser. */
  browserContextId?: string;
  about: ClientRecord;
  /** PID of the browser's first process. */
  browserPid: number;
  keyLogFile: string;
  /** Offset in the key log when the context was opened. */
  keyLogFromByte: number;
  /** Resolves if the browser ends unexpectedly. */
  broken: Promise<Failure>;
  /** Closes and forgets what the load left open. */
  leave(): Promise<void>;
}

export interface ContextPool {
  /**
   * @param visit absent: cold
   * @throws Error if the browser cannot start, or opens no context in time
   */
  open(stack: string, visit?: VisitKind): Promise<LoadContext>;
  /** Whether to replace its browsers before the next block. */
  readonly isWorn: boolean;
  close(): Promise<void>;
}
