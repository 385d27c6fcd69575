import { FORMAT_MINOR, FORMAT_VERSION } from '../../../ground/records/format.ts';
import type { Observation } from '../../../ground/records/observation.ts';
import type { AttemptPackets, WireConnection } from '../../../ground/records/packets.ts';
import {
  ack,
  captureOf,
  crypto,
  datagram,
  http3Frame,
  quicPacket,
  readQuic,
  streamFrame,
} from '../packets/made-packets.ts';

/**
 * A connection with a response of this size, whose server answered after 30 ms, and its client at
 * once.
 */
export function madeConnection(bodyBytes = 1000): WireConnection {
  const handshake = [{ type: 2, version: 0x304, cipher: 4865, group: 29, protocols: ['h3'] }];
  return readQuic([
    datagram(0, 'toServer', [quicPacket('initial', 0, [crypto(0, 300)])]),
    datagram(30, 'toClient', [quicPacket('initial', 0, [ack(0), crypto(0, 90)], { handshake })]),
    datagram(30, 'toServer', [quicPacket('initial', 1, [ack(0)])]),
    datagram(33, 'toServer', [quicPacket('short', 0, [streamFrame(0, 0, http3Frame(1, 80))])]),
    datagram(66, 'toClient', [
      quicPacket('short', 0, [streamFrame(0, 0, http3Frame(0, bodyBytes))]),
    ]),
  ]);
}

/** Results from the capture of an attempt. */
export function madeCapture(
  { id }: Pick<Observation, 'id'>,
  connections = [madeConnection()],
): AttemptPackets {
  return {
    formatVersion: FORMAT_VERSION,
    formatMinor: FORMAT_MINOR,
    id,
    file: `packets/${id}.pcapng`,
    ...captureOf(connections),
  };
}
