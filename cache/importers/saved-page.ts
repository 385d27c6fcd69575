import { readFile } from 'node:fs/promises';
import { ImportError } from '../import-error.ts';
import { CACHE_FORMAT_VERSION, type Resource, type SiteManifest } from '../manifest.ts';
import { bodyFile } from './body-file.ts';
import { checkCoding } from './content-coding.ts';
import { noFavicon } from './favicon.ts';
import { cacheUrl, urlOfFile, withoutPort } from './file-url.ts';
import { headerValue, parseSavedResponse, type SavedResponse } from './header-block.ts';
import { contentTypeOf, resourceTypeOf } from './media-types.ts';
import { replayableHeaders } from './replayable-headers.ts';
import { readSavedFolder, type SavedFile } from './saved-folder.ts';

/** A saved page as a site of the cache, not yet written and not yet named. */
export interface SavedPage {
  manifest: Omit<SiteManifest, 'site'>;
  bodies: Map<string, Uint8Array>;
  /** Everything that could not be kept as saved, each with the file's name. */
  notes: string[];
}

/** Reads a folder saved with `wget --page-requisites --save-headers`; README.md gives the rules. */
export async function readSavedPage(
  folder: string,
  documentPath: string | null = null,
): Promise<SavedPage> {
  const { document, files, notes } = await readSavedFolder(folder, documentPath);
  const main = await readReplayable(document, 0, notes);
  if (!main) {
    throw new ImportError(
      `${document.file} cannot be the document: ${notes.at(-1)}. Save the page again, or name another with --document FILE.`,
    );
  }
  main.resource.type = 'document';
  const kept = [main];
  const fileOfUrl = new Map([[main.resource.url, document]]);
  for (const saved of files.filter((file) => file !== document)) {
    const next = await readReplayable(saved, kept.length, notes);
    if (!next) continue;
    const earlier = fileOfUrl.get(next.resource.url);
    if (earlier) {
      notes.push(`${nameOf(saved)}: skipped, ${nameOf(earlier)} is the same URL`);
      continue;
    }
    fileOfUrl.set(next.resource.url, saved);
    kept.push(next);
  }
  const { url } = main.resource;
  const favicon = noFavicon(url, Buffer.from(main.decoded).toString('latin1'));
  const resources = kept.map(({ resource }) => resource);
  if (favicon && !fileOfUrl.has(favicon.url)) resources.push(favicon);
  return {
    manifest: {
      formatVersion: CACHE_FORMAT_VERSION,
      url,
      source: `imported from a folder saved with wget: ${new URL(url).host}${savedOn(main.date)}`,
      kind: 'imported',
      complete: false,
      resources,
    },
    bodies: new Map(
      kept.flatMap(({ resource, body }) => (resource.body ? [[resource.body, body]] : [])),
    ),
    notes,
  };
}

/** A resource with what the manifest does not hold. */
interface Replayable {
  resource: Resource;
  body: Uint8Array;
  decoded: Uint8Array;
  /** The Date header as saved. */
  date: string | null;
}

/** Null: a response that cannot be replayed to a browser that asks for the first time; a note says why. */
async function readReplayable(
  saved: SavedFile,
  index: number,
  notes: string[],
): Promise<Replayable | null> {
  const note = (text: string) => notes.push(`${nameOf(saved)}: ${text}`);
  const response = await readResponse(saved, note);
  const { status } = response;
  if (status < 200 || status > 599 || status === 206 || status === 304) {
    note(`skipped, status ${status} is no answer to a first request for the whole resource`);
    return null;
  }
  const { headers, notes: headerNotes } = replayableHeaders(response.headers);
  headerNotes.forEach(note);
  const url = urlOf(saved, response, note);
  const target = headerValue(headers, 'location');
  if (status >= 300 && target !== null && URL.canParse(target, url)) {
    if (cacheUrl(new URL(target, url).href) === url) {
      note(`skipped, it redirects from http to https, and all URLs are https here`);
      return null;
    }
  }
  const body = status === 204 ? new Uint8Array() : response.body;
  if (body.length !== response.body.length) note('body dropped, status 204 has none');
  const coding = checkCoding(headerValue(response.headers, 'content-encoding'), body);
  if (coding.note) note(coding.note);
  if (coding.contentEncoding) headers.push(['content-encoding', coding.contentEncoding]);
  const resource: Resource = {
    url,
    method: 'GET',
    status,
    type: resourceTypeOf(headerValue(headers, 'content-type'), url),
    headers,
    ...bodyFile(index, url, body),
    contentEncoding: coding.contentEncoding,
    decodedBytes: coding.decoded.length,
  };
  return { resource, body, decoded: coding.decoded, date: headerValue(response.headers, 'date') };
}

async function readResponse(
  saved: SavedFile,
  note: (text: string) => void,
): Promise<SavedResponse> {
  const bytes = await readFile(saved.file);
  const parsed = parseSavedResponse(bytes);
  if (!parsed) {
    const type = contentTypeOf(saved.path.split('?')[0] ?? '') ?? 'application/octet-stream';
    note(`no header lines on top, taken for status 200 and content-type ${type}`);
    return { status: 200, headers: [['content-type', type]], body: bytes, strayLines: [] };
  }
  if (parsed.strayLines.length > 0) {
    note(`${parsed.strayLines.length} line(s) among the headers dropped, not \`name: value\``);
  }
  const recorded = headerValue(parsed.headers, 'content-length');
  if (recorded !== null && Number(recorded) !== parsed.body.length) {
    note(`content-length was ${recorded}, the body has ${parsed.body.length} bytes: mended`);
  }
  return parsed;
}

function urlOf(saved: SavedFile, response: SavedResponse, note: (text: string) => void): string {
  const recorded = headerValue(response.headers, 'x-original-url');
  if (recorded !== null) {
    const url = cacheUrl(Buffer.from(recorded, 'latin1').toString('utf8'));
    if (url !== null) return url;
    note(`X-Original-Url is not a web address, so the file's path counts`);
  }
  if (withoutPort(saved.host) !== saved.host) note('port dropped, all servers stand on 443');
  return urlOfFile(saved.host, saved.path);
}

function nameOf(saved: SavedFile): string {
  return `${saved.host}/${saved.path}`;
}

function savedOn(date: string | null): string {
  const time = date === null ? Number.NaN : Date.parse(date);
  return Number.isNaN(time) ? '' : `, saved ${new Date(time).toISOString().slice(0, 10)}`;
}
