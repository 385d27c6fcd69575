import assert from 'node:assert/strict';

/** Fails unless each field, at a dotted path such as `response.status`, equals its value. */
export function assertFields(actual: unknown, expected: Readonly<Record<string, unknown>>): void {
  const found = Object.keys(expected).map((path) => [path, fieldAt(actual, path)]);
  assert.deepEqual(Object.fromEntries(found), expected);
}

function fieldAt(actual: unknown, path: string): unknown {
  const inside = (value: unknown, key: string) => (value as Record<string, unknown> | null)?.[key];
  return path.split('.').reduce(inside, actual);
}
