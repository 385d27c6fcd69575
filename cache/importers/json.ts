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
