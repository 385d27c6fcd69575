import type { HttpsRecord } from '../../ground/records/probe.ts';
import { Reader } from '../../network/handshakes/reader.ts';

/** The type of HTTPS records. */
export const HTTPS = 65;

// Keys of service parameters (RFC 9460, section 14.3.2).
const ALPN = 1;
const NO_DEFAULT_ALPN = 2;
const PORT = 3;
const IPV4_HINT = 4;
const ENCRYPTED_HELLO = 5;
const IPV6_HINT = 6;

/**
 * Reads the data of an HTTPS record (RFC 9460, section 2.2).
 * @throws RangeError when it ends too early
 */
export function readHttpsRecord(data: Buffer): HttpsRecord {
  const reader = new Reader(data);
  const priority = reader.number(2);
  const target = readName(reader);
  const parameters = new Map<number, Buffer>();
  while (reader.left > 0) parameters.set(reader.number(2), reader.list(2));
  const values = (key: number) => new Reader(parameters.get(key) ?? Buffer.alloc(0));
  return {
    priority,
    target,
    alpn: each(values(ALPN), (value) => value.list(1).toString('latin1')),
    noDefaultAlpn: parameters.has(NO_DEFAULT_ALPN),
    port: parameters.has(PORT) ? values(PORT).number(2) : null,
    ipv4Hints: each(values(IPV4_HINT), (value) => [...value.bytes(4)].join('.')),
    ipv6Hints: each(values(IPV6_HINT), (value) => ipv6Text(value.bytes(16))),
    encryptedHello: parameters.has(ENCRYPTED_HELLO),
  };
}

/** Where the HTTPS records of an origin are (RFC 9460, section 9.1). */
export function nameOfHttpsRecords(host: string, port: number): string {
  return port === 443 ? host : `_${port}._https.${host}`;
}

/** A name in full: in these records none is compressed. */
function readName(reader: Reader): string {
  const labels: string[] = [];
  for (;;) {
    const label = reader.list(1);
    if (label.length === 0) return labels.join('.');
    labels.push(label.toString('latin1'));
  }
}

function each<T>(reader: Reader, read: (reader: Reader) => T): T[] {
  const values: T[] = [];
  while (reader.left > 0) values.push(read(reader));
  return values;
}

function ipv6Text(bytes: Buffer): string {
  const groups = Array.from({ length: 8 }, (_, at) => bytes.readUInt16BE(2 * at).toString(16));
  // The parser of URLs leaves out the longest run of zeros, as one writes them.
  return new URL(`https://[${groups.join(':')}]`).hostname.slice(1, -1);
}
