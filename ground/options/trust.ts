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
  if (trust === null) return 'system';
  const text = readTextOf('trust', trust);
  const certificates = text.match(PEM_CERTIFICATE) ?? [];
  const allReadable = certificates.every((each) => isCertificate(each));
  if (certificates.length === 0 || !allReadable) {
    throw new UsageError(
      `--trust ${trust}: expected certificates in PEM, got ${allReadable ? 'no certificate' : 'one that cannot be read'}. They begin with -----BEGIN CERTIFICATE-----.`,
    );
  }
  return path.resolve(trust);
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
