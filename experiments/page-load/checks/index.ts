import { foreignHost, wrongKeyExchange } from '../../checks.ts';
import type { Check } from './check.ts';
import { tooManyConnections } from './connections.ts';
import { cameBackOtherwise, namesToldOtherwise, notDiscovered } from './discovery.ts';
import { noEvent } from './event.ts';
import { connectionNotKept, fromCache, noHandshake, notTheVisitAskedFor } from './freshness.ts';
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
  namesToldOtherwise,
  notDiscovered,
  cameBackOtherwise,
  notTheVisitAskedFor,
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
