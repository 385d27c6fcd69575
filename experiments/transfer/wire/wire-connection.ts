import {
  type ParsedConnection,
  readConnection,
} from '../../../network/handshakes/connection-record.ts';
import { ENCRYPTED_EXTENSIONS, readServerParameters } from '../../../network/handshakes/hello.ts';
import {
  type DataSecrets,
  dataSecrets,
  handshakeSecrets,
} from '../../../network/handshakes/key-log.ts';
import { type Handshake, readPacket } from '../../../network/handshakes/packet.ts';
import { quicVersion } from '../../../network/handshakes/packet-key.ts';
import { beginQuicHandshake, longPacketsOf } from '../../../network/handshakes/quic-handshake.ts';
import { readOrNull } from '../../../network/handshakes/reader.ts';
import { ShortPackets } from '../../../network/handshakes/short-packet.ts';
import type { CapturedPacket } from './captured-packets.ts';
import { type PacketContents, readContents } from './frames.ts';

/** A datagram of a QUIC connection after its handshake, at the client's end of the path. */
export interface WireDatagram {
  atMs: number;
  toServer: boolean;
  isLost: boolean;
  /** UDP payload. */
  bytes: number;
  /** Decrypted packet; null: no keys, or a packet of the handshake. */
  packet: { number: number; contents: PacketContents } | null;
}

/** A QUIC connection as seen on the path. */
export interface WireConnection {
  /** Transport parameters of the client's first message; null: it was not captured. */
  clientParameters: Readonly<Record<string, number>> | null;
  /** Likewise of the server, which are encrypted; null: no keys, or not captured. */
  serverParameters: Readonly<Record<string, number>> | null;
  /** From the client's first packet to the server's first, in ms; null: one was not captured. */
  firstRoundTripMs: number | null;
  /** Whether its packets could be decrypted. */
  hasKeys: boolean;
  datagrams: WireDatagram[];
}

/**
 * Reads the QUIC connections of a capture.
 * @param keyLog text of an NSS key log; connections without keys have only sizes and times
 * @param startMs time of the result's zero, in ms since 1970
 */
export async function readWireConnections(
  packets: AsyncIterable<CapturedPacket>,
  keyLog: string,
  startMs: number,
): Promise<WireConnection[]> {
  const secrets = { handshake: handshakeSecrets(keyLog), data: dataSecrets(keyLog) };
  const readers = new Map<string, ConnectionReader>();
  for await (const captured of packets) {
    const packet = readPacket(captured);
    if (packet === null || packet.transport !== 'quic') continue;
    const ends = `${packet.clientPort} ${packet.address}`;
    const atMs = Number(captured.timeNs - BigInt(Math.round(startMs * 1e6))) / 1e6;
    let reader = readers.get(ends);
    if (reader === undefined) {
      const handshake = beginQuicHandshake(packet);
      // A packet of an earlier connection.
      if (handshake === null) continue;
      reader = new ConnectionReader(handshake, secrets, atMs);
      readers.set(ends, reader);
    } else reader.handshake.take(packet);
    reader.take(packet.payload, { atMs, toServer: packet.toServer, isLost: captured.isLost });
  }
  return [...readers.values()].map((reader) => reader.connection());
}

type Direction = 'toServer' | 'toClient';

/** Secrets of a key log by the client's random (hex). */
interface Secrets {
  handshake: ReadonlyMap<string, Buffer>;
  data: ReadonlyMap<string, DataSecrets>;
}

/** Share of packets that fit the keys of their connection; offloads join several in one. */
const LEAST_OPENED = 0.9;

class ConnectionReader {
  readonly handshake: Handshake;
  readonly #secrets: Secrets;
  readonly #beganMs: number;
  readonly #datagrams: WireDatagram[] = [];
  readonly #idBytes: Partial<Record<Direction, number>> = {};
  readonly #openers: Partial<Record<Direction, ShortPackets | null>> = {};
  readonly #short = { packets: 0, opened: 0 };
  #parsed: ParsedConnection | null = null;
  #firstRoundTripMs: number | null = null;

  constructor(handshake: Handshake, secrets: Secrets, beganMs: number) {
    this.handshake = handshake;
    this.#secrets = secrets;
    this.#beganMs = beganMs;
  }

  take(payload: Buffer, at: Pick<WireDatagram, 'atMs' | 'toServer' | 'isLost'>): void {
    const direction = at.toServer ? 'toServer' : 'toClient';
    if (!at.toServer) this.#firstRoundTripMs ??= at.atMs - this.#beganMs;
    const long = longPacketsOf(payload);
    // Until the server answers, the client does not know the server's connection id.
    const named = long.find(({ type }) => type === 'handshake' || !at.toServer);
    if (named) this.#idBytes[direction] ??= named.destination.length;
    const short = payload.subarray(long.reduce((sum, { bytes }) => sum + bytes.length, 0));
    const isShort = short.length > 0 && short.readUInt8(0) < LONG_HEADER && short.readUInt8(0) > 0;
    const opened = isShort ? (this.#opener(direction)?.open(short) ?? null) : null;
    this.#short.packets += Number(isShort);
    this.#short.opened += Number(opened !== null);
    this.#datagrams.push({
      ...at,
      bytes: payload.length,
      packet: opened && { number: opened.number, contents: readContents(opened.frames) },
    });
  }

  connection(): WireConnection {
    const { packets, opened } = this.#short;
    return {
      clientParameters: this.#read().hello?.transportParameters ?? null,
      serverParameters: this.#serverParameters(),
      firstRoundTripMs: this.#firstRoundTripMs,
      hasKeys: opened > 0 && opened >= LEAST_OPENED * packets,
      datagrams: this.#datagrams,
    };
  }

  #serverParameters(): Readonly<Record<string, number>> | null {
    const { random } = this.#read();
    const secret = random === null ? undefined : this.#secrets.handshake.get(random);
    if (secret === undefined) return null;
    const [first] = this.handshake.encryptedMessages(secret);
    return first?.type === ENCRYPTED_EXTENSIONS ? readServerParameters(first.body) : null;
  }

  /** The handshake so far. */
  #read(): ParsedConnection {
    if (!this.#parsed?.record.cipher) this.#parsed = readConnection(this.handshake, new Map());
    return this.#parsed;
  }

  /** null: no keys, or not yet known how to use them. */
  #opener(direction: Direction): ShortPackets | null {
    const known = this.#openers[direction];
    if (known !== undefined) return known;
    const idBytes = this.#idBytes[direction];
    const { record, random } = this.#read();
    const { cipher } = record;
    const version = quicVersion(this.handshake.quicVersion ?? 0);
    if (idBytes === undefined || cipher === null || !version || random === null) return null;
    const secret = this.#secrets.data.get(random)?.[direction];
    const { labels } = version;
    const opener = secret
      ? readOrNull(() => new ShortPackets(secret, { cipher, labels, idBytes }))
      : null;
    this.#openers[direction] = opener;
    return opener;
  }
}

const LONG_HEADER = 0x80;
