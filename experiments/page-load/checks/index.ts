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

/** In the order in which they are told: what explains others comes first. */
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

/** The same of pages of the live web, of which nobody knows what they should be. */
export const LIVE_CHECKS: readonly LiveCheck[] = [
  errorPage,
  otherVersion,
  forcedRequestFailed,
  fromCache,
  connectedBefore,
];

/** Something was to happen to the path in the middle of the load, and did not, or changed nothing. */
function noEvent({ path, loadedMs }: Observed, { network }: Expected): Problem | null {
  return eventMissed(network, path, loadedMs, pageLoad.attempt[0]);
}
