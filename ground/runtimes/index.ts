import { bun } from './bun.ts';
import { go } from './go.ts';
import { hypercorn } from './hypercorn.ts';
import { python } from './python.ts';
import type { Runtime } from './runtime.ts';

/** Every runtime by the name that stacks call it. */
export const RUNTIMES = { bun, python, go, hypercorn } as const satisfies Record<string, Runtime>;

export type RuntimeName = keyof typeof RUNTIMES;

/** What runs the stacks of some names that set-up brings on demand, each once. */
export function onDemandRuntimes(stacks: readonly { runtime?: RuntimeName }[]): RuntimeName[] {
  const names = stacks.flatMap(({ runtime }) => runtime ?? []);
  return [...new Set(names)].filter((name) => (RUNTIMES[name] as Runtime).onDemand);
}
