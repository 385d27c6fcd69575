export const KEY_EXCHANGES = ['x25519', 'x25519mlkem768'] as const;

/** Group of the TLS key exchange; the second one also resists quantum computers. */
export type KeyExchange = (typeof KEY_EXCHANGES)[number];

/** Supported by every stack and client, whose own defaults differ. */
export const DEFAULT_KEY_EXCHANGE: KeyExchange = 'x25519';

/** Key exchange of a run; older runs used the default. */
export function keyExchangeOf({
  keyExchange = DEFAULT_KEY_EXCHANGE,
}: {
  keyExchange?: KeyExchange;
}): KeyExchange {
  return keyExchange;
}

/** Group names as programs and browsers spell them. */
export const KEY_EXCHANGE_GROUPS: Readonly<Record<KeyExchange, string>> = {
  x25519: 'X25519',
  x25519mlkem768: 'X25519MLKEM768',
};
