/** The cipher of a TLS suite in the words of DevTools, which the HAR has too; suites that nobody offers any more by number. */
export function cipherName(suite: number): string {
  return NAMES[suite] ?? `suite 0x${suite.toString(16).padStart(4, '0')}`;
}

// Numbers from IANA's registry of TLS cipher suites: those of TLS 1.3, then those of TLS 1.2 with forward secrecy.
const NAMES: Record<number, string> = {
  4865: 'AES_128_GCM',
  4866: 'AES_256_GCM',
  4867: 'CHACHA20_POLY1305',
  49195: 'AES_128_GCM',
  49196: 'AES_256_GCM',
  49199: 'AES_128_GCM',
  49200: 'AES_256_GCM',
  52392: 'CHACHA20_POLY1305',
  52393: 'CHACHA20_POLY1305',
};
