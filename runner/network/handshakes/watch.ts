import type { LoadConnections } from '../../../records/connection.ts';
import { PATH_DEVICE } from '../addresses.ts';
import type { PathAgent, TappedPackets } from '../agent.ts';
import { quicEnds, seenConnections } from './seen-connections.ts';

/** The handshakes that go over a path. */
export interface Handshakes {
  /** Forgets what was seen so far. */
  begin(): Promise<void>;
  /** @param keyLog text of an NSS key log; left out: none. */
  connections(keyLog?: string): Promise<LoadConnections>;
}

/** Watches at the browser's end, where nothing that the browser sends is lost yet. */
export async function watchHandshakes(
  agent: Pick<PathAgent, 'openTap' | 'takePackets'>,
): Promise<Handshakes> {
  await agent.openTap(PATH_DEVICE);
  const seen: TappedPackets = { packets: [], missed: 0 };
  let earlier = new Set<string>();
  const take = async () => {
    const { packets, missed } = await agent.takePackets();
    seen.packets.push(...packets);
    seen.missed += missed;
  };
  return {
    async begin() {
      await take();
      earlier = quicEnds(seen.packets);
      seen.packets = [];
      seen.missed = 0;
    },
    async connections(keyLog) {
      await take();
      return seenConnections(seen, { keyLog, earlier });
    },
  };
}
