const HANDSHAKE_SECRET_LINE = /^SERVER_HANDSHAKE_TRAFFIC_SECRET ([0-9a-f]{64}) ([0-9a-f]{64})$/gim;

const DATA_SECRET_LINE = /^(?:CLIENT_RANDOM|SERVER_TRAFFIC_SECRET_0) ([0-9a-f]{64}) [0-9a-f]+$/gim;

/** Client randoms (hex) of the connections whose data secrets an NSS key log lacks. */
export function randomsWithoutSecrets(randoms: readonly string[], keyLog: string): string[] {
  const known = new Set(
    [...keyLog.matchAll(DATA_SECRET_LINE)].map(([, random]) => random?.toLowerCase()),
  );
  return randoms.filter((random) => !known.has(random));
}

/** Secrets of the server's encrypted handshake messages, from an NSS key log; by the client's random (hex). */
export function handshakeSecrets(keyLog: string): Map<string, Buffer> {
  const found = new Map<string, Buffer>();
  for (const [, random = '', secret = ''] of keyLog.matchAll(HANDSHAKE_SECRET_LINE)) {
    found.set(random.toLowerCase(), Buffer.from(secret, 'hex'));
  }
  return found;
}

const FIRST_SECRET_LINE =
  /^(CLIENT|SERVER)_TRAFFIC_SECRET_0 ([0-9a-f]{64}) ([0-9a-f]{64}(?:[0-9a-f]{32})?)$/gim;

/** First secrets of the data in both directions, from an NSS key log; by the client's random (hex). */
export function dataSecrets(keyLog: string): Map<string, DataSecrets> {
  const found = new Map<string, DataSecrets>();
  for (const [, from = '', random = '', secret = ''] of keyLog.matchAll(FIRST_SECRET_LINE)) {
    const direction = from.toUpperCase() === 'CLIENT' ? 'toServer' : 'toClient';
    const key = random.toLowerCase();
    found.set(key, { ...found.get(key), [direction]: Buffer.from(secret, 'hex') });
  }
  return found;
}

export type DataSecrets = Partial<Record<'toServer' | 'toClient', Buffer>>;
