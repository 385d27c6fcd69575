import type { LinkSample } from '../../../../ground/records/link-sample.ts';

/** A direction of a link without a limit that carried nothing. */
export const NOTHING_CARRIED: LinkSample['toServer'] = {
  packets: 0,
  bytes: 0,
  lost: 0,
  queueDrops: 0,
  busyMs: 0,
  mostQueuedBytes: 0,
  mostWaitMs: 0,
  capacityBytes: 0,
};
