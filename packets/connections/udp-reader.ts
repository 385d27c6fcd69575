import type { DissectedPacket } from '../dissection/packet.ts';
import { ConnectionReader } from './connection-reader.ts';
import type { Way } from './ledger.ts';

/** Reads datagrams that are not known to be QUIC. */
export class UdpReader extends ConnectionReader {
  readonly transport = 'udp';

  protected read(packet: DissectedPacket, way: Way): number {
    this.enterHeaders(packet, way);
    this.ledger.enter(way, 'unread', packet.udp?.bytes ?? 0);
    return 0;
  }
}
