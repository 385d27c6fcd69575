import { BOUNDS } from '../records/ranges.ts';

const UNIT_BYTES: Readonly<Record<string, number>> = { B: 1, kB: 1e3, MB: 1e6, GB: 1e9 };

/** Bytes of a size: `10kB`, `1.5MB`, `0B`; decimal units. null: not a valid size. */
export function bytesOfSize(size: string): number | null {
  const [, count, unit] = /^(\d+(?:\.\d+)?)(B|kB|MB|GB)$/.exec(size) ?? [];
  const bytes = Number(count) * (UNIT_BYTES[unit ?? ''] ?? Number.NaN);
  return Number.isSafeInteger(Math.round(bytes)) && bytes <= BOUNDS.sizeBytes[1]
    ? Math.round(bytes)
    : null;
}
