import type { LinkEvent, LinkEventCounts } from '../../agent.ts';
import type { compileLink } from './native.ts';

type Native = ReturnType<typeof compileLink>;

/** Sets the load's event; undefined: no event. */
export function beginEvent(
  native: Native,
  event: LinkEvent | undefined,
  keepsConnections: boolean,
): void {
  const { afterMs = -1, cutMs = null, address = null } = event ?? {};
  native.begin_event(Math.round(afterMs * 1e6), Math.round((cutMs ?? 0) * 1e6));
  native.begin_rebinding(Number(keepsConnections), Number(cutMs === null), addressOf(address));
}

/** Effects of the load's event up to a time. */
export function eventCountsOf(native: Native, nowNs: number): LinkEventCounts {
  const firstNs = Number(native.first_packet_ns());
  const happenedNs = Number(native.event_ns(nowNs));
  const numbers = new BigInt64Array(3);
  native.read_rebound(nowNs, numbers);
  const [changed = 0, later = 0, forgotten = 0] = Array.from(numbers, Number);
  return {
    firstPacketMs: firstNs < 0 ? null : firstNs / 1e6,
    happenedAtMs: happenedNs < 0 ? null : (happenedNs - firstNs) / 1e6,
    changedConnections: changed,
    laterConnections: later,
    forgottenPackets: forgotten,
  };
}

/** An IPv4 address in network byte order, as C reads it; 0: null. */
function addressOf(address: string | null): number {
  return address === null ? 0 : Buffer.from(address.split('.').map(Number)).readUInt32LE();
}
