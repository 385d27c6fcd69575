/** Reads values of unknown JSON: each function returns null for values of another kind. */

/** An object's field; undefined: not an object, or no such field. */
function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Record<string, unknown>)[name];
}

/** The value at a path of names. */
export function below(value: unknown, ...names: string[]): unknown {
  return names.reduce(fieldOf, value);
}

export function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

/** A size or a duration; HAR writes -1 for unknown. */
export function quantityOf(value: unknown): number | null {
  const number = numberOf(value);
  return number === null || number < 0 ? null : number;
}

/** Status of a response, also from text (`"200"`, `"200 OK"`); 0: no response. */
export function statusOf(value: unknown): number {
  const text = /^\s*(\d{3})(?!\d)/.exec(textOf(value) ?? '')?.[1];
  return text === undefined ? (numberOf(value) ?? 0) : Number(text);
}

export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A time in the format of `Date.toISOString`; null for 1970-01-01, which tools write for unknown. */
export function momentOf(value: unknown): string | null {
  const timeMs = Date.parse(textOf(value) ?? '');
  return Number.isNaN(timeMs) || timeMs === 0 ? null : new Date(timeMs).toISOString();
}

/**
 * Counts the values of JSON without parsing: an empty object takes 2 bytes in a file and dozens in
 * memory, so a file within its limit can exceed the memory. Includes keys. Stops when the count
 * exceeds `max`.
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

/** Index of the closing quote, or else the end of the file. */
function endOfString(json: Buffer, start: number): number {
  for (let end = json.indexOf(QUOTE, start + 1); end !== -1; end = json.indexOf(QUOTE, end + 1)) {
    let escapes = 0;
    while (json[end - 1 - escapes] === BACKSLASH) escapes += 1;
    if (escapes % 2 === 0) return end;
  }
  return json.length;
}
