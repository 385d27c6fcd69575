import type { BenchmarkValues } from './benchmark.ts';

/** Options with values of their own; what the user gives beside them has the last word. */
export type Preset = Partial<BenchmarkValues>;
