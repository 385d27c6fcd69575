import os from 'node:os';
import type { Check, Finding } from '../check.ts';

/** Browser, server and link work at the same time. */
export const cores: Check = {
  name: 'processor',
  run: () => judgeCores(os.availableParallelism(), os.cpus()[0]?.model.trim() ?? 'unknown model'),
};

export function judgeCores(count: number, model: string): Finding {
  const found = `${count} ${count === 1 ? 'core' : 'cores'}, ${model}`;
  if (count >= 2) return { status: 'ok', found };
  return {
    status: 'note',
    found: `${found}: browser and server take time from each other`,
    remedy: 'Use a machine with 2 cores or more where absolute times matter',
  };
}
