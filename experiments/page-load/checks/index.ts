import { foreignHost, type Problem, wrongKeyExchange } from '../../checks.ts';
import { eventMissed } from '../../event-missed.ts';
import { pageLoad } from '../experiment.ts';
import type { Check, Expected, Observed } from './check.ts';
import { tooManyConnections } from './connections.ts';
import { notDiscovered, wrongHttpsRecords, wrongReturnProtocol } from './discovery.ts';
import { connectionNotKept, fromCache, noHandshake, wrongVisit } from './freshness.ts';
import {
  connectedBefore,
  errorPage,
  forcedRequestFailed,
  type LiveCheck,
  otherVersion,
} from './live.ts';
import {
  otherProtocol,
  requestFailed,
  requestSetDiffers,
  wrongBody,
  wrongStatus,
  wrongTls,
} from './responses.ts';

/** The checks; causes of problems come before their effects. */
export const CHECKS: readonly Check[] = [
  noEvent,
  otherProtocol,
  wrongTls,
  foreignHost,
  wrongKeyExchange,
  wrongHttpsRecords,
  notDiscovered,
  wrongReturnProtocol,
  wrongVisit,
  connectionNotKept,
  noHandshake,
  wrongStatus,
  requestFailed,
  wrongBody,
  requestSetDiffers,
  tooManyConnections,
];

/** Checks of pages of the live web, whose correct content is unknown. */
export const LIVE_CHECKS: readonly LiveCheck[] = [
  errorPage,
  otherVersion,
  forcedRequestFailed,
  fromCache,
  connectedBefore,
];

function noEvent({ path, loadedMs }: Observed, { network }: Expected): Problem | null {
  return eventMissed(network, path, loadedMs, pageLoad.attempt[0]);
}
