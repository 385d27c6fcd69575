import type { Check, Expected, Judgement, Observed } from './check.ts';
import { foreignHost, tooManyConnections } from './connections.ts';
import { cameBackOtherwise, namesToldOtherwise, notDiscovered } from './discovery.ts';
import { noEvent } from './event.ts';
import { connectionNotKept, noHandshake, notTheVisitAskedFor } from './freshness.ts';
import { nothingLost, pathDisturbed } from './path.ts';
import {
  requestFailed,
  requestSetDiffers,
  wrongProtocol,
  wrongStatus,
  wrongTls,
} from './responses.ts';
import { clockJumped, machineStalled } from './time.ts';

/** In the order in which they are told: what explains others comes first. */
const CHECKS: readonly Check[] = [
  clockJumped,
  machineStalled,
  pathDisturbed,
  noEvent,
  wrongProtocol,
  wrongTls,
  foreignHost,
  namesToldOtherwise,
  notDiscovered,
  cameBackOtherwise,
  notTheVisitAskedFor,
  connectionNotKept,
  noHandshake,
  wrongStatus,
  requestFailed,
  requestSetDiffers,
  tooManyConnections,
  nothingLost,
];

/** Checks a load that reached its load event against what was planned. */
export function judge(observed: Observed, expected: Expected): Judgement {
  for (const check of CHECKS) {
    const problem = check(observed, expected);
    if (problem) return { outcome: 'invalid', ...problem };
  }
  return { outcome: 'ok', code: null, message: null };
}
