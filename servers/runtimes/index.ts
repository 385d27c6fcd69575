import { bun } from './bun.ts';
import { python } from './python.ts';
import type { Runtime } from './runtime.ts';

/** Every runtime by the name that stacks call it. */
export const RUNTIMES = { bun, python } as const satisfies Record<string, Runtime>;

export type RuntimeName = keyof typeof RUNTIMES;
