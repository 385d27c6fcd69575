import { existsSync, readdirSync, renameSync } from 'node:fs';
import { lstat, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Device, isDevice } from '../ground/records/device.ts';
import { renameFields } from '../ground/records/older-format.ts';
import { UsageError } from '../ground/system/exit-status.ts';
import { readPlainTextSync, UnreadableFileError } from '../ground/system/plain-file.ts';
import { type Http3Tests, problemOfHttp3 } from './http3.ts';
import { type Presentation, problemOfPresentation } from './presentation.ts';
import {
  type Bounce,
  problemOfBounce,
  problemOfHeaders,
  type ResponseHeaders,
} from './response-headers.ts';

/** The version of the cache format that this code writes; README.md describes it. */
export const CACHE_FORMAT_VERSION = 1;

export const RESOURCE_TYPES = [
  'document',
  'iframe',
  'script',
  'stylesheet',
  'image',
  'font',
  'xhr',
  'other',
] as const;
export type ResourceType = (typeof RESOURCE_TYPES)[number];

export const CONTENT_ENCODINGS = ['gzip', 'br', 'zstd', 'deflate'] as const;
export type ContentEncoding = (typeof CONTENT_ENCODINGS)[number];

/** One recorded response: what every server sends for this method and URL. */
export interface Resource {
  /** Absolute https URL as a browser writes it (WHATWG), without fragment. */
  url: string;
  method: 'GET' | 'POST';
  status: number;
  type: ResourceType;
  /** Headers sent unchanged, in this order; names in lower case. Without content-length and date: servers add these. */
  headers: ResponseHeaders;
  /** Path of the body below the site's folder, with the bytes exactly as sent; null: no body. */
  body: string | null;
  /** The coding of the body file, equal to the content-encoding header. */
  contentEncoding: ContentEncoding | null;
  /** Size of the body file. */
  wireBytes: number;
  /** Size after the content coding is taken off. */
  decodedBytes: number;
  /** Hex SHA-256 of the body file; null: no body. */
  sha256: string | null;
  /** Server time until the response, in ms: the recorded wait less one round trip. Absent: unknown. */
  waitMs?: number;
  /** Redirects: the first one whose cookie a request lacks is sent instead. Absent: no bounces. */
  bounces?: Bounce[];
}

/** Origin of a site; the content of `generated` sites is artificial. */
const SITE_KINDS = ['generated', 'package', 'imported', 'recorded', 'sized', 'video'] as const;

export interface RequestCounts {
  recorded: number;
  answered: number;
}

/** One site of the cache: `index.json` of its folder. */
export interface SiteManifest {
  formatVersion: typeof CACHE_FORMAT_VERSION;
  /** Name of the site and of its folder. */
  site: string;
  /** The main document's URL; one of the resources. */
  url: string;
  /** Origin of the page, as a sentence for people; shown together with the site. */
  source: string;
  kind: (typeof SITE_KINDS)[number];
  /** Whether one page load requests every resource exactly once, and nothing else. */
  complete: boolean;
  /** Time when the page was saved or recorded (ISO 8601, UTC). Absent: unknown, or never published. */
  recordedAt?: string;
  /** Format of the archive from which `npm run import` made the site. Absent: not imported. */
  importedFrom?: string;
  /** Hex SHA-256 of the input of a generated video. Absent: not a generated video. */
  madeFrom?: string;
  /** The known IP addresses of hosts during the recording. */
  addresses?: Record<string, string>;
  /** Recorded and answered requests. Absent: unknown, or not recorded. */
  requests?: RequestCounts;
  /** Tests of its hosts for HTTP/3 at the recording. Absent: unknown. */
  http3?: Http3Tests;
  /** Device that recorded the page. Absent: a desktop of 1366x768, or unknown. */
  device?: Device;
  /** Content of a video's manifest, which is at `url`. Absent: the site is a page. */
  video?: Presentation;
  resources: Resource[];
}

/** A site that is not yet in the cache. */
export interface Site {
  manifest: SiteManifest;
  /** Body files by their paths below the site's folder. */
  bodies: Map<string, Uint8Array>;
}

/** A site's folder cannot be used; the message names the file and a remedy. */
export class DamagedSiteError extends UsageError {
  override name = 'DamagedSiteError';
}

export function manifestFile(siteFolder: string): string {
  return path.join(siteFolder, 'index.json');
}

/** The hosts of a site in order of first appearance; the document's host is the first. */
export function hostsOf({ url, resources }: HasHosts): string[] {
  return [...new Set([{ url }, ...resources].map((each) => new URL(each.url).host))];
}

type HasHosts = Pick<SiteManifest, 'url'> & { resources: readonly Pick<Resource, 'url'>[] };

/**
 * Reads and checks a site's manifest.
 * @throws DamagedSiteError when the file is missing, is not JSON, breaks the format, or a body is missing, is not a file of this
 *   folder, or has another size.
 */
export async function readManifest(siteFolder: string): Promise<SiteManifest> {
  const manifest = readManifestAlone(siteFolder);
  await assertOwnFolder(siteFolder);
  await Promise.all(manifest.resources.map((resource) => checkBody(siteFolder, resource)));
  return manifest;
}

/**
 * Reads and checks a site's manifest, without its bodies.
 * @throws DamagedSiteError when the file is missing, is not JSON or breaks the format
 */
export function readManifestAlone(siteFolder: string): SiteManifest {
  const file = manifestFile(siteFolder);
  if (!existsSync(file)) restoreReplaced(path.dirname(siteFolder));
  if (!existsSync(file)) throw new DamagedSiteError(`${file} is missing. ${REMEDY}`);
  let manifest: unknown;
  try {
    manifest = upgradeVideo(JSON.parse(readPlainTextSync(file)));
  } catch (error) {
    if (error instanceof UnreadableFileError) {
      throw new DamagedSiteError(`${file} cannot be read: ${error.reason}. ${REMEDY}`);
    }
    throw new DamagedSiteError(`${file} is not valid JSON: ${(error as Error).message}. ${REMEDY}`);
  }
  const problem = problemOf(manifest);
  if (problem) throw new DamagedSiteError(`${file}: ${problem}. ${REMEDY}`);
  return manifest as SiteManifest;
}

/** A resource whose response has status 204 and no body. */
export function noContent(method: Resource['method'], url: string): Resource {
  return {
    url,
    method,
    status: 204,
    type: 'other',
    headers: [],
    body: null,
    contentEncoding: null,
    wireBytes: 0,
    decodedBytes: 0,
    sha256: null,
  };
}

/**
 * Writes a site: bodies, then the manifest, in a folder that replaces the old one only when complete. After an
 * error the old site is unchanged; after a kill, the next reader restores it.
 */
export async function writeSite(
  siteFolder: string,
  manifest: SiteManifest,
  bodies: ReadonlyMap<string, Uint8Array>,
): Promise<void> {
  const problem = problemOf(manifest);
  if (problem) throw new Error(`manifest of ${manifest.site}: ${problem}`);
  // Distinguishes concurrent writes by one process.
  writers += 1;
  const unfinished = `${siteFolder}${UNFINISHED}${process.pid}-${writers}`;
  const replaced = `${unfinished}${REPLACED}`;
  await rm(unfinished, { recursive: true, force: true });
  try {
    await mkdir(path.join(unfinished, 'bodies'), { recursive: true });
    for (const [name, bytes] of bodies) await writeFile(path.join(unfinished, name), bytes);
    await writeFile(manifestFile(unfinished), `${JSON.stringify(manifest, null, 1)}\n`);
    for (let turn = 1; ; turn += 1) {
      const hadOne = await moveAside(siteFolder, replaced);
      try {
        await rename(unfinished, siteFolder);
        break;
      } catch (error) {
        // Another process has written the site meanwhile: replaces that one.
        const isTaken = ['ENOTEMPTY', 'EEXIST'].includes(codeOf(error) ?? '');
        if (isTaken || existsSync(siteFolder)) await rm(replaced, { recursive: true, force: true });
        else if (hadOne) await rename(replaced, siteFolder);
        if (!isTaken || turn === MAX_TURNS) throw error;
      }
    }
    await rm(replaced, { recursive: true, force: true });
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

/** Renames a site; false: missing, or another process has just moved it. */
async function moveAside(siteFolder: string, to: string): Promise<boolean> {
  try {
    await rename(siteFolder, to);
    return true;
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
    return false;
  }
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}

let writers = 0;

/** Maximum number of concurrent writers. */
const MAX_TURNS = 20;

/** Separates a site's name from the suffix of an unfinished one: names of sites contain no tilde. */
const UNFINISHED = '~unfinished-';

/** Suffix of a site that is about to be replaced. */
const REPLACED = '-replaced';
const REPLACED_NAME = new RegExp(`^(.+)${UNFINISHED}(\\d+)-\\d+${REPLACED}$`);

/** Restores sites that a killed writer had moved aside and not yet replaced. */
export function restoreReplaced(sites: string): void {
  for (const name of existsSync(sites) ? readdirSync(sites) : []) {
    const [, site, pid] = REPLACED_NAME.exec(name) ?? [];
    if (site === undefined || existsSync(`/proc/${pid}`)) continue;
    const place = path.join(sites, site);
    if (!existsSync(place)) renameSync(path.join(sites, name), place);
  }
}

export const REMEDY =
  '`npm run setup` restores its own sites, and `npm run video` its test pattern after its folder is removed; import or record your own sites again.';

/** Rejects a link as the folder of bodies, which would serve files outside the site. */
async function assertOwnFolder(siteFolder: string): Promise<void> {
  const bodies = path.join(siteFolder, 'bodies');
  if ((await lstat(bodies).catch(() => null))?.isSymbolicLink()) {
    throw new DamagedSiteError(
      `${bodies} is a link, and bodies are never read through one. ${REMEDY}`,
    );
  }
}

async function checkBody(siteFolder: string, resource: Resource): Promise<void> {
  if (resource.body === null) return;
  const file = path.join(siteFolder, resource.body);
  const damaged = (what: string) =>
    new DamagedSiteError(`${file} (body of ${resource.url}) ${what}. ${REMEDY}`);
  const found = await lstat(file).catch(() => null);
  if (found === null) throw damaged('is missing');
  // A site from elsewhere could serve any file of this machine through a link.
  if (!found.isFile()) throw damaged('is a link or a folder, expected a file');
  if (found.size !== resource.wireBytes) {
    throw damaged(`has ${found.size} bytes, the manifest says ${resource.wireBytes}`);
  }
}

/** The first problem of a manifest, or null. */
function problemOf(manifest: unknown): string | null {
  if (typeof manifest !== 'object' || manifest === null) return 'not an object';
  const site = manifest as Partial<SiteManifest>;
  if (site.formatVersion !== CACHE_FORMAT_VERSION) {
    return `formatVersion is ${site.formatVersion}, this version reads ${CACHE_FORMAT_VERSION}`;
  }
  for (const field of ['site', 'url', 'source'] as const) {
    if (typeof site[field] !== 'string' || site[field] === '') return `${field} is missing`;
  }
  if (!SITE_KINDS.some((kind) => kind === site.kind)) return `kind is ${site.kind}`;
  const optional = problemOfOptional(site);
  if (optional) return optional;
  if (typeof site.complete !== 'boolean') return 'complete is missing';
  if (!Array.isArray(site.resources)) return 'resources is missing';
  const seen = new Set<string>();
  for (const [index, resource] of site.resources.entries()) {
    const problem = problemOfResource(resource);
    if (problem) return `resources[${index}] (${resource?.url}): ${problem}`;
    if (site.complete && resource.bounces) {
      return `resources[${index}] (${resource.url}): bounces of a complete site, which gets one request for each resource`;
    }
    const key = `${resource.method} ${resource.url}`;
    if (seen.has(key)) return `resources[${index}]: ${key} appears twice`;
    seen.add(key);
  }
  if (!seen.has(`GET ${site.url}`)) return `no resource has the document's url ${site.url}`;
  return problemOfVideo(site as SiteManifest) ?? problemOfTests(site as SiteManifest);
}

function problemOfTests(site: SiteManifest): string | null {
  return site.http3 === undefined ? null : problemOfHttp3(site.http3, hostsOf(site));
}

/** Converts a video of an older cache to the current fields. */
function upgradeVideo(manifest: unknown): unknown {
  if (typeof manifest !== 'object' || manifest === null || !('video' in manifest)) return manifest;
  return { ...manifest, video: renameFields(manifest.video, { rungs: 'representations' }) };
}

function problemOfVideo({ kind, video, resources }: SiteManifest): string | null {
  if ((kind === 'video') !== (video !== undefined)) {
    return `kind is ${kind}, and video is ${video === undefined ? 'missing' : 'there'}`;
  }
  if (video === undefined) return null;
  const sizes = new Map(resources.map(({ url, wireBytes }) => [url, wireBytes]));
  const problem = problemOfPresentation(video, sizes);
  return problem && `video: ${problem}`;
}

function problemOfOptional({
  recordedAt,
  importedFrom,
  madeFrom,
  addresses,
  requests,
  device,
}: Partial<SiteManifest>): string | null {
  if (recordedAt !== undefined && !isMoment(recordedAt)) {
    return `recordedAt is ${JSON.stringify(recordedAt)}, expected a time in ISO 8601 and UTC`;
  }
  if (importedFrom !== undefined && typeof importedFrom !== 'string') {
    return `importedFrom is ${JSON.stringify(importedFrom)}`;
  }
  if (madeFrom !== undefined && typeof madeFrom !== 'string') {
    return `madeFrom is ${JSON.stringify(madeFrom)}`;
  }
  if (requests !== undefined && !isRequestCounts(requests)) {
    return `requests is ${JSON.stringify(requests)}, expected how many were recorded and how many of them are answered`;
  }
  if (device !== undefined && !isDevice(device)) {
    return `device is ${JSON.stringify(device)}, expected widthPx and heightPx, pixelRatio, and whether it is mobile`;
  }
  if (addresses === undefined) return null;
  const fine =
    typeof addresses === 'object' &&
    addresses !== null &&
    Object.values(addresses).every((address) => typeof address === 'string');
  return fine ? null : 'addresses does not give an address for each host';
}

function isRequestCounts(value: unknown): boolean {
  const { recorded, answered } = (value ?? {}) as Partial<RequestCounts>;
  const areCounts = Number.isSafeInteger(recorded) && Number.isSafeInteger(answered);
  return areCounts && 0 <= Number(answered) && Number(answered) <= Number(recorded);
}

function isMoment(value: unknown): value is string {
  if (typeof value !== 'string' || Number.isNaN(Date.parse(value))) return false;
  return new Date(value).toISOString() === value;
}

function problemOfResource(resource: Resource): string | null {
  if (typeof resource !== 'object' || resource === null) return 'not an object';
  const url = URL.parse(resource.url);
  if (url === null) return 'url is not a URL';
  if (url.protocol !== 'https:' || url.hash !== '' || url.href !== resource.url) {
    return `url is not a normalised https URL without fragment (expected ${url.href})`;
  }
  if (resource.method !== 'GET' && resource.method !== 'POST')
    return `method is ${resource.method}`;
  if (!(Number.isInteger(resource.status) && resource.status >= 200 && resource.status <= 599)) {
    return `status is ${resource.status}`;
  }
  if (!RESOURCE_TYPES.includes(resource.type)) return `type is ${resource.type}`;
  const headersProblem = problemOfHeaders(resource.headers) ?? problemOfBounces(resource);
  if (headersProblem) return headersProblem;
  const codings = resource.headers.filter(([name]) => name === 'content-encoding');
  const coding = codings.map(([, value]) => value).join(', ');
  if (coding !== (resource.contentEncoding ?? '')) {
    return `contentEncoding is ${resource.contentEncoding}, the header says ${coding}`;
  }
  for (const field of ['wireBytes', 'decodedBytes'] as const) {
    if (!(Number.isInteger(resource[field]) && resource[field] >= 0)) return `${field} is missing`;
  }
  const { waitMs } = resource;
  if (waitMs !== undefined && !(Number.isFinite(waitMs) && waitMs >= 0))
    return `waitMs is ${waitMs}`;
  if (resource.body === null) return resource.wireBytes === 0 ? null : 'wireBytes without a body';
  if (!/^bodies\/[A-Za-z0-9][A-Za-z0-9._-]*$/.test(resource.body)) {
    return `body ${resource.body} is not a plain file name in bodies/`;
  }
  if (!/^[0-9a-f]{64}$/.test(resource.sha256 ?? '')) return 'sha256 is missing';
  return null;
}

function problemOfBounces({ method, bounces }: Resource): string | null {
  if (bounces === undefined) return null;
  if (method !== 'GET' || !Array.isArray(bounces)) return 'bounces is no list, or of a POST';
  const problems = bounces.map((bounce, index) => {
    const problem = problemOfBounce(bounce);
    return problem && `bounces[${index}]: ${problem}`;
  });
  return problems.find((problem) => problem !== null) ?? null;
}
