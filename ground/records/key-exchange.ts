export const KEY_EXCHANGES = ['x25519', 'x25519mlkem768'] as const;

/** How both ends come to a secret: by a group of TLS. The second one withstands quantum computers too. */
export type KeyExchange = (typeof KEY_EXCHANGES)[number];

/** What every stack and client can. By itself some would take the other one, and others not. */
export const DEFAULT_KEY_EXCHANGE: KeyExchange = 'x25519';

/** What a run asks for; those of before it could be asked for had the usual one. */
export function keyExchangeOf({
  keyExchange = DEFAULT_KEY_EXCHANGE,
}: {
  keyExchange?: KeyExchange;
}): KeyExchange {
  return keyExchange;
}

/** The groups by the names that programs and browsers have for them. */
export const KEY_EXCHANGE_GROUPS: Readonly<Record<KeyExchange, string>> = {
  x25519: 'X25519',
  x25519mlkem768: 'X25519MLKEM768',
};
