import type { Protocol } from '../ground/records/protocol.ts';
import { clientFor } from './index.ts';

/** Why a client's own windows for a protocol cannot be set, as a clause; null: they can, or TCP has them. */
export function whyWindowsAreFixed(client: string, protocol: Protocol): string | null {
  return clientFor('transfer', client).transfer.whyWindowsAreFixed?.(protocol) ?? null;
}
