/** Finds the end of a part of a file, an MP4 box or a WebM element; null: no valid part. */
type EndOf = (bytes: Buffer, at: number) => number | null;

const CONTAINERS = new Map<string, { name: string; endOf: EndOf }>(
  Object.entries({
    mp4: { name: 'MP4', endOf: endOfBox },
    webm: { name: 'WebM', endOf: endOfElement },
  }),
);

/**
 * Why a piece of a video cannot be played. Its container has the length of each part, which reveals truncation.
 * @returns null for a valid piece, or one of another container
 */
export function problemOfPiece(mime: string, bytes: Buffer): string | null {
  const container = CONTAINERS.get(mime.replace(/^(video|audio)\//, ''));
  if (!container) return null;
  for (let at = 0; at < bytes.length; ) {
    const end = headAt(container.endOf, bytes, at);
    if (end === null)
      return `is not ${container.name}, or is damaged: no valid part begins at byte ${at}`;
    if (end > bytes.length) {
      return `is truncated: it has ${bytes.length} bytes, and the part at byte ${at} continues`;
    }
    at = end;
  }
  return null;
}

function headAt(endOf: EndOf, bytes: Buffer, at: number): number | null {
  try {
    return endOf(bytes, at);
  } catch (error) {
    // The header of the part is incomplete.
    if (error instanceof RangeError) return Number.POSITIVE_INFINITY;
    throw error;
  }
}

/** ISO/IEC 14496-12, 4.2: size 1 means a 64-bit size after the type, 0 means up to the end of the file. */
function endOfBox(bytes: Buffer, at: number): number | null {
  const size = bytes.readUInt32BE(at);
  const type = bytes.subarray(at + 4, at + 8);
  if (type.length < 4) throw new RangeError('a box without a type');
  if (!/^[\w© -]{4}$/.test(type.toString('latin1'))) return null;
  if (size === 0) return bytes.length;
  if (size === 1) return at + Math.max(16, Number(bytes.readBigUInt64BE(at + 8)));
  return size < 8 ? null : at + size;
}

/** The element of the whole video, and that of a group of frames. */
const [SEGMENT, CLUSTER] = [0x18538067, 0x1f43b675];

/** RFC 8794: an id and a size, each with a length given by its leading zeros. */
function endOfElement(bytes: Buffer, at: number): number | null {
  const idBytes = Math.clz32(bytes.readUInt8(at)) - 23;
  if (idBytes > 4) return null;
  const id = bytes.readUIntBE(at, idBytes);
  const sizeAt = at + idBytes;
  const first = bytes.readUInt8(sizeAt);
  const sizeBytes = Math.clz32(first) - 23;
  if (sizeBytes > 8) return null;
  let size = first & (0xff >> sizeBytes);
  let isUnknown = size === 0xff >> sizeBytes;
  for (let place = 1; place < sizeBytes; place++) {
    const byte = bytes.readUInt8(sizeAt + place);
    size = size * 256 + byte;
    isUnknown &&= byte === 0xff;
  }
  const bodyAt = sizeAt + sizeBytes;
  // A piece has a part of the Segment only; live writers do not know the length of a Cluster in advance.
  if (id === SEGMENT || (id === CLUSTER && isUnknown)) return bodyAt;
  return isUnknown ? null : bodyAt + size;
}

/** Size and duration of a segment. */
interface IndexEntry {
  bytes: number;
  durationMs: number;
}

/** A segment index: offset of the first segment from the end of the index, and all segments. */
interface SegmentIndex {
  firstOffset: number;
  fromMs: number;
  entries: IndexEntry[];
}

/**
 * Reads the segment index of a fragmented MP4: the box `sidx` (ISO/IEC 14496-12, 8.16.3).
 * @returns null when the bytes are not such a box, are truncated, or refer to further indexes
 */
export function readSegmentIndex(bytes: Buffer): SegmentIndex | null {
  try {
    return read(bytes);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** Size, type, version and flags. */
const HEAD_BYTES = 12;

function read(bytes: Buffer): SegmentIndex | null {
  if (bytes.toString('latin1', 4, 8) !== 'sidx') return null;
  if (bytes.readUInt32BE(0) > bytes.length) return null;
  const isLong = bytes.readUInt8(8) > 0;
  const timescale = bytes.readUInt32BE(HEAD_BYTES + 4);
  const at = HEAD_BYTES + 8;
  const [earliest, firstOffset] = isLong
    ? [Number(bytes.readBigUInt64BE(at)), Number(bytes.readBigUInt64BE(at + 8))]
    : [bytes.readUInt32BE(at), bytes.readUInt32BE(at + 4)];
  const countAt = at + (isLong ? 16 : 8) + 2;
  const count = bytes.readUInt16BE(countAt);
  const entries: IndexEntry[] = [];
  for (let index = 0; index < count; index++) {
    const entryAt = countAt + 2 + 12 * index;
    const typeAndSize = bytes.readUInt32BE(entryAt);
    const refersToIndex = typeAndSize >= 2 ** 31;
    if (refersToIndex) return null;
    const durationMs = (1000 * bytes.readUInt32BE(entryAt + 4)) / timescale;
    entries.push({ bytes: typeAndSize, durationMs });
  }
  if (timescale === 0 || entries.length === 0) return null;
  return { firstOffset, fromMs: (1000 * earliest) / timescale, entries };
}
