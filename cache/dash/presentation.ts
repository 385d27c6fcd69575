import { DOMParser } from '@xmldom/xmldom';
import {
  inheritAttributes,
  type ParsedSegment,
  type Piece,
  type RepresentationInfo,
  toPlaylists,
} from 'mpd-parser';
import { countText } from '../../kit/text/number.ts';
import { ImportError, shown } from '../import-error.ts';
import type { ImportLimits } from '../limits.ts';
import type { ByteRange, Presentation, Representation, Segment } from '../presentation.ts';
import { readSegmentIndex } from './whole-piece.ts';

/** Location of a manifest, and access to its files. */
interface ManifestContext {
  /** Name in messages. */
  file: string;
  /** Base of its URLs. */
  url: string;
  limits: ImportLimits;
  /** Bytes of a file that it names; throws an ImportError for a missing file. */
  bytesOf: (url: string, range: ByteRange) => Promise<Buffer>;
}

interface PresentationResult {
  presentation: Presentation;
  notes: string[];
}

/**
 * Reads a DASH manifest (MPD, ISO/IEC 23009-1) of a complete video: one period, not encrypted. Segments by SegmentTemplate (numbers
 * or a timeline), by SegmentList, or by SegmentBase with an index in MP4.
 * @throws ImportError for any other manifest, with a remedy
 */
export async function readPresentation(
  text: string,
  context: ManifestContext,
): Promise<PresentationResult> {
  const { file, url } = context;
  const mpd = rootOf(text, file);
  assertPlayable(mpd, file);
  const trickMode = withoutTrickMode(mpd);
  const all = parseOrExplain(file, () =>
    inheritAttributes(mpd, { manifestUri: url }),
  ).representationInfo;
  const [media, excluded] = [all.filter(isMedia), all.filter((each) => !isMedia(each))];
  assertCountable(media, context);
  const levels: Representation[] = [];
  for (const each of media) levels.push(await representationOf(each, context));
  const twice = levels.find(({ id }, index) => levels.findIndex((one) => one.id === id) < index);
  if (twice) {
    throw new ImportError(
      `${file}: two Representations have the id ${shown(twice.id)}, or one has several locations. Give each Representation its own id, and keep only one BaseURL.`,
    );
  }
  if (!levels.some(({ kind }) => kind === 'video')) {
    throw new ImportError(`${file} has no Representation with video. Use a manifest with video.`);
  }
  const ends = levels.flatMap(({ segments }) => segments.map((s) => s.fromMs + s.durationMs));
  const { periodDuration, sourceDuration = 0 } = media[0]?.attributes ?? {};
  const order = (representation: Representation) => (representation.kind === 'video' ? 0 : 1);
  return {
    presentation: {
      durationMs: 1000 * (periodDuration ?? sourceDuration) || Math.max(...ends),
      representations: levels.sort((a, b) => order(a) - order(b) || a.kbps - b.kbps),
    },
    notes: [
      ...trickMode.map((id) => `${shown(id)} excluded: it is for trick mode (fast forward)`),
      ...excluded.map(
        ({ attributes: { id = '', mimeType = 'of unknown type' } }) =>
          `${shown(id)} excluded: it is ${shown(mimeType)}, neither video nor audio`,
      ),
    ],
  };
}

function rootOf(text: string, file: string): Element {
  // Collects them: the parser catches errors that are thrown here, and reports them as errors of the text.
  const complaints: string[] = [];
  const complain = (message: string) => {
    const [first = ''] = message
      .replace(/\[xmldom \w+\]/, '')
      .trim()
      .split('\n');
    complaints.push(first);
  };
  if (text.trim() === '') throw new ImportError(`${file} is empty. Expected a DASH manifest.`);
  if (text.includes('\0')) {
    throw new ImportError(
      `${file} has NUL characters, like UTF-16 without a byte order mark. Save it as UTF-8.`,
    );
  }
  const errorHandler = { warning: complain, error: complain, fatalError: complain };
  const document = new DOMParser({ errorHandler }).parseFromString(text, 'text/xml');
  const [complaint] = complaints;
  if (complaint !== undefined) {
    throw new ImportError(
      `${file} is damaged XML: ${shown(complaint)}. Export the manifest again, or repair it.`,
    );
  }
  const root = document?.documentElement;
  const prefixed = [root, ...Array.from(root?.getElementsByTagName('*') ?? [])].find(
    (each) => each?.prefix && each.namespaceURI === root?.namespaceURI,
  );
  if (root?.tagName === 'MPD' && !prefixed) return root;
  if (root?.localName === 'MPD' && prefixed) {
    throw new ImportError(
      `${file} names its elements with a prefix (${shown(prefixed.tagName)}), which players do not read. Export the manifest with the namespace as the default one (xmlns="...").`,
    );
  }
  throw new ImportError(
    `${file} is not a DASH manifest: it begins with ${shown(root?.tagName ?? 'nothing')}, expected MPD. Name the manifest itself.`,
  );
}

/** DASH-IF interoperability guidelines: pictures for fast forward, which players do not use as a quality level. */
const TRICK_MODE = 'http://dashif.org/guidelines/trickmode';

/** Removes trick mode from a manifest, and returns the ids of its Representations. */
function withoutTrickMode(mpd: Element): string[] {
  const ids: string[] = [];
  for (const name of ['EssentialProperty', 'SupplementalProperty']) {
    for (const property of Array.from(mpd.getElementsByTagName(name))) {
      if (property.getAttribute('schemeIdUri')?.trim() !== TRICK_MODE) continue;
      const owner = property.parentNode as Element | null;
      if (!owner?.parentNode || !/^(AdaptationSet|Representation)$/.test(owner.tagName)) continue;
      const own = [owner, ...Array.from(owner.getElementsByTagName('Representation'))];
      ids.push(...own.filter((each) => each.tagName === 'Representation').map(idOf));
      owner.parentNode.removeChild(owner);
    }
  }
  return ids;
}

function idOf(representation: Element): string {
  return representation.getAttribute('id') ?? '';
}

function assertPlayable(mpd: Element, file: string): void {
  const refuse = (why: string, remedy: string) => {
    throw new ImportError(`${file}: ${why}. ${remedy}`);
  };
  if (mpd.getAttribute('type') === 'dynamic') {
    refuse('it is live (type="dynamic")', 'Only a complete video can be served again.');
  }
  const periods = mpd.getElementsByTagName('Period').length;
  if (periods !== 1) {
    refuse(`it has ${periods} periods, expected 1`, 'Make a manifest for each period.');
  }
  if (mpd.getElementsByTagName('ContentProtection').length > 0) {
    refuse('it is encrypted (ContentProtection)', 'Use a video without encryption.');
  }
  const elements = [mpd, ...Array.from(mpd.getElementsByTagName('*'))];
  if (elements.some((element) => element.hasAttribute('xlink:href'))) {
    refuse('parts of it are elsewhere (xlink:href)', 'Include them in the manifest.');
  }
  for (const base of Array.from(mpd.getElementsByTagName('BaseURL'))) {
    assertInside(base.textContent ?? '', file);
  }
}

/** Checks the text, as parsed URLs never climb above the root. */
function assertInside(reference: string, file: string): void {
  const parts = reference.trim().split(/[/\\]|%2f|%5c/i);
  if (!parts.some((part) => /^(\.|%2e){2}$/i.test(part))) return;
  throw new ImportError(
    `${file}: ${shown(reference)} leads out of the manifest's folder. Move the files into that folder or below it, and update the manifest.`,
  );
}

function kindOf({ attributes: { contentType, mimeType = '' } }: RepresentationInfo): string {
  return contentType ?? mimeType.replace(/\/.*/, '');
}

function isMedia(representation: RepresentationInfo): boolean {
  return ['video', 'audio'].includes(kindOf(representation));
}

/** A short manifest can name an unlimited number of segments. */
function assertCountable(
  representations: readonly RepresentationInfo[],
  { file, limits }: ManifestContext,
): void {
  let segments = 0;
  for (const each of representations) {
    const count = segmentCount(each);
    if (!Number.isFinite(count)) {
      throw new ImportError(
        `${nameOf(each, file)} has no duration of its segments, or of the video. Export the manifest again with durations.`,
      );
    }
    segments += count;
  }
  if (segments <= limits.entries) return;
  throw new ImportError(
    `${file} names ${countText(Math.round(segments))} segments, at most ${countText(limits.entries)} are imported. Use a shorter video.`,
  );
}

/** Upper bound; NaN or infinite: unknown. */
function segmentCount({ attributes, segmentInfo }: RepresentationInfo): number {
  const { template, list, segmentTimeline } = segmentInfo;
  const { timescale = 1, duration } = template ?? list ?? {};
  const wholeS = attributes.periodDuration ?? attributes.sourceDuration;
  if (segmentTimeline && !duration) {
    const minT = segmentTimeline.reduce((least, { t = 0 }) => Math.min(least, t), 0);
    return segmentTimeline.reduce((sum, { d = 0, r = 0 }, place) => {
      if (!(d > 0)) return Number.NaN;
      if (r >= 0) return sum + r + 1;
      const untilT = Math.max(wholeS * timescale, segmentTimeline[place + 1]?.t ?? 0);
      return untilT > 0 ? sum + (untilT - minT) / d : Number.NaN;
    }, 0);
  }
  if (duration === undefined) return 1;
  const { startNumber = 1, endNumber } = template ?? {};
  if (endNumber !== undefined) return Math.max(0, Number(endNumber) - startNumber + 1);
  return wholeS > 0 && duration > 0 ? (wholeS * timescale) / duration : Number.NaN;
}

function nameOf({ attributes: { id } }: RepresentationInfo, file: string): string {
  return id === undefined
    ? `${file}: a Representation without id`
    : `${file}: Representation ${shown(id)}`;
}

/** Valid media type of a representation; servers send it as the content type. */
const MEDIA_TYPE = /^[\w.+-]+\/[\w.+-]+ *(;[ -~]*)?$/;

async function representationOf(
  representation: RepresentationInfo,
  context: ManifestContext,
): Promise<Representation> {
  const { file } = context;
  const { id, bandwidth, codecs, mimeType, width, height } = representation.attributes;
  const name = nameOf(representation, file);
  assertNumberable(representation, name);
  const wanted = { id, bandwidth, codecs, mimeType };
  for (const [attribute, value] of Object.entries(wanted)) {
    if (value) continue;
    throw new ImportError(
      `${name} has no ${attribute}, which players need to choose it. Export the manifest again with it.`,
    );
  }
  if (!MEDIA_TYPE.test(mimeType ?? '')) {
    throw new ImportError(
      `${name} has the mimeType ${shown(mimeType ?? '')}, expected a media type such as video/mp4. Export the manifest again.`,
    );
  }
  const [playlist] = parseOrExplain(name, () => toPlaylists([withNumbers(representation)]));
  const { sidx: index, segments: listed = [] } = playlist ?? {};
  const segments = index
    ? await indexedSegments(index, name, context)
    : listedSegments(representation, listed, file);
  if (segments.length === 0) {
    throw new ImportError(`${name} has no list of segments. ${remux(file)}`);
  }
  const init = (index ?? listed[0])?.map;
  const isPicture = kindOf(representation) === 'video';
  return {
    id: id as string,
    kind: isPicture ? 'video' : 'audio',
    kbps: (bandwidth as number) / 1000,
    codecs: codecs as string,
    mime: mimeType as string,
    width: isPicture ? (width ?? null) : null,
    height: isPicture ? (height ?? null) : null,
    init: init && (init.uri !== '' || init.byterange) ? byteRangeOf(init, file) : null,
    segments,
  };
}

/** Longer than any segment number or time. */
const MAX_DIGITS = 20;

/** Bounds segment numbers (unsignedInt) and their width: a few characters can request millions of digits. */
function assertNumberable({ segmentInfo: { template } }: RepresentationInfo, name: string): void {
  for (const attribute of ['startNumber', 'endNumber'] as const) {
    const number = Number(template?.[attribute] ?? 0);
    if (Number.isInteger(number) && number >= 0 && number < 2 ** 32) continue;
    throw new ImportError(
      `${name}: ${attribute} is ${shown(String(template?.[attribute]))}, expected a whole number below 4,294,967,296. Export the manifest again.`,
    );
  }
  for (const pattern of [template?.media, template?.initialization?.sourceURL]) {
    for (const [format, digits] of pattern?.matchAll(/%0(\d+)d/g) ?? []) {
      if (Number(digits) <= MAX_DIGITS) continue;
      throw new ImportError(
        `${name}: ${shown(format)} formats numbers with more than ${MAX_DIGITS} digits. Export the manifest again with shorter names.`,
      );
    }
  }
}

/** `endNumber` is the number of the last segment, but mpd-parser takes it for their count. */
function withNumbers({ attributes, segmentInfo }: RepresentationInfo): RepresentationInfo {
  const { template, ...rest } = segmentInfo;
  if (template?.endNumber === undefined) return { attributes, segmentInfo };
  const endNumber = Number(template.endNumber) - (template.startNumber ?? 1) + 1;
  return { attributes, segmentInfo: { ...rest, template: { ...template, endNumber } } };
}

/** Shorter segments at the end of a video are rounding errors. */
const SHORTEST_SEGMENT_MS = 1;

function listedSegments(
  { attributes: { periodStart }, segmentInfo }: RepresentationInfo,
  listed: readonly ParsedSegment[],
  file: string,
): Segment[] {
  const { template, list } = segmentInfo;
  // Without an index the segments of a file are unknown.
  if (!template && !list) return [];
  const durationS = (template ?? list)?.duration ? listed[0]?.duration : undefined;
  return listed
    .map((segment, index) => ({
      ...byteRangeOf(segment, file),
      // Media time only applies to timelines.
      fromMs:
        1000 *
        (durationS === undefined ? segment.presentationTime : periodStart + index * durationS),
      durationMs: 1000 * segment.duration,
    }))
    .filter(({ durationMs }) => durationMs >= SHORTEST_SEGMENT_MS);
}

async function indexedSegments(
  index: Piece,
  name: string,
  { file, bytesOf }: ManifestContext,
): Promise<Segment[]> {
  const { url, bytes: range } = byteRangeOf(index, file);
  const read = range && readSegmentIndex(await bytesOf(url, range));
  if (!range || !read) {
    throw new ImportError(
      `${name}: the index of its segments (indexRange) is not a valid MP4 index. ${remux(file)}`,
    );
  }
  let firstByte = range[1] + 1 + read.firstOffset;
  let { fromMs } = read;
  return read.entries.map(({ bytes, durationMs }) => {
    const segment: Segment = { url, bytes: [firstByte, firstByte + bytes - 1], fromMs, durationMs };
    firstByte += bytes;
    fromMs += durationMs;
    return segment;
  });
}

function byteRangeOf(
  { uri, resolvedUri, byterange }: Piece,
  file: string,
): Pick<Segment, 'url' | 'bytes'> {
  assertInside(uri, file);
  if (!byterange) return { url: resolvedUri, bytes: null };
  const first = Number(byterange.offset);
  return { url: resolvedUri, bytes: [first, first + Number(byterange.length) - 1] };
}

/** Adds the location to an error of mpd-parser, which names only the problem. */
function parseOrExplain<T>(where: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw new ImportError(
      `${where} cannot be read: ${shown((error as Error).message)}. Export the manifest again.`,
    );
  }
}

function remux(file: string): string {
  return `To convert it without re-encoding: ffmpeg -i ${shown(file)} -map 0 -c copy -f dash -use_template 1 -use_timeline 1 remuxed.mpd`;
}
