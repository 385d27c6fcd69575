import type { ResponseOrder } from '../../ground/stack.ts';

/** A part of a body at its arrival at the client. */
export interface BodyPart {
  atMs: number;
  bytes: number;
}

/** Two responses over one connection: an urgent one was requested while the body of an earlier one was arriving. */
interface OverlappingResponses {
  early: readonly BodyPart[];
  urgent: readonly BodyPart[];
  /** Request time of the urgent one, in ms of the same clock. */
  urgentRequestedAtMs: number;
}

/** Buffers on the path can hold a part of the early body, which arrives first in any order. */
const ALMOST_ALL = 0.9;

/**
 * Of the bytes that arrive during the urgent body. Fair sharing gives the early body half of them.
 */
const FEW = 0.2;

/**
 * The order in which a server sent two responses; null: the early body was almost complete, so that
 * the order is unknown.
 */
export function responseOrderOf({
  early,
  urgent,
  urgentRequestedAtMs,
}: OverlappingResponses): ResponseOrder | null {
  const [first, last] = [urgent[0], urgent.at(-1)];
  if (!first || !last) return null;
  const earlyBytes = (fromMs: number, untilMs: number) =>
    bytesOf(early.filter(({ atMs }) => atMs >= fromMs && atMs < untilMs));
  const urgentBytes = bytesOf(urgent);
  const missingBytes = earlyBytes(urgentRequestedAtMs, Infinity);
  // With less missing than the urgent body has, the two overlap too little.
  if (missingBytes < urgentBytes) return null;
  const beforeBytes = earlyBytes(urgentRequestedAtMs, first.atMs);
  if (beforeBytes >= ALMOST_ALL * missingBytes) return 'in request order';
  const amidBytes = earlyBytes(first.atMs, last.atMs);
  return amidBytes < FEW * (amidBytes + urgentBytes) ? 'by priority' : 'interleaved';
}

function bytesOf(parts: readonly BodyPart[]): number {
  return parts.reduce((sum, { bytes }) => sum + bytes, 0);
}
