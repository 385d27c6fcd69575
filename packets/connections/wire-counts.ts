import {
  LAYER_NAMES,
  type Layer,
  type LayerBytes,
  type WireDirection,
} from '../../ground/records/packets.ts';

export type Direction = 'toServer' | 'toClient';

export const OPPOSITE = { toServer: 'toClient', toClient: 'toServer' } as const;

export const SENDER = { toServer: 'client', toClient: 'server' } as const;

/** Bytes of a connection by purpose; every byte of a frame counts once. */
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

  /** Moves bytes from HTTP to bodies, as far as available. */
  addBodies(direction: Direction, bytes: number): void {
    let leftBytes = bytes;
    // A capture that began after the request has counted the response earlier.
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
