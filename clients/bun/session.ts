import { groupName } from '../../ground/records/wire-names.ts';

/*
 * A ticket as the client keeps it: BoringSSL's SSL_SESSION in DER (ssl_asn1.cc), a SEQUENCE whose parts used here have tags of
 * their own.
 */
const SEQUENCE = 0x30;
const PEER_CERTIFICATE = 0xa3;
const VERIFY_RESULT = 0xa5;
const GROUP = 0xb2;
const FURTHER_CERTIFICATES = 0xb3;
const MAX_EARLY_DATA = 0xb8;

interface Part {
  tag: number;
  /** Tag, length and content. */
  whole: Buffer;
  content: Buffer;
}

/** X509_V_ERR_APPLICATION_VERIFICATION: no certificate check produces it. */
const MARK = Buffer.from([VERIFY_RESULT, 3, 0x02, 1, 50]);

/** node:quic's name for that result. */
export const MARKED = 'UNSPECIFIED';

/**
 * Marks a session. A connection that resumes it shows the mark: node:quic does not report otherwise whether a server accepted a ticket.
 * Without early data the ticket disallows it: node:quic would offer no ticket at all if early data were disabled by option.
 */
export function markedSession(session: Buffer, { earlyData }: { earlyData: boolean }): Buffer {
  const left = partsOf(contentOf(session)).filter(
    ({ tag }) => tag !== VERIFY_RESULT && (earlyData || tag !== MAX_EARLY_DATA),
  );
  // Parts are sorted by tag, after those without their own tag.
  const at = left.findIndex(({ tag }) => tag > VERIFY_RESULT);
  const parts = left.map(({ whole }) => whole).toSpliced(at, 0, MARK);
  return sequenceOf(Buffer.concat(parts));
}

/** Bytes of the certificates that the server sent when this session began; null: unknown. */
export function certificateBytes(session: Buffer): number | null {
  const certificates = certificatesOf(session);
  if (certificates.length === 0) return null;
  return certificates.reduce((sum, { length }) => sum + length, 0);
}

/** Certificates (DER) that the server sent when this session began, leaf first. */
export function certificatesOf(session: Buffer): Buffer[] {
  const peer = partOf(session, PEER_CERTIFICATE);
  const further = partOf(session, FURTHER_CERTIFICATES);
  if (peer === undefined) return [];
  const chain = further === undefined ? [] : partsOf(contentOf(further));
  return [peer, ...chain.map(({ whole }) => whole)];
}

/** Key exchange group of the session; null: not recorded. */
export function groupOf(session: Buffer): string | null {
  const part = partOf(session, GROUP);
  const [number] = part === undefined ? [] : partsOf(part);
  if (number === undefined) return null;
  return groupName(number.content.readUIntBE(0, number.content.length));
}

function partOf(session: Buffer, tag: number): Buffer | undefined {
  return partsOf(contentOf(session)).find((part) => part.tag === tag)?.content;
}

function contentOf(sequence: Buffer): Buffer {
  const [part] = partsOf(sequence);
  if (part?.tag !== SEQUENCE) throw new Error('a TLS session that is no SEQUENCE');
  return part.content;
}

function partsOf(bytes: Buffer): Part[] {
  const parts: Part[] = [];
  for (let at = 0; at < bytes.length; ) {
    const tag = bytes.readUInt8(at);
    // Tags from 31 on have a second byte.
    const lengthAt = at + ((tag & 0x1f) === 0x1f ? 2 : 1);
    const first = bytes.readUInt8(lengthAt);
    const further = first < 0x80 ? 0 : first & 0x7f;
    const from = lengthAt + 1 + further;
    const end = from + (further === 0 ? first : bytes.readUIntBE(lengthAt + 1, further));
    parts.push({ tag, whole: bytes.subarray(at, end), content: bytes.subarray(from, end) });
    at = end;
  }
  return parts;
}

function sequenceOf(content: Buffer): Buffer {
  const { length } = content;
  const head =
    length < 0x80
      ? [SEQUENCE, length]
      : length < 0x100
        ? [SEQUENCE, 0x81, length]
        : [SEQUENCE, 0x82, length >> 8, length & 0xff];
  if (length > 0xffff) throw new Error(`a TLS session of ${length} bytes`);
  return Buffer.concat([Buffer.from(head), content]);
}
