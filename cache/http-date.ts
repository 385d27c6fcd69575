import type { Resource } from './manifest.ts';

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** With a space between day, month and year as HTTP has it, or a hyphen as many cookies do. */
const DATE =
  /^[A-Za-z]{3,9}, ([0-9]{2})([ -])([A-Z][a-z]{2})\2([0-9]{4}) ([0-9]{2}):([0-9]{2}):([0-9]{2}) GMT$/;

/** Before the comma, in what is written here. */
const WEEKDAY_LENGTH = 3;

/** Dates beyond it have no place in four digits. */
const LAST_YEAR = 9999;

/** The moment that an HTTP date names, in seconds since 1970; null: not such a date. */
export function readHttpDate(text: string): number | null {
  const found = DATE.exec(text);
  if (!found) return null;
  const [, day, separator, month = '', year, ...time] = found;
  const [hours, minutes, seconds] = time.map(Number);
  const atS =
    Date.UTC(Number(year), MONTHS.indexOf(month), Number(day), hours, minutes, seconds) / 1000;
  // The 30th of February, 25 o'clock and the year 99 would be taken for others.
  return text.endsWith(httpDate(atS, separator).slice(WEEKDAY_LENGTH)) ? atS : null;
}

/** A moment, in seconds since 1970, as HTTP writes it; `separator` stands between day, month and year. */
export function httpDate(atS: number, separator = ' '): string {
  const text = new Date(atS * 1000).toUTCString();
  return text.replace(/ ([A-Z][a-z]{2}) ([0-9]{4}) /, `${separator}$1${separator}$2 `);
}

/** The date so much later in the form it has; a text that is no date, or would pass the year 9999, stays as it is. */
function laterDate(text: string, byS: number): string {
  const atS = readHttpDate(text);
  if (atS === null || new Date((atS + byS) * 1000).getUTCFullYear() > LAST_YEAR) return text;
  return httpDate(atS + byS, DATE.exec(text)?.[2]);
}

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
