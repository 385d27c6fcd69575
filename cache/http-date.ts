import type { Resource } from './manifest.ts';

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** With a space between day, month and year as in HTTP, or a hyphen as in many cookies. */
const DATE =
  /^[A-Za-z]{3,9}, ([0-9]{2})([ -])([A-Z][a-z]{2})\2([0-9]{4}) ([0-9]{2}):([0-9]{2}):([0-9]{2}) GMT$/;

/** `toUTCString` writes three letters of the weekday. */
const WEEKDAY_LENGTH = 3;

/** Last year with four digits. */
const LAST_YEAR = 9999;

/** Parses an HTTP date, in seconds since 1970; null: not a valid date. */
export function readHttpDate(text: string): number | null {
  const found = DATE.exec(text);
  if (!found) return null;
  const [, day, separator, month = '', year, ...time] = found;
  const [hours, minutes, seconds] = time.map(Number);
  const atS =
    Date.UTC(Number(year), MONTHS.indexOf(month), Number(day), hours, minutes, seconds) / 1000;
  // Date.UTC turns February 30 into March 1 and year 0099 into 1999: such texts differ when written again.
  return text.endsWith(httpDate(atS, separator).slice(WEEKDAY_LENGTH)) ? atS : null;
}

/** Formats a time, in seconds since 1970, as an HTTP date; `separator` is between day, month and year. */
export function httpDate(atS: number, separator = ' '): string {
  const text = new Date(atS * 1000).toUTCString();
  return text.replace(/ ([A-Z][a-z]{2}) ([0-9]{4}) /, `${separator}$1${separator}$2 `);
}

/** Shifts a date in its own format; returns other texts, and dates after the year 9999, unchanged. */
function laterDate(text: string, byS: number): string {
  const atS = readHttpDate(text);
  if (atS === null || new Date((atS + byS) * 1000).getUTCFullYear() > LAST_YEAR) return text;
  return httpDate(atS + byS, DATE.exec(text)?.[2]);
}

const COOKIE_EXPIRY = /(;[ \t]*expires=)([^;]*)/gi;

/**
 * Shifts the dates that caches and cookies use by the time since the recording
 * (the rules "Dates" in servers/README.md).
 * @param recordedAtS time of the recording, in seconds since 1970; null: unknown, and nothing is shifted
 */
export function shiftedHeaders(
  headers: Resource['headers'],
  recordedAtS: number | null,
  nowS: number,
): Resource['headers'] {
  if (recordedAtS === null || nowS <= recordedAtS) return headers;
  const byS = nowS - recordedAtS;
  // An expired date stays expired: sites use old dates for "never". Last-modified always shifts, which keeps the age from
  // which browsers estimate freshness.
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
