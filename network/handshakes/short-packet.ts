import { type Cipheriv, createCipheriv, createDecipheriv } from 'node:crypto';
import { expand } from './packet-key.ts';

/** An AEAD of TLS 1.3 with its hash, for QUIC (RFC 9001, section 5). */
interface CipherSuite {
  aead: 'aes-128-gcm' | 'aes-256-gcm' | 'chacha20-poly1305';
  hash: 'sha256' | 'sha384';
  keyBytes: number;
}

/** By the names of ConnectionRecord.cipher. */
const SUITES: Readonly<Record<string, CipherSuite>> = {
  AES_128_GCM: { aead: 'aes-128-gcm', hash: 'sha256', keyBytes: 16 },
  AES_256_GCM: { aead: 'aes-256-gcm', hash: 'sha384', keyBytes: 32 },
  CHACHA20_POLY1305: { aead: 'chacha20-poly1305', hash: 'sha256', keyBytes: 32 },
};

const IV_BYTES = 12;
const TAG_BYTES = 16;
const SAMPLE_BYTES = 16;
const LONGEST_NUMBER_BYTES = 4;
const KEY_PHASE = 0x04;

interface PhaseKeys {
  phase: number;
  secret: Buffer;
  key: Buffer;
  iv: Buffer;
}

interface OpenedPacket {
  number: number;
  frames: Buffer;
}

/** Decrypts the packets with a short header of one direction of a connection, in the order of sending. */
export class ShortPackets {
  readonly #suite: CipherSuite;
  readonly #labels: string;
  readonly #idBytes: number;
  readonly #headerKey: Buffer;
  readonly #ecb: Cipheriv | null;
  /** Of the first byte; without the reserved bits if both ends agreed on loss bits in their place. */
  readonly #protectedBits = [0x1f, 0x07];
  /** Of the latest key phase and of the one before (RFC 9001, section 6). */
  #keys: PhaseKeys[];
  #largest = -1;

  /**
   * @param cipher as ConnectionRecord has it
   * @param labels prefix of the labels of the QUIC version
   * @param idBytes length of the receiver's connection ids
   * @throws RangeError for another cipher
   */
  constructor(secret: Buffer, { cipher, labels, idBytes }: ShortPacketOptions) {
    const suite = SUITES[cipher];
    if (suite === undefined) throw new RangeError(`cipher ${cipher} is unknown`);
    this.#suite = suite;
    this.#labels = labels;
    this.#idBytes = idBytes;
    this.#headerKey = this.#expand(secret, 'hp', suite.keyBytes);
    this.#ecb =
      suite.aead === 'chacha20-poly1305'
        ? null
        : createCipheriv(`aes-${8 * suite.keyBytes}-ecb`, this.#headerKey, null);
    this.#keys = [this.#keysOf(secret, 0)];
  }

  /** null: of another connection, or damaged. */
  open(packet: Buffer): OpenedPacket | null {
    for (const bits of this.#protectedBits) {
      const opened = this.#openProtected(packet, bits);
      if (opened === null) continue;
      if (bits !== this.#protectedBits[0]) this.#protectedBits.reverse();
      return opened;
    }
    return null;
  }

  #openProtected(packet: Buffer, protectedBits: number): OpenedPacket | null {
    const numberAt = 1 + this.#idBytes;
    const sampleAt = numberAt + LONGEST_NUMBER_BYTES;
    if (packet.length < sampleAt + SAMPLE_BYTES) return null;
    const mask = this.#mask(packet.subarray(sampleAt, sampleAt + SAMPLE_BYTES));
    const first = packet.readUInt8(0) ^ (mask.readUInt8(0) & protectedBits);
    const numberBytes = (first & 3) + 1;
    const head = Buffer.from(packet.subarray(0, numberAt + numberBytes));
    head[0] = first;
    for (let index = 0; index < numberBytes; index++) {
      head[numberAt + index] = packet.readUInt8(numberAt + index) ^ mask.readUInt8(1 + index);
    }
    const number = this.#whole(head.readUIntBE(numberAt, numberBytes), numberBytes);
    const phase = first & KEY_PHASE ? 1 : 0;
    const known = this.#keys.find((keys) => keys.phase % 2 === phase);
    const opened = known && this.#decrypt(packet, head, number, known);
    return opened ?? this.#openUpdated(packet, head, number, phase);
  }

  /** Decrypts with the keys after the latest ones, which it keeps if they fit. */
  #openUpdated(packet: Buffer, head: Buffer, number: number, phase: number): OpenedPacket | null {
    const [latest] = this.#keys;
    if (latest === undefined || latest.phase % 2 === phase) return null;
    const secret = this.#expand(latest.secret, 'ku', latest.secret.length);
    const next = this.#keysOf(secret, latest.phase + 1);
    const opened = this.#decrypt(packet, head, number, next);
    if (opened) this.#keys = [next, latest];
    return opened;
  }

  #decrypt(
    packet: Buffer,
    head: Buffer,
    number: number,
    { key, iv }: PhaseKeys,
  ): OpenedPacket | null {
    const nonce = Buffer.from(iv);
    for (let index = 0, rest = number; rest > 0; index++, rest = Math.floor(rest / 256)) {
      const place = IV_BYTES - 1 - index;
      nonce[place] = nonce.readUInt8(place) ^ (rest % 256);
    }
    const decipher = createDecipheriv(this.#suite.aead as 'aes-128-gcm', key, nonce, {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(head, { plaintextLength: packet.length - head.length - TAG_BYTES });
    decipher.setAuthTag(packet.subarray(-TAG_BYTES));
    const frames = decipher.update(packet.subarray(head.length, -TAG_BYTES));
    try {
      decipher.final();
    } catch {
      return null;
    }
    this.#largest = Math.max(this.#largest, number);
    return { number, frames };
  }

  /** The whole number of a truncated one (RFC 9000, section A.3). */
  #whole(truncated: number, bytes: number): number {
    const range = 2 ** (8 * bytes);
    const expected = this.#largest + 1;
    const near = expected - (expected % range) + truncated;
    if (near <= expected - range / 2) return near + range;
    return near > expected + range / 2 && near >= range ? near - range : near;
  }

  #mask(sample: Buffer): Buffer {
    if (this.#ecb) return this.#ecb.update(sample);
    return createCipheriv('chacha20', this.#headerKey, sample).update(Buffer.alloc(5));
  }

  #keysOf(secret: Buffer, phase: number): PhaseKeys {
    const key = this.#expand(secret, 'key', this.#suite.keyBytes);
    return { phase, secret, key, iv: this.#expand(secret, 'iv', IV_BYTES) };
  }

  #expand(secret: Buffer, name: string, bytes: number): Buffer {
    return expand(secret, `${this.#labels} ${name}`, bytes, this.#suite.hash);
  }
}

interface ShortPacketOptions {
  cipher: string;
  labels: string;
  idBytes: number;
}
