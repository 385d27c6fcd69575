/** Part of a resource: its first and last byte; null: all of it. */
export type ByteRange = readonly [first: number, last: number] | null;

/** A piece of a rung that is asked for by itself. */
export interface Segment {
  /** A resource of the site. */
  url: string;
  bytes: ByteRange;
  /** Where it begins in the video. */
  fromMs: number;
  durationMs: number;
}

/** One of the rates that the picture or the sound of a video is to be had at. */
export interface Rung {
  /** Its id in the manifest. */
  id: string;
  kind: 'video' | 'audio';
  /** As the manifest says. */
  kbps: number;
  /** As the manifest names them: `vp09.00.10.08`. */
  codecs: string;
  /** Of its container: `video/webm`. */
  mime: string;
  /** In pixels; null: it is sound. */
  width: number | null;
  height: number | null;
  init: Pick<Segment, 'url' | 'bytes'> | null;
  segments: Segment[];
}

export interface Presentation {
  durationMs: number;
  /** Of the picture and of the sound, each from the lowest rate on. */
  rungs: Rung[];
}

/**
 * The first thing wrong with a presentation that comes out of a file, or null.
 * @param sizes of the site's resources, by their URLs
 */
export function problemOfPresentation(
  { durationMs, rungs }: Presentation,
  sizes: ReadonlyMap<string, number>,
): string | null {
  if (!isPositive(durationMs)) return `durationMs is ${durationMs}`;
  if (!Array.isArray(rungs)) return 'rungs is missing';
  if (!rungs.some((rung) => rung?.kind === 'video')) return 'no rung has a picture';
  for (const [index, rung] of rungs.entries()) {
    const problem = problemOfRung(rung, sizes);
    if (problem) return `rungs[${index}] (${rung?.id}): ${problem}`;
  }
  return null;
}

function problemOfRung(rung: Rung, sizes: ReadonlyMap<string, number>): string | null {
  if (typeof rung !== 'object' || rung === null) return 'not an object';
  for (const field of ['id', 'codecs', 'mime'] as const) {
    if (typeof rung[field] !== 'string' || rung[field] === '') return `${field} is missing`;
  }
  if (rung.kind !== 'video' && rung.kind !== 'audio') return `kind is ${rung.kind}`;
  if (!isPositive(rung.kbps)) return `kbps is ${rung.kbps}`;
  if (!Array.isArray(rung.segments) || rung.segments.length === 0) return 'segments is missing';
  const initProblem = rung.init === null ? null : problemOfPlace(rung.init, sizes);
  if (initProblem) return `init: ${initProblem}`;
  let lastMs = Number.NEGATIVE_INFINITY;
  for (const [index, segment] of rung.segments.entries()) {
    const { fromMs, durationMs } = segment;
    if (!Number.isFinite(fromMs) || !isPositive(durationMs)) {
      return `segments[${index}]: fromMs is ${fromMs}, durationMs is ${durationMs}`;
    }
    if (fromMs <= lastMs) return `segments[${index}] begins before the one before it, or with it`;
    lastMs = fromMs;
    const problem = problemOfPlace(segment, sizes);
    if (problem) return `segments[${index}]: ${problem}`;
  }
  return null;
}

function problemOfPlace(
  { url, bytes }: Pick<Segment, 'url' | 'bytes'>,
  sizes: ReadonlyMap<string, number>,
): string | null {
  const size = sizes.get(url);
  if (size === undefined) return `${url} is no resource`;
  if (bytes === null) return size > 0 ? null : `${url} is empty`;
  const [first = Number.NaN, last = Number.NaN] = Array.isArray(bytes) ? bytes : [];
  const areBytes = Number.isInteger(first) && Number.isInteger(last);
  const isWithin = areBytes && 0 <= first && first <= last && last < size;
  return isWithin ? null : `bytes ${bytes} are not in ${url} (${size})`;
}

function isPositive(value: unknown): boolean {
  return Number.isFinite(value) && Number(value) > 0;
}
