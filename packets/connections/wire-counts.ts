import {
  LAYER_NAMES,
  type Layer,
  type LayerBytes,
  type WireDirection,
} from '../../ground/records/packets.ts';

/** Who sends: `toServer` or `toClient`. */
export type Direction = 'toServer' | 'toClient';

/** The way of the answers. */
export const OPPOSITE = { toServer: 'toClient', toClient: 'toServer' } as const;

/** Who sends on a way. */
export const SENDER = { toServer: 'client', toClient: 'server' } as const;

/** Where the bytes of a connection went; every byte of a frame is entered once. */
export class WireCounts {
  readonly before = noBytes();
  readonly after = noBytes();
  readonly toServer = noDirection();
  readonly toClient = noDirection();
  requested = false;

  add(direction: Direction, layer: Layer, bytes: number): void {
    (this.requested ? this.after : this.before)[layer] += bytes;
    if (layer === 'handshake') this[direction].handshakeBytes += bytes;
    if (layer === 'padding') this[direction].paddingBytes += bytes;
    if (layer === 'retransmissions') this[direction].retransmittedBytes += bytes;
    if (layer === 'payload') this[direction].payloadBytes += bytes;
  }

  /** Takes for bodies what was entered as HTTP, as far as there is so much. */
  addBodies(direction: Direction, bytes: number): void {
    let leftBytes = bytes;
    // A capture that began after the request has its response before.
    for (const layers of [this.after, this.before]) {
      const payloadBytes = Math.min(leftBytes, layers.http);
      layers.http -= payloadBytes;
      layers.payload += payloadBytes;
      this[direction].payloadBytes += payloadBytes;
      leftBytes -= payloadBytes;
    }
  }
}

function noBytes(): LayerBytes {
  return Object.fromEntries(LAYER_NAMES.map((layer) => [layer, 0])) as LayerBytes;
}

function noDirection(): WireDirection {
  return {
    packets: 0,
    bytes: 0,
    lostPackets: 0,
    ackPackets: 0,
    retransmittedPackets: 0,
    retransmittedBytes: 0,
    handshakeBytes: 0,
    paddingBytes: 0,
    payloadBytes: 0,
  };
}
