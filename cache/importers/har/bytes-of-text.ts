import { isUtf8 } from 'node:buffer';
import { isBinaryType } from '../media-types.ts';

/** What tells in which of several forms a HAR has a body. */
interface BodyEvidence {
  /** Whether `encoding` says base64. */
  isBase64: boolean;
  /** Of the response; empty: not known. */
  contentType: string;
  /** Sizes that the body may have, in bytes; empty: not known. */
  sizes: ReadonlySet<number>;
  /** Whether bytes are in the content coding that the headers name. */
  isAsSent: (bytes: Uint8Array) => boolean;
}

/**
 * The bytes that a text of a HAR stands for: base64, whether `encoding` says so or not, or one character a byte. Null: it is a
 * text, also where `encoding` says base64 (Firefox bug 1762313, ZAP).
 */
export function bytesOfText(text: string, evidence: BodyEvidence): Uint8Array | null {
  const { contentType, sizes, isAsSent } = evidence;
  const isBinary = isBinaryType(contentType);
  const dataUrl = /^data:[^,]{0,200};base64,/i.exec(text.slice(0, 300))?.[0] ?? '';
  const isBase64 = evidence.isBase64 || (isBinary && dataUrl !== '');
  const isOfSize = (bytes: Uint8Array) => sizes.has(bytes.length);
  const isTextOfSize = sizes.has(Buffer.byteLength(text));
  const said = text.slice(dataUrl.length);
  // Some programs make blanks of line breaks; in a text of which nothing says what it is, blanks part words.
  const base64 = fromBase64(isBase64 ? (isBinary ? said.replace(/\s+/g, '') : said) : text);
  if (base64 !== null) {
    if (isAsSent(base64)) return base64;
    const fits = isOfSize(base64);
    if (isBase64) return isBinary || fits || !isTextOfSize || isUtf8(base64) ? base64 : null;
    // Some programs write the length of the text for the size, and no picture consists of these letters alone.
    const isSure = fits || /^\s*(image|audio|video|font)\//i.test(contentType);
    if (isTextOfSize ? isBinary && isSure && text.length >= LONG : isBinary || fits) return base64;
  }
  const bytes = bytesOfCharacters(text);
  if (bytes === null) return null;
  if (isBinary) return isOfSize(bytes) || HAS_CONTROLS.test(text) ? bytes : null;
  // UTF-8 that was read as Latin-1.
  const isMisread = isOfSize(bytes) && !isTextOfSize && isUtf8(bytes);
  return isMisread || isAsSent(bytes) ? bytes : null;
}

/** So many letters and digits without a blank are no word. */
const LONG = 32;

/** Control characters that are in no text: all but tab, line breaks and form feed. */
const HAS_CONTROLS = /(?![\t-\r])\p{Cc}/u;

/** Null: not base64. Lines may be broken, but have no blanks in them. */
export function fromBase64(text: string): Uint8Array | null {
  if (/\S[ \t]+\S/.test(text)) return null;
  const body = Buffer.from(text, 'base64');
  const plain = text.replace(/[\s=]/g, '');
  // Node skips what is not base64; then fewer bytes come out than went in.
  return body.length === Math.floor((plain.length * 3) / 4) && plain.length % 4 !== 1 ? body : null;
}

/** What `latin1` means to the Web: some control characters of Latin-1 are letters there. */
const WINDOWS_1252 = new Map(
  Array.from(
    new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 32 }, (_, at) => at + 0x80)),
    (letter, at) => [letter, at + 0x80],
  ),
);

/** The bytes of a text of which each character is one, in Latin-1 or Windows-1252; null: it is ASCII, or has other characters. */
function bytesOfCharacters(text: string): Uint8Array | null {
  if (Buffer.byteLength(text) === text.length) return null;
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const byte = code <= 0xff ? code : WINDOWS_1252.get(text[at] as string);
    if (byte === undefined) return null;
    bytes[at] = byte;
  }
  return bytes;
}
