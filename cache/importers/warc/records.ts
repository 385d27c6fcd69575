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
  /** What messages call it: the archive and the record's number in it, from 1. */
  where: string;
  /** As in `response`; empty: it does not say. */
  type: string;
  /** The URL that it is about, as recorded; empty: none. */
  url: string;
  /** A header of the record itself, several of that name joined with commas; null: it has none. */
  header: (name: string) => string | null;
  block: Uint8Array;
}

/**
 * The records of a WARC, in order. Header lines end in CRLF or LF; between records there may be any number of empty lines (the
 * standard has two), at the end also none.
 * @param file what messages call it
 * @throws ImportError (out of the iteration) when the WARC is damaged, cut off, or passes a limit
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
      // Some programs put it into angle brackets, as the standard's first version did by mistake.
      url = (header('warc-target-uri') ?? '').replace(/^<(.*)>$/, '$1');
      budget.takeEntry();
      const blockBytes = blockBytesOf(header, damaged);
      // The same words as for any body.
      if (blockBytes > limits.bodyBytes + limits.headerBytes) budget.takeBody(blockBytes, where());
      const block = await reader.bytes(blockBytes);
      if (block.length < blockBytes) {
        throw damaged(`it was cut off: ${block.length} of ${blockBytes} bytes are there`);
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

/** The next line that is not empty; an empty one: there is none. */
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
  /** In pieces of any size. */
  packed: AsyncIterable<Buffer>;
  isPacked: boolean;
}

/**
 * The bytes of a WARC in pieces, unpacked where it is gzip: one member for each record, or one for all.
 * @param where what messages call the place that is being read
 * @throws ImportError (out of the iteration) when the gzip is damaged, or there are more bytes than the limits say
 */
async function* unpackedWarc(
  where: () => string,
  { packed, isPacked }: PackedWarc,
  limits: ImportLimits,
): AsyncGenerator<Buffer> {
  const tooLarge = () =>
    new ImportError(
      `${where()}: the archive has, or unpacks to, more than ${bytesText(limits.totalBytes)}. Give a WARC of one page.`,
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

/** Reads a `warcinfo` record as wget, wpull, Webrecorder and the others write it. */
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

/** A field of a record in `application/warc-fields`; null: it has none of that name. */
export function warcField(block: Uint8Array, name: string): string | null {
  const { headers } = parseHeaderLines(Buffer.from(block.subarray(0, FIELDS_BYTES)));
  const [, value] = headers.find(([found]) => found.toLowerCase() === name) ?? [];
  return value === undefined ? null : Buffer.from(value, 'latin1').toString('utf8');
}

/** As Webrecorder writes its recordings. */
function pagesOfJson(json: string | null): ArchivePage[] {
  try {
    return listOf(below(JSON.parse(json ?? 'null'), 'pages')).flatMap((page) => pageOf(page) ?? []);
  } catch {
    return [];
  }
}

/** The words of a command line in quotes; with a scheme they are surely URLs, without one they may be. */
function pagesOfWords(commandLine: string | null): ArchivePage[] {
  const words = [...(commandLine ?? '').matchAll(/"([^"]*)"/g)].map(([, word = '']) => word);
  const bare = words.filter((word) => !word.startsWith('-') && cacheUrl(word) === null);
  return [...words, ...bare.map((word) => `http://${word}`)].flatMap(
    (word) => pageOf({ url: word }) ?? [],
  );
}

/** A page as lists of pages have it in JSON; null: it is no web address. */
export function pageOf(listed: unknown): ArchivePage | null {
  const document = textOf(below(listed, 'url'));
  if (document === null || cacheUrl(document) === null) return null;
  return { document, title: textOf(below(listed, 'title')) };
}
