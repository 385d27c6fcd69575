import { X509Certificate } from 'node:crypto';
import path from 'node:path';
import { UsageError } from '../system/exit-status.ts';
import { readTextOf } from './named-file.ts';

/**
 * File of the certificate authorities trusted for live hosts; `system`: those of the system (default); null: certificates
 * are not checked (`--trust none`).
 * @throws UsageError for a file that cannot be read or has no certificate
 */
export function trustOf({ trust }: { trust: string | null }): string | null {
  if (trust === 'none') return null;
  return trust === null ? 'system' : authoritiesFile('trust', trust);
}

/**
 * Reads an option that names a PEM file of authorities; returns its absolute path.
 * @throws UsageError for a file that cannot be read or has no certificate
 */
export function authoritiesFile(option: string, file: string): string {
  const text = readTextOf(option, file);
  const certificates = certificatesIn(text);
  const allReadable = certificates.every((each) => isCertificate(each));
  if (certificates.length === 0 || !allReadable) {
    throw new UsageError(
      `--${option} ${file}: expected certificates in PEM, got ${allReadable ? 'no certificate' : 'one that cannot be read'}. They begin with -----BEGIN CERTIFICATE-----.`,
    );
  }
  return path.resolve(file);
}

/** The certificates of a PEM file, in PEM. */
export function certificatesIn(text: string): string[] {
  return text.match(PEM_CERTIFICATE) ?? [];
}

const PEM_CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;

function isCertificate(pem: string): boolean {
  try {
    new X509Certificate(pem);
    return true;
  } catch {
    return false;
  }
}
