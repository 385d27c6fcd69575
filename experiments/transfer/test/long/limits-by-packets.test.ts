import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSetUp } from '../../../../runner/machine.ts';
import { STACKS } from '../../../../servers/index.ts';
import { reportSkippedStacks } from '../../../../test/e2e/tested-stacks.ts';
import { withRun } from '../../../../test/e2e/with-run.ts';
import type { TransferDetails } from '../../records.ts';
import { judgeTransfer } from '../e2e/judged-transfers.ts';
import { limitedQuicTransfers, QUIC_STACKS } from '../e2e/limited-transfers.ts';
import { withTransferPath } from '../e2e/watched-transfers.ts';

/** Of twenty; one may be unclear on a busy machine. */
const LEAST_RIGHT = 19;
const isHere = (name: string) => STACKS.some((each) => each.stack === name && isSetUp(each));

test('names what was made scarce by the packets of any QUIC sender', async (t) => {
  reportSkippedStacks(t);
  await withTransferPath(async (path) => {
    for (const stack of QUIC_STACKS.filter(isHere)) {
      await t.test(stack, async (t) => {
        const wrong: string[] = [];
        const limitedTransfers = limitedQuicTransfers(stack);
        for (const limited of limitedTransfers) {
          const { packetsWithKeys, ownSamples, error } = await judgeTransfer(path, limited);
          assert.equal(error, null);
          assert.equal(packetsWithKeys?.packets, 'with keys');
          const row = [limited.limit, packetsWithKeys?.limit, ownSamples?.limit ?? 'not reported'];
          t.diagnostic(row.join(' | '));
          if (packetsWithKeys?.limit !== limited.limit) {
            wrong.push(`${limited.limit}: ${packetsWithKeys?.because}`);
          }
        }
        assert.ok(wrong.length <= limitedTransfers.length - LEAST_RIGHT, wrong.join('\n'));
      });
    }
  });
});

test(
  'explains a sender that reports nothing by a repetition with a capture',
  {
    skip: !isHere('quic-go-h3') && 'quic-go is not set up',
  },
  () =>
    withRun(
      `transfer --stacks quic-go-h3 --size 1MB --rtt 40 --stream-window 64kB
      --repetitions 1 --explain`,
      async ({ observations }) => {
        const [counted] = observations.filter(({ warmup }) => !warmup);
        assert.ok(counted);
        const { limitedBy, limitInRepetition, explains } = counted.details as TransferDetails;
        assert.equal(limitedBy?.limit, null, 'counted transfers are not captured');
        assert.equal(limitInRepetition?.limit, 'stream window', limitInRepetition?.because);
        assert.equal(limitInRepetition?.packets, 'with keys');
        assert.equal(explains?.relaxed, 'stream window');
        assert.equal(explains?.helped, true, JSON.stringify(explains));
        assert.notEqual(explains?.limitAfter, 'stream window');
      },
    ),
);
