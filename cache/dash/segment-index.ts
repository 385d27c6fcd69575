/** One entry of an index: a segment's size and duration. */
interface IndexEntry {
  bytes: number;
  durationMs: number;
}

/** What a segment index says: where in its file the first segment begins, counted from the end of the index, and all of them. */
interface SegmentIndex {
  firstOffset: number;
  fromMs: number;
  entries: IndexEntry[];
}

/**
 * Reads the segment index of a fragmented MP4: the box `sidx` (ISO/IEC 14496-12, 8.16.3).
 * @returns null where the bytes are no such box, are cut off, or refer to further indexes
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
