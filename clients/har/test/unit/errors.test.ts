import assert from 'node:assert/strict';
import { test } from 'node:test';
import { INCOMPLETE, isAborted, isBroken, isWithheld, UNANSWERED } from '../../errors.ts';

const REASONS: [error: string | undefined, reason: 'aborted' | 'withheld' | 'broken' | 'none'][] = [
  [undefined, 'none'],
  [INCOMPLETE, 'none'],
  [UNANSWERED, 'none'],
  ['net::ERR_ABORTED', 'aborted'],
  ['net::ERR_BLOCKED_BY_CLIENT', 'none'],
  ['net::ERR_BLOCKED_BY_ORB', 'withheld'],
  ['net::ERR_FAILED (MissingAllowOriginHeader)', 'withheld'],
  ['net::ERR_CONNECTION_RESET', 'broken'],
  ['net::ERR_QUIC_PROTOCOL_ERROR', 'broken'],
  ['NS_BINDING_ABORTED', 'aborted'],
  ['NS_ERROR_ABORT', 'aborted'],
  ['NS_ERROR_DOM_BAD_URI (CORSMISSINGALLOWORIGIN)', 'withheld'],
  ['NS_ERROR_DOM_BAD_URI', 'none'],
  ['NS_ERROR_UNKNOWN_HOST', 'broken'],
  ['NS_ERROR_NET_PARTIAL_TRANSFER', 'broken'],
  ['SEC_ERROR_UNKNOWN_ISSUER', 'broken'],
];

for (const [error, reason] of REASONS) {
  test(`takes ${error} for ${reason === 'none' ? 'no such error' : reason}`, () => {
    assert.deepEqual(
      [isAborted(error), isWithheld(error), isBroken(error)],
      [reason === 'aborted', reason === 'withheld', reason === 'broken'],
    );
  });
}
