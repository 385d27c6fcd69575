/** A version of TLS by the number that a hello has. */
export function tlsVersionName(version: number): string {
  const minor = (version & 0xff) - 1;
  return minor === 0 ? 'TLS 1' : `TLS 1.${minor}`;
}

/** A cipher suite in the words of IANA's registry; one that is rare by number. */
export function cipherSuiteName(suite: number): string {
  return CIPHERS[suite] ?? `suite 0x${suite.toString(16).padStart(4, '0')}`;
}

/** A group of the key exchange in the words of IANA's registry. */
export function groupName(group: number): string {
  return GROUPS[group] ?? `group ${group}`;
}

const CIPHERS: Record<number, string> = {
  4865: 'TLS_AES_128_GCM_SHA256',
  4866: 'TLS_AES_256_GCM_SHA384',
  4867: 'TLS_CHACHA20_POLY1305_SHA256',
  49195: 'TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256',
  49196: 'TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384',
  49199: 'TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256',
  49200: 'TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384',
  52392: 'TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256',
  52393: 'TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256',
};

const GROUPS: Record<number, string> = {
  23: 'secp256r1',
  24: 'secp384r1',
  25: 'secp521r1',
  29: 'x25519',
  30: 'x448',
  4588: 'X25519MLKEM768',
  25497: 'X25519Kyber768Draft00',
};
