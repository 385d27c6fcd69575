/** Values out of somebody's JSON: each function answers null for what is not of its kind. */

/** An object's field; undefined where it is none, or has none. */
function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Record<string, unknown>)[name];
}

/** The value below several names, one in the other. */
export function below(value: unknown, ...names: string[]): unknown {
  return names.reduce(fieldOf, value);
}

export function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

/** A size or a duration; -1 is how HAR writes that it is not known. */
export function quantityOf(value: unknown): number | null {
  const number = numberOf(value);
  return number === null || number < 0 ? null : number;
}

/** The status of a response, also where it is written as text (`"200"`, `"200 OK"`); 0: there was none. */
export function statusOf(value: unknown): number {
  const text = /^\s*(\d{3})(?!\d)/.exec(textOf(value) ?? '')?.[1];
  return text === undefined ? (numberOf(value) ?? 0) : Number(text);
}

export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A moment as `Date.toISOString` writes it; the first of 1970 is what tools write that know none. */
export function momentOf(value: unknown): string | null {
  const timeMs = Date.parse(textOf(value) ?? '');
  return Number.isNaN(timeMs) || timeMs === 0 ? null : new Date(timeMs).toISOString();
}

/**
 * How many values somebody's JSON has, without making them: an object of nothing takes 2 bytes in a file and dozens in
 * memory, so that a file within its limit can be more than memory holds. Keys count as well. Stops where it is clear that there
 * are more than `max`.
 */
export function countJsonValues(json: Buffer, max: number): number {
  let values = 0;
  for (let at = 0; at < json.length && values <= max; at++) {
    const byte = json[at];
    if (byte === QUOTE) at = endOfString(json, at);
    else if (byte === COMMA || byte === COLON || byte === BRACE || byte === BRACKET) values += 1;
  }
  return values;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const BRACE = 0x7b;

/** Place of the closing quote; the end of the file where there is none. */
function endOfString(json: Buffer, start: number): number {
  for (let end = json.indexOf(QUOTE, start + 1); end !== -1; end = json.indexOf(QUOTE, end + 1)) {
    let escapes = 0;
    while (json[end - 1 - escapes] === BACKSLASH) escapes += 1;
    if (escapes % 2 === 0) return end;
  }
  return json.length;
}
