import {
  DEFAULT_KEY_EXCHANGE,
  KEY_EXCHANGE_GROUPS,
  type KeyExchange,
} from '../../ground/records/key-exchange.ts';

/**
 * The groups to offer, first the one with a key share; the same for all transports. Bun's TLS default starts with a post-quantum group,
 * which makes its first message five times as long; Bun's QUIC lacks such a group.
 */
export function groupsOf({
  keyExchange = DEFAULT_KEY_EXCHANGE,
}: {
  keyExchange?: KeyExchange;
}): string {
  const names = [keyExchange, DEFAULT_KEY_EXCHANGE].map((each) => KEY_EXCHANGE_GROUPS[each]);
  return [...new Set([...names, 'P-256', 'P-384'])].join(':');
}
