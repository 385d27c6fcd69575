import type { Path } from '../../../../network/path.ts';
import { limitedByOf } from '../../limits/model.ts';
import type { LimitedBy } from '../../records.ts';
import { senderFromPackets } from '../../wire/sender-from-packets.ts';
import type { LimitedTransfer } from './limited-transfers.ts';
import { withTransfers } from './watched-transfers.ts';

/** Limits of one transfer by each source of its sender's state; null: not available. */
export interface JudgedTransfer {
  ownSamples: LimitedBy | null;
  packetsWithKeys: LimitedBy | null;
  packetsWithoutKeys: LimitedBy | null;
  error: string | null;
}

/** Makes a transfer over QUIC, and judges it without the knowledge of what was made scarce. */
export function judgeTransfer(path: Path, limited: LimitedTransfer): Promise<JudgedTransfer> {
  const { special } = limited;
  return withTransfers(path, { ...limited, captures: true }, async ({ transfer }) => {
    // Warms both programs up.
    await transfer({ ...special, network: {}, sharesCore: false });
    const { observed, made, ofPackets } = await transfer(special);
    const nothing = { ownSamples: null, packetsWithKeys: null, packetsWithoutKeys: null };
    if (observed === null) return { ...nothing, error: made.error?.reason ?? 'no end' };
    const withoutKeys = { ...made, keyLog: '' };
    const { direction = 'download', streams = 1 } = special;
    const ofSizes = await senderFromPackets(path, withoutKeys, { direction, streams });
    const isReported = observed.sender !== null && observed.packets === undefined;
    return {
      ownSamples: isReported ? limitedByOf(observed) : null,
      packetsWithKeys: ofPackets && limitedByOf({ ...observed, ...ofPackets }),
      packetsWithoutKeys: ofSizes && limitedByOf({ ...observed, ...ofSizes }),
      error: null,
    };
  });
}
