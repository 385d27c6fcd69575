const LINE = /^SERVER_HANDSHAKE_TRAFFIC_SECRET ([0-9a-f]{64}) ([0-9a-f]{64})$/gim;

/** The secrets in the text of an NSS key log that open the server's part of a handshake, by the client's random. */
export function handshakeSecrets(keyLog: string): Map<string, Buffer> {
  const found = new Map<string, Buffer>();
  for (const [, random = '', secret = ''] of keyLog.matchAll(LINE)) {
    found.set(random.toLowerCase(), Buffer.from(secret, 'hex'));
  }
  return found;
}
