import {
  DEFAULT_KEY_EXCHANGE,
  KEY_EXCHANGE_GROUPS,
  type KeyExchange,
} from '../../ground/records/key-exchange.ts';

/**
 * The groups to offer, the first one with a key. The same by all ways: by default Bun's TLS begins with a post-quantum one, which makes its
 * first message five times as long, and its QUIC has none.
 */
export function groupsOf({
  keyExchange = DEFAULT_KEY_EXCHANGE,
}: {
  keyExchange?: KeyExchange;
}): string {
  const names = [keyExchange, DEFAULT_KEY_EXCHANGE].map((each) => KEY_EXCHANGE_GROUPS[each]);
  return [...new Set([...names, 'P-256', 'P-384'])].join(':');
}
