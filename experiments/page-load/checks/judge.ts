import { foreignHost, type Judgement, judgedBy, wrongKeyExchange } from '../../checks.ts';
import type { Check, Expected, Observed } from './check.ts';
import { tooManyConnections } from './connections.ts';
import { cameBackOtherwise, namesToldOtherwise, notDiscovered } from './discovery.ts';
import { noEvent } from './event.ts';
import { connectionNotKept, fromCache, noHandshake, notTheVisitAskedFor } from './freshness.ts';
import {
  connectedBefore,
  errorPage,
  forcedRequestFailed,
  type LiveCheck,
  type LiveExpected,
  type LiveObserved,
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
const CHECKS: readonly Check[] = [
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
const LIVE_CHECKS: readonly LiveCheck[] = [
  errorPage,
  otherVersion,
  forcedRequestFailed,
  fromCache,
  connectedBefore,
];

/** Checks a load that reached its load event against what was planned. */
export function judge(observed: Observed, expected: Expected): Judgement {
  return judgedBy(CHECKS, observed, expected);
}

/** The same of a page of the live web. */
export function judgeLive(observed: LiveObserved, expected: LiveExpected): Judgement {
  return judgedBy(LIVE_CHECKS, observed, expected);
}
