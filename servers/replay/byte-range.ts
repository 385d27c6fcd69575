/** Bytes of a body, both ends included, counted from 0. */
export interface ByteRange {
  first: number;
  last: number;
}

// More digits than any file needs, but exact as a number.
const ONE_RANGE = /^bytes=([0-9]{0,15})-([0-9]{0,15})$/i;

/**
 * The part of a body requested by a `Range` header (RFC 9110, section 14.1.2). `unsatisfiable`: it begins behind the end;
 * null: not a single range of bytes, so that the whole is sent.
 */
export function byteRange(header: string, bodyBytes: number): ByteRange | 'unsatisfiable' | null {
  const [, from, to] = ONE_RANGE.exec(header.trim()) ?? [];
  if (from === undefined || to === undefined || (from === '' && to === '')) return null;
  if (bodyBytes === 0) return null;
  const end = bodyBytes - 1;
  if (from === '') {
    if (Number(to) === 0) return 'unsatisfiable';
    return { first: Math.max(0, bodyBytes - Number(to)), last: end };
  }
  const first = Number(from);
  const last = to === '' ? end : Number(to);
  if (to !== '' && last < first) return null;
  if (first > end) return 'unsatisfiable';
  return { first, last: Math.min(last, end) };
}
