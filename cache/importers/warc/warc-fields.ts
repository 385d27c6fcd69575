import { shown } from '../../import-error.ts';
import { cacheUrl } from '../file-url.ts';
import { parseHeaderLines } from '../header-block.ts';
import type { ArchivePage } from '../importer.ts';
import { below, listOf, textOf } from '../json.ts';
import type { ArchiveContent } from '../recording-of.ts';

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
