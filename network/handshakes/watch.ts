import type { ConnectionsSeen } from '../../ground/records/connection.ts';
import { PATH_DEVICE } from '../addresses.ts';
import type { PathAgent, TappedPackets } from '../agent.ts';
import { answeredRandoms, quicEnds, seenConnections } from './seen-connections.ts';

/** The handshakes that go over a path. */
export interface Handshakes {
  /** Forgets what was seen so far. */
  begin(): Promise<void>;
  /** @param keyLog text of an NSS key log; left out: none. */
  connections(keyLog?: string): Promise<ConnectionsSeen>;
  /** Of the clients' hellos, in hex. */
  answeredRandoms(): Promise<string[]>;
}

/** IP and UDP headers. */
const HEAD_BYTES = 28;

/** Watches at the browser's end, where nothing that the browser sends is lost yet. */
export async function watchHandshakes(
  agent: Pick<PathAgent, 'openTap' | 'takePackets'>,
): Promise<Handshakes> {
  await agent.openTap(PATH_DEVICE);
  const seen: TappedPackets = { packets: [], missed: 0 };
  let earlier = new Set<string>();
  const take = async (mostBytes?: number) => {
    const { packets, missed } = await agent.takePackets(mostBytes);
    seen.packets.push(...packets);
    seen.missed += missed;
  };
  return {
    async begin() {
      // Between loads a calibration may have filled the tap: only the ends are wanted of it.
      await take(HEAD_BYTES);
      earlier = quicEnds(seen.packets);
      seen.packets = [];
      seen.missed = 0;
    },
    async connections(keyLog) {
      await take();
      return seenConnections(seen, { keyLog, earlier });
    },
    async answeredRandoms() {
      await take();
      return answeredRandoms(seen, { earlier });
    },
  };
}
