import { readdirSync, readFileSync } from 'node:fs';

/**
 * The variable with the ids of the programs that a process descends from. It stays in the environment when a daemon takes a session,
 * another parent and another namespace.
 */
export const LINEAGE = 'QUIC_VS_HTTPS_LINEAGE';

/** Nothing survives being killed for longer, unless the kernel itself is stuck. */
const KILLING_LIMIT_MS = 1000;

/** Kills every process that was started with this id in its lineage, and what they start meanwhile. */
export function killDescendants(id: string): void {
  const endMs = performance.now() + KILLING_LIMIT_MS;
  while (descendantsOf(id).filter(isKilled).length > 0 && performance.now() < endMs);
}

function descendantsOf(id: string): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && environmentOf(pid)?.includes(id));
}

/** null: it has ended, or is another user's. */
function environmentOf(pid: number): Buffer | null {
  try {
    return readFileSync(`/proc/${pid}/environ`);
  } catch {
    return null;
  }
}

function isKilled(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL');
  } catch {
    return false;
  }
}
