import { open, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { decodeText } from '../../ground/system/decode-text.ts';
import { ImportError, shown } from '../import-error.ts';
import { readInputFile } from '../importers/archive-file.ts';
import { bodyFile } from '../importers/resource.ts';
import { IMPORT_LIMITS, type ImportLimits, importBudget } from '../limits.ts';
import { CACHE_FORMAT_VERSION, type Resource } from '../manifest.ts';
import {
  type ByteRange,
  type Presentation,
  problemOfPresentation,
  type Representation,
} from '../presentation.ts';
import type { RecordedSite } from '../site-of-recording.ts';
import { readPresentation } from './presentation.ts';
import { problemOfPiece } from './whole-piece.ts';

/** Origin of every video; its manifest is at the root, and its files are at the paths in the manifest. */
const ORIGIN = 'https://video.example';

/** Largest manifest: ten times one that names each of 100,000 segments. */
const MANIFEST_BYTES = 64_000_000;

const SHORTER = 'Divide the video into shorter segments.';

/** Number of files that a message names for each Representation. */
const NAMED = 5;

/**
 * Makes a site of a DASH manifest and its files, byte for byte.
 * @param source origin of the video, as a sentence for people
 * @throws ImportError if the video cannot be played, or a limit is exceeded
 */
export async function siteOfDash(
  file: string,
  source: string,
  limits: ImportLimits = IMPORT_LIMITS,
): Promise<RecordedSite> {
  const url = `${ORIGIN}/${encodeURIComponent(path.basename(file))}`;
  const folder = await realpath(path.dirname(path.resolve(file)));
  const text = await readInputFile(file, MANIFEST_BYTES, 'Name a DASH manifest.');
  const { presentation, notes } = await readPresentation(decodeText(text), {
    file,
    url,
    limits,
    bytesOf: async (of, range) => partOf(await fileOf(of, folder, file), range, limits),
  });
  const budget = importBudget(file, limits);
  const resources: Resource[] = [];
  const bodies = new Map<string, Uint8Array>();
  const add = (resourceUrl: string, mime: string, bytes: Uint8Array) => {
    budget.takeBody(bytes.length, resourceUrl);
    const about = bodyFile(resources.length, resourceUrl, bytes);
    if (about.body !== null) bodies.set(about.body, bytes);
    resources.push({
      url: resourceUrl,
      method: 'GET',
      status: 200,
      type: 'xhr',
      headers: [
        ['content-type', mime],
        ['access-control-allow-origin', '*'],
        ['timing-allow-origin', '*'],
      ],
      ...about,
      contentEncoding: null,
      decodedBytes: bytes.length,
    });
  };
  add(url, 'application/dash+xml', text);
  const files = await filesOf(presentation, folder, file);
  const unusable = new UnusableFiles(file);
  for (const [resourceUrl, { from, mime, pieces, id }] of files) {
    const bytes = await readInputFile(from, limits.bodyBytes, SHORTER);
    add(resourceUrl, mime, bytes);
    for (const range of pieces) {
      const piece = range === null ? bytes : bytes.subarray(range[0], range[1] + 1);
      unusable.add(id, path.relative(folder, from), problemOfPiece(mime, piece));
    }
  }
  unusable.throwIfAny();
  const sizes = new Map(resources.map(({ url, decodedBytes }) => [url, decodedBytes]));
  const problem = problemOfPresentation(presentation, sizes);
  if (problem !== null) {
    throw new ImportError(
      `${file} cannot be played: ${shown(problem)}. Export the manifest again.`,
    );
  }
  return {
    manifest: {
      formatVersion: CACHE_FORMAT_VERSION,
      url,
      source,
      kind: 'video',
      complete: false,
      video: presentation,
      resources,
    },
    bodies,
    notes,
  };
}

interface MediaFile {
  from: string;
  mime: string;
  id: string;
  pieces: ByteRange[];
}

async function filesOf(
  { representations }: Presentation,
  folder: string,
  manifest: string,
): Promise<Map<string, MediaFile>> {
  const files = new Map<string, MediaFile>();
  const unusable = new UnusableFiles(manifest);
  for (const representation of representations) {
    const pieces = piecesOf(representation);
    for (const { url, bytes } of pieces) {
      const from = await fileOf(url, folder, manifest);
      const known = files.get(url) ?? {
        from,
        mime: representation.mime,
        id: representation.id,
        pieces: [],
      };
      known.pieces.push(bytes);
      files.set(url, known);
      const isLast = url === pieces.at(-1)?.url;
      unusable.add(
        representation.id,
        path.relative(folder, from),
        await problemOfFile(from, bytes),
        isLast,
      );
    }
  }
  unusable.throwIfAny();
  return files;
}

/** Collects files that cannot be played, by Representation, to report all of them at once. */
class UnusableFiles {
  readonly #manifest: string;
  readonly #byRepresentation = new Map<string, string[]>();
  #isLastAlone = true;

  constructor(manifest: string) {
    this.#manifest = manifest;
  }

  /** @param problem null: the file is fine */
  add(id: string, file: string, problem: string | null, isLast = false): void {
    if (problem === null) return;
    this.#isLastAlone &&= isLast;
    const known = this.#byRepresentation.get(id) ?? [];
    known.push(`${shown(file)} ${problem}`);
    this.#byRepresentation.set(id, known);
  }

  /** @throws ImportError if any file cannot be played */
  throwIfAny(): void {
    if (this.#byRepresentation.size === 0) return;
    const problems = [...this.#byRepresentation].map(([id, files]) => {
      const more = files.length - NAMED;
      const named = [...files.slice(0, NAMED), ...(more > 0 ? [`and ${more} more`] : [])];
      return `- Representation ${shown(id)}: ${named.join(', ')}`;
    });
    // Programs round durations up, which can add a last segment that does not exist.
    const remedy = this.#isLastAlone
      ? 'If these last segments do not exist, shorten mediaPresentationDuration (or the repeats of the timeline) by their duration. Otherwise add the complete files.'
      : 'Add the complete files, or remove the Representation from the manifest.';
    throw new ImportError(
      `${this.#manifest} names files that cannot be played:\n${problems.join('\n')}\n${remedy}`,
    );
  }
}

function piecesOf({ init, segments }: Representation): { url: string; bytes: ByteRange }[] {
  return init === null ? segments : [init, ...segments];
}

async function problemOfFile(file: string, range: ByteRange): Promise<string | null> {
  const found = await stat(file).catch(() => null);
  if (found === null) return 'is missing';
  if (!found.isFile()) return 'is not a file';
  if (found.size === 0) return 'is empty';
  if (range === null || (range[0] <= range[1] && range[1] < found.size)) return null;
  return `has ${found.size} bytes, too few for its segment from ${range[0]} to ${range[1]}`;
}

/** The file below the manifest's folder for a URL; it may be missing. */
async function fileOf(url: string, folder: string, manifest: string): Promise<string> {
  const refuse = (why: string, remedy: string): never => {
    throw new ImportError(`${manifest}: ${shown(url)} ${why}. ${remedy}`);
  };
  const { origin, pathname, search, hash } =
    URL.parse(url) ?? refuse('is not a URL', 'Name a file.');
  if (origin !== ORIGIN) {
    refuse(
      'is on another host',
      'Copy its files into the folder of the manifest, and remove the host from its URLs (BaseURL).',
    );
  }
  if (search !== '' || hash !== '') refuse('has a query or fragment', 'Name files by path only.');
  const file = path.join(folder, decoded(pathname) ?? refuse('is not a path', 'Correct it.'));
  const real = await realpath(file).catch(() => file);
  if (!real.startsWith(`${folder}${path.sep}`)) {
    refuse("leads out of the manifest's folder", 'Put the file itself there.');
  }
  return file;
}

/** A URL's path as a file path; null: not a path below the folder. */
function decoded(pathname: string): string | null {
  try {
    const text = decodeURIComponent(pathname);
    return /\0|\\|(^|\/)\.\.(\/|$)/.test(text) ? null : text;
  } catch {
    return null;
  }
}

async function partOf(
  file: string,
  range: ByteRange,
  { bodyBytes }: ImportLimits,
): Promise<Buffer> {
  const problem = await problemOfFile(file, range);
  if (problem !== null) throw new ImportError(`${file} ${problem}. Copy the whole file there.`);
  if (range === null) return readInputFile(file, bodyBytes, SHORTER);
  const [first, last] = range;
  if (last - first >= bodyBytes) throw new ImportError(`${file} is too large. ${SHORTER}`);
  const handle = await open(file, 'r');
  try {
    const { buffer } = await handle.read(
      Buffer.alloc(last - first + 1),
      0,
      last - first + 1,
      first,
    );
    return buffer;
  } finally {
    await handle.close();
  }
}
