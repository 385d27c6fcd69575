import { stat } from 'node:fs/promises';
import path from 'node:path';
import { readPlainFile } from '../../../ground/system/plain-file.ts';
import { ImportError } from '../../import-error.ts';
import { type ImportBudget, type ImportLimits, importBudget } from '../../limits.ts';
import { lost, type Note, noteLines } from '../../notes.ts';
import type { RecordedExchange, Recording } from '../../recording.ts';
import { cacheUrl, urlOfFile, withoutPort } from '../file-url.ts';
import { headerValue, parseSavedResponse } from '../header-block.ts';
import { type ReceivedResponse, readResponse } from '../http-message.ts';
import type { ArchivePage, PageImporter, ReadOptions } from '../importer.ts';
import { contentTypeOf } from '../media-types.ts';
import { isPage } from '../navigation.ts';
import { findDocument, readSavedFolder, type SavedFile, withLinkedUrls } from './saved-folder.ts';

export const WGET_FOLDER: PageImporter = {
  // Accepts any folder: read() reports best what is missing.
  recognise: async (archive) => (await stat(archive).catch(() => null))?.isDirectory() ?? false,
  read: readSavedPage,
  pages: listSavedPages,
};

/**
 * Reads a folder saved with `wget --page-requisites --save-headers`; README.md has the rules.
 * @throws ImportError when it is not such a folder, has no document, or exceeds a limit
 */
export async function readSavedPage(
  folder: string,
  { document: documentPath, limits }: ReadOptions,
): Promise<Recording> {
  const budget = importBudget(folder, limits);
  const folderContent = await readSavedFolder(folder, documentPath, budget);
  const { files, notes } = folderContent;
  const document = findDocument(folderContent, documentPath);
  const main = await readExchange(document, budget, notes);
  if (!main)
    throw new ImportError(`${document.file} cannot be the document: ${noteLines(notes).at(-1)}.`);
  main.type = 'document';
  const all = [{ saved: document, exchange: main }];
  for (const saved of files.filter((each) => each !== document)) {
    const exchange = await readExchange(saved, budget, notes);
    if (exchange) all.push({ saved, exchange });
  }
  const exchanges = withLinkedUrls(all, budget, notes);
  const date = headerValue(main.headers, 'date');
  return {
    documentUrl: main.url,
    source: `imported from a folder saved with wget: ${new URL(main.url).host}${savedOn(date)}`,
    recordedAt: null,
    exchanges,
    notes,
  };
}

/**
 * The pages of such a folder: its HTML files, as values of `--document`.
 * @throws ImportError when it is not such a folder, or exceeds a limit
 */
async function listSavedPages(folder: string, limits: ImportLimits): Promise<ArchivePage[]> {
  const budget = importBudget(folder, limits);
  const { root, files } = await readSavedFolder(folder, null, budget);
  const pages: ArchivePage[] = [];
  for (const saved of files) {
    const exchange = await readExchange(saved, budget, []);
    if (exchange === null || !isPage(exchange)) continue;
    const document = path.relative(root, saved.file).replaceAll(path.sep, '/');
    pages.push({ document, title: null });
  }
  return pages;
}

/** Enough for a status line. */
const FIRST_LINE_BYTES = 256;

/** Reads a saved file; null, with a note: it cannot be read. */
async function readExchange(
  saved: SavedFile,
  budget: ImportBudget,
  notes: Note[],
): Promise<RecordedExchange | null> {
  const where = `${saved.host}/${saved.path}`;
  const url = urlOfFile(saved.host, saved.path);
  const note = (text: string) => notes.push({ where, text });
  budget.takeBody((await stat(saved.file).catch(() => null))?.size ?? 0, where);
  const part = { maxBytes: budget.limits.bodyBytes, noLink: true };
  const bytes = await readPlainFile(saved.file, part).catch((error: Error) => {
    notes.push(lost(where, `it cannot be read: ${error.message}`, url));
    return null;
  });
  if (bytes === null) return null;
  const response = savedResponse(bytes, saved, budget.limits, note);
  if (typeof response === 'string') {
    notes.push(lost(where, response, url));
    return null;
  }
  return {
    where,
    method: 'GET',
    url: urlOf(saved, response, note),
    status: response.status,
    headers: response.headers,
    body: response.body,
    bodyIs: 'as sent',
    type: null,
  };
}

const HTML_BEGINS =
  /^(\xef\xbb\xbf)?\s*(<\?xml[^>]*>\s*)?(<!--[\s\S]*?-->\s*)*<(!doctype html|html|head|body|title)\b/i;

/** Parses a saved response; returns a sentence part with the reason if it is not valid. */
function savedResponse(
  bytes: Uint8Array,
  saved: SavedFile,
  limits: ImportLimits,
  note: (text: string) => void,
): Pick<ReceivedResponse, 'status' | 'headers' | 'body'> | string {
  if (parseSavedResponse(bytes.subarray(0, FIRST_LINE_BYTES)) === null) {
    const type =
      contentTypeOf(saved.path.split('?')[0] ?? '') ??
      // `--adjust-extension` appends an extension after the query.
      contentTypeOf(saved.path) ??
      // A page of a server's script (`page.php`) has no extension of a page.
      (HTML_BEGINS.test(Buffer.from(bytes.subarray(0, 1000)).toString('latin1'))
        ? contentTypeOf('a.html')
        : null);
    const said = type === null ? 'no content type, which browsers guess' : `content-type ${type}`;
    note(`no header lines on top, taken for status 200 and ${said}`);
    return { status: 200, headers: type === null ? [] : [['content-type', type]], body: bytes };
  }
  const response = readResponse(bytes, limits);
  if (typeof response !== 'string') response.notes.forEach(note);
  return response;
}

function urlOf(
  saved: SavedFile,
  response: Pick<ReceivedResponse, 'headers'>,
  note: (text: string) => void,
): string {
  const recorded = headerValue(response.headers, 'x-original-url');
  if (recorded !== null) {
    const url = cacheUrl(Buffer.from(recorded, 'latin1').toString('utf8'));
    if (url !== null) return url;
    note(`X-Original-Url is not a web address, so the file's path counts`);
  }
  if (withoutPort(saved.host) !== saved.host) note('port dropped, all servers use 443');
  return urlOfFile(saved.host, saved.path);
}

function savedOn(date: string | null): string {
  const time = date === null ? Number.NaN : Date.parse(date);
  return Number.isNaN(time) ? '' : `, saved ${new Date(time).toISOString().slice(0, 10)}`;
}
