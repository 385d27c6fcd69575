/** A manifest of DASH around some AdaptationSets, 10 s long. */
export function mpd(sets: string, { attributes = '', period = '' } = {}): string {
  return `<?xml version="1.0" encoding="utf-8"?>
<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" mediaPresentationDuration="PT10S" ${attributes}>
<Period>${period}${sets}</Period></MPD>`;
}

/** An AdaptationSet of one Representation of the picture. */
export function picture(segments: string, attributes = ''): string {
  return `<AdaptationSet mimeType="video/webm"><Representation id="low" bandwidth="150000" codecs="vp09.00.11.08" width="256" height="144" ${attributes}>${segments}</Representation></AdaptationSet>`;
}

export const NUMBERED =
  '<SegmentTemplate timescale="1000" duration="4000" startNumber="1" initialization="init-$RepresentationID$.webm" media="$RepresentationID$-$Number%03d$.webm"/>';

/** An element of WebM with a text in it: an id and a size of two bytes each. */
export function webm(text: string): string {
  return `Bi@${String.fromCharCode(text.length)}${text}`;
}

/** The files of a manifest of one picture with NUMBERED names. */
export const NUMBERED_FILES = {
  'init-low.webm': webm('init'),
  'low-001.webm': webm('first'),
  'low-002.webm': webm('second'),
  'low-003.webm': webm('third'),
};

/** The box sidx of these segments in [bytes, milliseconds]. */
export function segmentIndex(
  entries: readonly (readonly [bytes: number, durationMs: number])[],
  { firstOffset = 0, isLong = false } = {},
): Buffer {
  const numbers = Buffer.alloc(isLong ? 16 : 8);
  if (isLong) numbers.writeBigUInt64BE(BigInt(firstOffset), 8);
  else numbers.writeUInt32BE(firstOffset, 4);
  const ofEntries = Buffer.concat(
    entries.map(([bytes, durationMs]) => {
      const entry = Buffer.alloc(12);
      entry.writeUInt32BE(bytes, 0);
      entry.writeUInt32BE(durationMs, 4);
      return entry;
    }),
  );
  const head = Buffer.alloc(20);
  head.write('sidx', 4, 'latin1');
  head.writeUInt8(isLong ? 1 : 0, 8);
  head.writeUInt32BE(1000, 16);
  const count = Buffer.from([0, 0, 0, entries.length]);
  const box = Buffer.concat([head, numbers, count, ofEntries]);
  box.writeUInt32BE(box.length, 0);
  return box;
}
