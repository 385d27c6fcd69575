import { AsyncIterReader, WARCParser } from 'warcio';
import { ImportError } from '../../import-error.ts';
import type { ImportBudget } from '../../limits.ts';
import { shown } from '../shown.ts';
import { type PackedWarc, unpackedWarc } from './unpacked.ts';

/** One record of a WARC. */
export interface WarcRecord {
  /** What messages call it: the archive and the record's number in it, from 1. */
  where: string;
  /** As in `response`; empty: it does not say. */
  type: string;
  /** The URL that it is about, as recorded; empty: none. */
  url: string;
  /** A header of the record itself; null: it has none of that name. */
  header: (name: string) => string | null;
  /** Everything after the record's own headers. */
  block: Uint8Array;
}

/** Stands after every record; writers that were stopped leave it out at the end. */
const SEPARATOR = '\r\n\r\n';

/** warcio takes pieces of any size, and looks no further than the piece for the end of a record's headers. */
const PIECE_BYTES = 16 * 1024;

/**
 * The records of a WARC, in order. warcio takes them apart; what it would make of damaged input (waiting for ever, silence, a
 * message on the terminal) is found out before.
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
  const damaged = (what: string) =>
    new ImportError(`${where()}: damaged, ${what}. Copy or record it again.`);
  const source = watched(unpackedWarc(where, warc, limits), limits.headerBytes, damaged);
  const reader = new AsyncIterReader(source.pieces, null);
  try {
    for (;;) {
      source.expectHeaders();
      // A parser of its own for each record: it would look for the next one itself, anywhere.
      const record = await new WARCParser(reader, { parseHttp: false }).parse();
      if (record === null) break;
      url = record.warcTargetURI ?? '';
      const { statusline } = record.warcHeaders;
      if (!/^WARC\/\d/.test(statusline)) {
        throw damaged(`a record begins with "WARC/", this one with "${shown(statusline, 40)}"`);
      }
      const length = record.warcHeader('content-length') ?? '';
      if (!/^\d{1,15}$/.test(length)) {
        throw damaged(`its Content-Length is "${shown(length, 40)}", expected a number`);
      }
      budget.takeEntry();
      const blockBytes = Number(length);
      if (blockBytes > limits.bodyBytes + limits.headerBytes) {
        // The same words as for any body.
        budget.takeBody(blockBytes, where());
      }
      source.expectBlock(blockBytes);
      const block = await record.readFully();
      if (block.length < blockBytes) {
        throw damaged(`it was cut off: ${block.length} of ${blockBytes} bytes are there`);
      }
      source.expectBlock(SEPARATOR.length);
      const separator = Buffer.from(await reader.readSize(SEPARATOR.length)).toString('latin1');
      if (!SEPARATOR.startsWith(separator)) {
        throw damaged(`it has more than the ${blockBytes} bytes that its Content-Length says`);
      }
      yield {
        where: where(),
        type: record.warcType ?? '',
        url,
        header: (name) => record.warcHeader(name) ?? null,
        block,
      };
      number += 1;
      url = '';
    }
  } finally {
    await source.end();
  }
  if (!source.isAtEnd()) throw damaged('a record begins with "WARC/", here is an empty line');
}

/** A source for warcio that ends the reading where it would never end. */
function watched(
  bytes: AsyncGenerator<Buffer>,
  headerBytes: number,
  damaged: (what: string) => ImportError,
) {
  /** Bytes that warcio may still take before what it reads now is too long. */
  let allowedBytes = 0;
  let atEnd = false;
  const pieces = async function* () {
    for await (const large of bytes) {
      for (let at = 0; at < large.length; at += PIECE_BYTES) {
        const piece = large.subarray(at, at + PIECE_BYTES);
        if (allowedBytes < 0) throw damaged(`its own headers have more than ${headerBytes} bytes`);
        allowedBytes -= piece.length;
        yield piece;
      }
    }
    atEnd = true;
  };
  return {
    pieces: pieces(),
    expectHeaders: () => {
      allowedBytes = headerBytes;
    },
    expectBlock: (blockBytes: number) => {
      allowedBytes = blockBytes;
    },
    isAtEnd: () => atEnd,
    end: async () => {
      await bytes.return(undefined);
    },
  };
}
