import type { Protocol } from '../ground/records/protocol.ts';
import { clientFor } from './index.ts';

/** Why a client's own windows by a protocol cannot be chosen, as a clause; null: they can, or only TCP has windows. */
export function whyWindowsAreFixed(client: string, protocol: Protocol): string | null {
  return clientFor('transfer', client).transfer.whyWindowsAreFixed?.(protocol) ?? null;
}
