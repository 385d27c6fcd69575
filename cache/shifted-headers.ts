import { laterDate, readHttpDate } from './http-date.ts';
import type { Resource } from './manifest.ts';

const COOKIE_EXPIRY = /(;[ \t]*expires=)([^;]*)/gi;

/**
 * The recorded headers with the dates that caches and cookies go by as far from now as they were from the recording
 * (the rules "Dates" in servers/README.md).
 * @param recordedAtS when the page was recorded, in seconds since 1970; null: not known, and nothing is shifted
 */
export function shiftedHeaders(
  headers: Resource['headers'],
  recordedAtS: number | null,
  nowS: number,
): Resource['headers'] {
  if (recordedAtS === null || nowS <= recordedAtS) return headers;
  const byS = nowS - recordedAtS;
  // What was over when the page was recorded stays over: sites say "never" with a date long gone.
  const laterIfAhead = (text: string) =>
    (readHttpDate(text) ?? 0) > recordedAtS ? laterDate(text, byS) : text;
  return headers.map(([name, value]) => {
    if (name === 'expires') return [name, laterIfAhead(value)];
    if (name === 'last-modified') return [name, laterDate(value, byS)];
    if (name !== 'set-cookie') return [name, value];
    const shifted = value.replace(
      COOKIE_EXPIRY,
      (_, before: string, date: string) => before + laterIfAhead(date),
    );
    return [name, shifted];
  });
}
