import type { Protocol } from '../ground/records/protocol.ts';

/** Why a client's own windows by a protocol cannot be chosen, as a clause; null: they can, or there are none above TCP's. */
export function whyWindowsAreFixed(client: string, protocol: Protocol): string | null {
  if (client === 'chromium' && protocol !== 'http/1.1') return 'Chromium cannot be given windows';
  if (client === 'curl' && protocol === 'h3') {
    return "libcurl's windows of QUIC grow whatever they begin with";
  }
  return null;
}
