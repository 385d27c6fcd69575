import type { VisitKind } from '../visit-kind.ts';

/** Visits that Firefox does not support, with the reason as a clause. */
export const unsupportedVisits: Readonly<Partial<Record<VisitKind, string>>> = {};
