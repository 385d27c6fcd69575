/** What two versions of QUIC do not have in common. */
export interface QuicVersion {
  /** As packets say it. */
  number: number;
  /** What the keys of the first packets are made with. */
  initialSalt: Buffer;
  /** What the names of keys begin with. */
  labels: string;
  /** What the two bits of a long header mean; null: a packet that holds nothing of a handshake. */
  types: readonly (LongPacketType | null)[];
}

export type LongPacketType = 'initial' | 'early data' | 'handshake';

/** RFC 9001, section 5.2; RFC 9000, section 17.2. */
export const VERSION_1: QuicVersion = {
  number: 1,
  initialSalt: Buffer.from('38762cf7f55934b34d179ae6a4c80cadccbb7f0a', 'hex'),
  labels: 'quic',
  types: ['initial', 'early data', 'handshake', null],
};

/** RFC 9369, section 3: the same protocol in other clothes, so that nobody on the way gets used to the first one's. */
const VERSION_2: QuicVersion = {
  number: 0x6b3343cf,
  initialSalt: Buffer.from('0dede3def700a6db819381be6e269dcbf9bd2ed9', 'hex'),
  labels: 'quicv2',
  types: [null, 'initial', 'early data', 'handshake'],
};

/** The version of that number; undefined: one that cannot be read. */
export function quicVersion(number: number): QuicVersion | undefined {
  return [VERSION_1, VERSION_2].find((version) => version.number === number);
}

const NAMES = new Map([
  [VERSION_1.number, '1'],
  [VERSION_2.number, '2'],
]);

/** A version as people say it. */
export function quicVersionName(number: number | null): string | null {
  return number === null ? null : (NAMES.get(number) ?? `0x${number.toString(16)}`);
}
