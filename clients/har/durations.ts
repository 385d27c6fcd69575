import type { HarTimings } from './har.ts';

/** Sum of the consecutive phases; ssl is part of connect. */
export function durationOf({ blocked, dns, connect, send, wait, receive }: HarTimings): number {
  const phases = [blocked, dns, connect, send, wait, receive];
  return toMicroseconds(phases.reduce((sum, phase) => sum + Math.max(0, phase), 0));
}

/** Rounds to the resolution of the browsers' times, which hides rounding noise. */
export function toMicroseconds(ms: number): number {
  return Number(ms.toFixed(3));
}
