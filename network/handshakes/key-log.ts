const HANDSHAKE_SECRET_LINE = /^SERVER_HANDSHAKE_TRAFFIC_SECRET ([0-9a-f]{64}) ([0-9a-f]{64})$/gim;

const DATA_SECRET_LINE = /^(?:CLIENT_RANDOM|SERVER_TRAFFIC_SECRET_0) ([0-9a-f]{64}) [0-9a-f]+$/gim;

/** Those of these connections, named by the client's random, of which a key log has not the secrets of their data. */
export function randomsWithoutSecrets(randoms: readonly string[], keyLog: string): string[] {
  const known = new Set(
    [...keyLog.matchAll(DATA_SECRET_LINE)].map(([, random]) => random?.toLowerCase()),
  );
  return randoms.filter((random) => !known.has(random));
}

/** The secrets in the text of an NSS key log that open the server's part of a handshake, by the client's random. */
export function handshakeSecrets(keyLog: string): Map<string, Buffer> {
  const found = new Map<string, Buffer>();
  for (const [, random = '', secret = ''] of keyLog.matchAll(HANDSHAKE_SECRET_LINE)) {
    found.set(random.toLowerCase(), Buffer.from(secret, 'hex'));
  }
  return found;
}
