import { cipherSuiteName } from '../../ground/records/wire-names.ts';

/** The cipher of a TLS suite in the words of DevTools, which the HAR has too; suites that nobody offers any more by number. */
export function cipherName(suite: number): string {
  // TLS 1.2 has the key exchange in the name of a suite, and both have the hash.
  return cipherSuiteName(suite)
    .replace(/^TLS_(?:.*_WITH_)?/, '')
    .replace(/_SHA\d*$/, '');
}
