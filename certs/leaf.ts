import { createHash, X509Certificate } from 'node:crypto';
import path from 'node:path';
import { readPlainFile } from '../ground/system/plain-file.ts';
import { certificatesFolder } from './authority.ts';

/** Base64 SHA-256 of a host's public key (SPKI): what Chromium is told to accept. */
export async function spkiPin(host: string, folder = certificatesFolder): Promise<string> {
  return pinOf(await readPlainFile(path.join(folder, `${host}.pem`)));
}

/** The same of a certificate, DER or PEM. */
export function pinOf(certificate: Uint8Array | string): string {
  const spki = new X509Certificate(certificate).publicKey.export({ type: 'spki', format: 'der' });
  return createHash('sha256').update(spki).digest('base64');
}
