import type { CDPSession } from 'puppeteer-core';
import type { ClientRecord } from '../../ground/records/observation.ts';
import type { Failure } from './failure.ts';
import type { Tab } from './tab.ts';
import type { VisitKind } from './visit-kind.ts';

/** Where one load is made: a tab that knows nothing of any load before, in a browser that has come to rest. */
export interface LoadContext {
  tab: Tab;
  /** A session of the browser itself. */
  root: CDPSession;
  /** The tab's browser context; absent: the profile of a browser of its own. */
  browserContextId?: string;
  about: ClientRecord;
  /** Of the browser's first process. */
  browserPid: number;
  /** Where the browser writes the secrets of its sessions. */
  keyLogFile: string;
  /** Where in it the lines begin that were written since the place was opened. */
  keyLogFromByte: number;
  /** Resolves when the browser ends though nobody asked it to. */
  broken: Promise<Failure>;
  /** Closes what the load left open, and forgets it. */
  leave(): Promise<void>;
}

/** Gives every load a place of its own. */
export interface ContextPool {
  /**
   * @param visit left out: a cold one
   * @throws Error when the browser cannot be started, or makes no place in time
   */
  open(stack: string, visit?: VisitKind): Promise<LoadContext>;
  /** Whether its browsers are to be closed, and others started, before the next block. */
  readonly isWorn: boolean;
  close(): Promise<void>;
}
