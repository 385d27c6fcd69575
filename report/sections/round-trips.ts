import type { PageLoad } from '../../experiments/page-load/details.ts';

/**
 * Round trips from asking for the document to its first byte, as the protocols need them when nothing is lost: those of the
 * handshake and one for the request. QUIC's handshake takes 1 (RFC 9000 and 9001), TCP's 1 and on top of it that of TLS 1.3
 * another 1 (RFC 8446), that of TLS 1.2 another 2 (RFC 5246). A request that goes along with the handshake (0-RTT) saves
 * 1. What is not in here: a redirect, and a certificate chain that does not fit into three times what QUIC's client sent.
 * @param documentHost host of the document
 * @returns null when it is not known how the document's connection was made, or the load did not make it
 */
export function roundTripsToFirstByte(
  { details, connections }: Pick<PageLoad, 'details' | 'connections'>,
  documentHost: string,
): number | null {
  const handshake = HANDSHAKE_ROUND_TRIPS[details?.traffic?.tlsVersion ?? ''];
  if (handshake === undefined) return null;
  if (connections === null) return handshake + 1;
  const opened = connections.opened.find(({ host }) => host === documentHost);
  if (opened === undefined) return null;
  return handshake + 1 - (opened.earlyData === 'accepted' ? 1 : 0);
}

const HANDSHAKE_ROUND_TRIPS: Readonly<Record<string, number>> = {
  QUIC: 1,
  'TLS 1.3': 2,
  'TLS 1.2': 3,
};
