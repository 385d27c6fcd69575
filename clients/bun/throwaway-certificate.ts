import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

// ecdsa-with-SHA256 (RFC 5758).
const ALGORITHM = Buffer.from('300a06082a8648ce3d040302', 'hex');
const [SEQUENCE, INTEGER, BIT_STRING, UTC_TIME] = [0x30, 0x02, 0x03, 0x17];

/** A key and a self-signed certificate without names, for this program's own unverified servers. */
export function throwawayCertificate(): { privateKey: KeyObject; certificate: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const noName = element(SEQUENCE);
  const signed = element(
    SEQUENCE,
    element(INTEGER, Buffer.from([1])),
    ALGORITHM,
    noName,
    element(SEQUENCE, utcTime('000101'), utcTime('491231')),
    noName,
    publicKey.export({ type: 'spki', format: 'der' }),
  );
  const signature = element(BIT_STRING, Buffer.alloc(1), sign('sha256', signed, privateKey));
  const der = element(SEQUENCE, signed, ALGORITHM, signature).toString('base64');
  const lines = ['-----BEGIN CERTIFICATE-----', der, '-----END CERTIFICATE-----', ''];
  return { privateKey, certificate: lines.join('\n') };
}

function utcTime(day: string): Buffer {
  return element(UTC_TIME, Buffer.from(`${day}000000Z`));
}

function element(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  // Only the certificate is longer than 255 bytes.
  const head =
    length < 0x80
      ? [tag, length]
      : length < 0x100
        ? [tag, 0x81, length]
        : [tag, 0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from(head), content]);
}
