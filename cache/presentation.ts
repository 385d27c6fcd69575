/** First and last byte of a part of a resource; null: the whole resource. */
export type ByteRange = readonly [first: number, last: number] | null;

/** A piece of a representation that is requested separately. */
export interface Segment {
  url: string;
  bytes: ByteRange;
  /** Start in the video, in ms. */
  fromMs: number;
  durationMs: number;
}

/** A quality level of video or audio. */
export interface Representation {
  id: string;
  kind: 'video' | 'audio';
  /** Rate that the manifest announces. */
  kbps: number;
  /** Codecs as in the manifest: `vp09.00.10.08`. */
  codecs: string;
  /** Media type of its container: `video/webm`. */
  mime: string;
  /** Width in pixels; null: audio. */
  width: number | null;
  height: number | null;
  init: Pick<Segment, 'url' | 'bytes'> | null;
  segments: Segment[];
}

export interface Presentation {
  durationMs: number;
  /** Video, then audio, each by increasing rate. */
  representations: Representation[];
}

/**
 * The first problem of a presentation from a file, or null.
 * @param sizes of the site's resources, by URL
 */
export function problemOfPresentation(
  { durationMs, representations }: Presentation,
  sizes: ReadonlyMap<string, number>,
): string | null {
  if (!isPositive(durationMs)) return `durationMs is ${durationMs}`;
  if (!Array.isArray(representations)) return 'representations is missing';
  if (!representations.some((representation) => representation?.kind === 'video'))
    return 'no representation has video';
  for (const [index, representation] of representations.entries()) {
    const problem = problemOfRepresentation(representation, sizes);
    if (problem) return `representations[${index}] (${representation?.id}): ${problem}`;
  }
  return null;
}

function problemOfRepresentation(
  representation: Representation,
  sizes: ReadonlyMap<string, number>,
): string | null {
  if (typeof representation !== 'object' || representation === null) return 'not an object';
  for (const field of ['id', 'codecs', 'mime'] as const) {
    if (typeof representation[field] !== 'string' || representation[field] === '')
      return `${field} is missing`;
  }
  if (representation.kind !== 'video' && representation.kind !== 'audio')
    return `kind is ${representation.kind}`;
  if (!isPositive(representation.kbps)) return `kbps is ${representation.kbps}`;
  if (!Array.isArray(representation.segments) || representation.segments.length === 0)
    return 'segments is missing';
  const initProblem =
    representation.init === null ? null : problemOfByteRange(representation.init, sizes);
  if (initProblem) return `init: ${initProblem}`;
  let lastMs = Number.NEGATIVE_INFINITY;
  for (const [index, segment] of representation.segments.entries()) {
    const { fromMs, durationMs } = segment;
    if (!Number.isFinite(fromMs) || !isPositive(durationMs)) {
      return `segments[${index}]: fromMs is ${fromMs}, durationMs is ${durationMs}`;
    }
    if (fromMs <= lastMs) return `segments[${index}] does not begin after the previous one`;
    lastMs = fromMs;
    const problem = problemOfByteRange(segment, sizes);
    if (problem) return `segments[${index}]: ${problem}`;
  }
  return null;
}

function problemOfByteRange(
  { url, bytes }: Pick<Segment, 'url' | 'bytes'>,
  sizes: ReadonlyMap<string, number>,
): string | null {
  const size = sizes.get(url);
  if (size === undefined) return `${url} is not a resource`;
  if (bytes === null) return size > 0 ? null : `${url} is empty`;
  const [first = Number.NaN, last = Number.NaN] = Array.isArray(bytes) ? bytes : [];
  const areBytes = Number.isInteger(first) && Number.isInteger(last);
  const isWithin = areBytes && 0 <= first && first <= last && last < size;
  return isWithin ? null : `bytes ${bytes} are not in ${url} (${size})`;
}

function isPositive(value: unknown): boolean {
  return Number.isFinite(value) && Number(value) > 0;
}
