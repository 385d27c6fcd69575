import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';

/** The golden cases of a topic, made by golden/make_golden.py with SciPy and NumPy. */
export function goldenCases<Case>(topic: string): Case[] {
  const file = path.join(import.meta.dirname, 'golden', `${topic}.json`);
  const { cases } = JSON.parse(readFileSync(file, 'utf8')) as { cases: Case[] };
  assert.ok(cases.length > 0, `${file} has no cases`);
  return cases;
}

/** Fails unless the value is the expected one to 1e-9 of its size (or to 1e-12 around 0). */
export function assertClose(value: number | null | undefined, expected: number, what = ''): void {
  const distance = Math.abs((value ?? Number.NaN) - expected);
  const allowed = Math.max(1e-9 * Math.abs(expected), expected === 0 ? 1e-12 : 0);
  assert.ok(distance <= allowed, `${what}: ${value}, expected ${expected}`);
}
