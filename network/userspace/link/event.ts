import type { LinkEvent, LinkEventCounts } from '../../agent.ts';
import type { compileLink } from './native.ts';

type Native = ReturnType<typeof compileLink>;

/** Has a load's event come in its time, or none. */
export function beginEvent(
  native: Native,
  event: LinkEvent | undefined,
  keepsConnections: boolean,
): void {
  const afterNs = event === undefined ? -1 : Math.round(event.afterMs * 1e6);
  native.begin_rebinding(Number(keepsConnections), afterNs, addressOf(event?.address ?? null));
}

/** What the load's event has done by then. */
export function eventCountsOf(native: Native, nowNs: number): LinkEventCounts {
  const numbers = new BigInt64Array(5);
  native.read_rebound(nowNs, numbers);
  const [firstNs = -1, happenedNs = -1, changed = 0, later = 0, forgotten = 0] = Array.from(
    numbers,
    Number,
  );
  return {
    firstPacketMs: firstNs < 0 ? null : firstNs / 1e6,
    happenedAtMs: happenedNs < 0 ? null : (happenedNs - firstNs) / 1e6,
    changedConnections: changed,
    laterConnections: later,
    forgottenPackets: forgotten,
  };
}

/** As C has it: its bytes in the order of packets. */
function addressOf(address: string | null): number {
  return address === null ? 0 : Buffer.from(address.split('.').map(Number)).readUInt32LE();
}
