import { bytesText, TooLargeError } from '../../../ground/system/bounded-buffer.ts';
import { gunzipped } from '../../../ground/system/bounded-unpacking.ts';
import { type ByteReader, byteReader } from '../../../ground/system/byte-reader.ts';
import { ImportError, shown } from '../../import-error.ts';
import type { ImportBudget, ImportLimits } from '../../limits.ts';
import { cacheUrl } from '../file-url.ts';
import { parseHeaderLines } from '../header-block.ts';
import type { ArchivePage } from '../importer.ts';
import { below, listOf, textOf } from '../json.ts';
import type { ArchiveContent } from '../recording-of.ts';

export interface WarcRecord {
  /** Name in messages: the archive and the record's number in it, from 1. */
  where: string;
  /** Record type, such as `response`; empty: missing. */
  type: string;
  /** URL of the record, as recorded; empty: missing. */
  url: string;
  /** A header of the record itself, joined with commas if repeated; null: missing. */
  header: (name: string) => string | null;
  block: Uint8Array;
}

/**
 * The records of a WARC, in order. Header lines may end in CRLF or LF, and records in any number of empty lines (the
 * standard has two).
 * @param file name in messages
 * @throws ImportError (out of the iteration) when the WARC is damaged, truncated, or exceeds a limit
 */
export async function* warcRecords(
  file: string,
  warc: PackedWarc,
  budget: ImportBudget,
): AsyncGenerator<WarcRecord> {
  const { limits } = budget;
  let number = 1;
  let url = '';
  const where = () => `${file}, record ${number}${url === '' ? '' : ` (${shown(url)})`}`;
  const damaged: DamageError = (what) =>
    new ImportError(`${where()}: damaged, ${what}. Copy or record it again.`);
  const pieces = unpackedWarc(where, warc, limits);
  const reader = byteReader(pieces);
  try {
    let { line, emptyLines } = await firstLine(reader, limits.headerBytes, damaged);
    while (line !== '') {
      if (!/^WARC\/\d/.test(line)) {
        throw damaged(`a record begins with "WARC/", this one with "${shown(line, 40)}"`);
      }
      const header = await recordHeaders(reader, limits.headerBytes, damaged);
      // Some programs put it into angle brackets, following an error in the standard's first version.
      url = (header('warc-target-uri') ?? '').replace(/^<(.*)>$/, '$1');
      budget.takeEntry();
      const blockBytes = blockBytesOf(header, damaged);
      // Uses the message for bodies.
      if (blockBytes > limits.bodyBytes + limits.headerBytes) budget.takeBody(blockBytes, where());
      const block = await reader.bytes(blockBytes);
      if (block.length < blockBytes) {
        throw damaged(`it was truncated: ${block.length} of ${blockBytes} bytes are there`);
      }
      yield { where: where(), type: header('warc-type') ?? '', url, header, block };
      ({ line, emptyLines } = await firstLine(reader, limits.headerBytes, damaged));
      if (emptyLines === 0 && line !== '' && !line.startsWith('WARC/')) {
        throw damaged(`it has more than the ${blockBytes} bytes that its Content-Length says`);
      }
      number += 1;
      url = '';
    }
  } finally {
    await pieces.return(undefined);
  }
}

type DamageError = (what: string) => ImportError;

/** The next non-empty line; empty at the end. */
async function firstLine(reader: ByteReader, maxBytes: number, damaged: DamageError) {
  let emptyBytes = 0;
  for (let emptyLines = 0; ; emptyLines++) {
    const bytes = await reader.line(maxBytes);
    // Some file systems and disks pad files with NUL.
    const line = bytes.every((byte) => byte === 0) ? '' : bytes.toString('latin1').trim();
    if (bytes.length === 0 || line !== '') return { line, emptyLines };
    emptyBytes += bytes.length;
    if (emptyBytes > maxBytes) throw damaged(`after it come more than ${maxBytes} empty bytes`);
  }
}

async function recordHeaders(
  reader: ByteReader,
  maxBytes: number,
  damaged: DamageError,
): Promise<WarcRecord['header']> {
  const lines: Buffer[] = [];
  let bytes = 0;
  for (let isEnd = false; !isEnd; ) {
    const line = await reader.line(maxBytes);
    bytes += line.length;
    if (bytes > maxBytes) throw damaged(`its own headers have more than ${maxBytes} bytes`);
    lines.push(line);
    isEnd = line.length === 0 || /^\r?\n$/.test(line.toString('latin1', 0, 2));
  }
  const { headers } = parseHeaderLines(Buffer.concat(lines));
  return (name) => {
    const values = headers.filter(([found]) => found.toLowerCase() === name);
    const text = values.map(([, value]) => value).join(', ');
    return values.length === 0 ? null : Buffer.from(text, 'latin1').toString('utf8');
  };
}

function blockBytesOf(header: WarcRecord['header'], damaged: DamageError): number {
  const length = header('content-length') ?? '';
  if (/^\d{1,15}$/.test(length)) return Number(length);
  throw damaged(`its Content-Length is "${shown(length, 40)}", expected a number`);
}

interface PackedWarc {
  /** The file's bytes, in chunks of any size. */
  packed: AsyncIterable<Buffer>;
  isPacked: boolean;
}

/**
 * The bytes of a WARC in chunks, decompressed from gzip: one member for each record, or one for all.
 * @param where name of the current place in messages
 * @throws ImportError (out of the iteration) when the gzip is damaged, or exceeds the limits
 */
async function* unpackedWarc(
  where: () => string,
  { packed, isPacked }: PackedWarc,
  limits: ImportLimits,
): AsyncGenerator<Buffer> {
  const tooLarge = () =>
    new ImportError(
      `${where()}: the archive has, or unpacks to, more than ${bytesText(limits.totalBytes)}. Use a WARC of one page.`,
    );
  try {
    if (isPacked) {
      yield* gunzipped(packed, limits.totalBytes);
      return;
    }
    let bytes = 0;
    for await (const piece of packed) {
      bytes += piece.length;
      if (bytes > limits.totalBytes) throw tooLarge();
      yield piece;
    }
  } catch (error) {
    if (error instanceof TooLargeError) throw tooLarge();
    if (error instanceof ImportError || !isPacked) throw error;
    const { message } = error as Error;
    const why = message.endsWith('is no gzip') ? message : `gzip says ${message}`;
    throw new ImportError(`${where()}: damaged, ${why}. Copy or record it again.`);
  }
}

const FIELDS_BYTES = 1024 * 1024;

/** Parses a `warcinfo` record of wget, wpull, Webrecorder and other crawlers. */
export function warcInfo(block: Uint8Array): Required<Pick<ArchiveContent, 'software' | 'pages'>> {
  const software = warcField(block, 'software')?.trim();
  return {
    software: software ? shown(software, 80) : null,
    pages: [
      ...pagesOfJson(warcField(block, 'json-metadata')),
      ...pagesOfWords(warcField(block, 'wget-arguments') ?? warcField(block, 'wpull-argv')),
    ],
  };
}

/** A field of a record in `application/warc-fields`; null: missing. */
export function warcField(block: Uint8Array, name: string): string | null {
  const { headers } = parseHeaderLines(Buffer.from(block.subarray(0, FIELDS_BYTES)));
  const [, value] = headers.find(([found]) => found.toLowerCase() === name) ?? [];
  return value === undefined ? null : Buffer.from(value, 'latin1').toString('utf8');
}

/** Pages in Webrecorder's JSON. */
function pagesOfJson(json: string | null): ArchivePage[] {
  try {
    return listOf(below(JSON.parse(json ?? 'null'), 'pages')).flatMap((page) => pageOf(page) ?? []);
  } catch {
    return [];
  }
}

/** Pages from the quoted words of a command line: words with a scheme are URLs, the rest may be. */
function pagesOfWords(commandLine: string | null): ArchivePage[] {
  const words = [...(commandLine ?? '').matchAll(/"([^"]*)"/g)].map(([, word = '']) => word);
  const bare = words.filter((word) => !word.startsWith('-') && cacheUrl(word) === null);
  return [...words, ...bare.map((word) => `http://${word}`)].flatMap(
    (word) => pageOf({ url: word }) ?? [],
  );
}

/** A page of a list of pages in JSON; null: not a web address. */
export function pageOf(listed: unknown): ArchivePage | null {
  const document = textOf(below(listed, 'url'));
  if (document === null || cacheUrl(document) === null) return null;
  return { document, title: textOf(below(listed, 'title')) };
}
